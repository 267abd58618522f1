import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Passes on one request of a connection at a time, refuses bad ones, and ends the connection after the last response.
/// NIO's `HTTPServerPipelineHandler` does not fit: on shutdown it drops requests behind the current one, and it calls itself
/// for each waiting request that gets a response at once.
final class RequestHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Input { case part(HTTPServerRequestPart), refusal(Refusal), inputClosed }

    let connection: ClientConnection
    let headLength: HeadLengthHandler
    private let server: GuardedChannel, admission: ClientTable.Admission

    /// What waits for the current response.
    private var waiting = CircularBuffer<Input>()
    private var isPassing = false, isReading = false, isEnding = false

    private var head: HTTPRequestHead?
    private var hasRequestEnded = true, hasResponseBegun = false, hasResponseEnded = true
    /// Whether the rest of the request is dropped, and whether the connection ends after the response.
    private var isSkipping = false, isLast = false
    private var remainingBodyBytes = 0

    private var timer: Scheduled<Void>?
    /// How long the service has waited for the body in the current period, and how much of it has arrived.
    private var waitingTime = Duration.zero, bodyBytes = 0
    /// Bytes of bodies that were written and, as of the last check, sent.
    private var bytesWritten = 0, bytesSent = 0

    init(_ server: GuardedChannel, _ admission: ClientTable.Admission) {
        (self.server, self.admission) = (server, admission)
        connection = ClientConnection(admission.client)
        headLength = HeadLengthHandler(server.limits)
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        if let refusal = admission.refusal { end(refusal, context) }
    }

    func read(context: ChannelHandlerContext) {
        guard waiting.isEmpty else { return }
        isReading = true
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        headLength.reset()
        take(.part(unwrapInboundIn(data)), context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        if timer == nil, !hasRequestEnded || headLength.start != nil { startTimer(context) }
        if isEnding { context.read() } else { context.fireChannelReadComplete() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            connection.departure.announce()
            if waiting.isEmpty { context.fireUserInboundEventTriggered(event) } else { waiting.append(.inputClosed) }
        case IdleStateHandler.IdleStateEvent.read:
            guard hasRequestEnded, hasResponseEnded else { return }
            if headLength.start != nil { return end(.headerTimeout, context) }
            close(context: context, mode: .output, promise: nil)
        case IdleStateHandler.IdleStateEvent.write:
            // No write was completed, but the client may be reading a long one.
            let unsent = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
            if unsent > 0, bytesWritten - unsent <= bytesSent { context.close(promise: nil) }
            bytesSent = bytesWritten - unsent
        case is ChannelShouldQuiesceEvent:
            // Hummingbird would close the connection at once, and so reset a request that is on its way.
            let idle = IdleStateHandler(readTimeout: TimeAmount(server.limits.drainPause))
            try? context.pipeline.syncOperations.addHandler(idle, position: .first)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let refusal as Refusal: take(.refusal(refusal), context)
        case HTTPParserError.headerOverflow: take(.refusal(headLength.refusal), context)
        case is HTTPParserError: take(.refusal(.malformed), context)
        case is ByteToMessageDecoderError: break  // Bytes after a malformed request.
        default: context.fireErrorCaught(error)
        }
    }

    /// Passes on what belongs to the current request. The rest waits for the response, so that responses come in order.
    private func take(_ input: Input?, _ context: ChannelHandlerContext) {
        if let input, !isEnding { waiting.append(input) }
        // A response that is written at once calls this function again. The loop below goes on.
        guard !isPassing else { return }
        isPassing = true
        while !hasRequestEnded || hasResponseEnded, !isEnding, let input = waiting.popFirst() {
            switch input {
            case .part(.head(let head)): begin(head, context)
            case .part(.body(let bytes)):
                bodyBytes += bytes.readableBytes
                remainingBodyBytes -= bytes.readableBytes
                if remainingBodyBytes < 0 { end(.bodyTooLong, context) }
                if !isSkipping, !isEnding { context.fireChannelRead(wrapInboundOut(.body(bytes))) }
            case .part(.end(let trailers)):
                hasRequestEnded = true
                if !isSkipping { context.fireChannelRead(wrapInboundOut(.end(trailers))) }
            case .refusal(let refusal): end(refusal, context)
            case .inputClosed: context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            }
        }
        isPassing = false
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        self.head = head
        (hasRequestEnded, hasResponseEnded, isSkipping, waitingTime, bodyBytes) = (false, false, false, .zero, 0)
        isLast = head.version == .http1_0 || !head.isKeepAlive
        do throws(Refusal) {
            let checked = try CheckedHead(head, limits: server.limits)
            remainingBodyBytes = checked.bodyLimit
            connection.client = server.clients.client(
                of: admission.client.address, forwardedFor: checked.forwardedFor)
            if let wait = server.clients.takeRequest(of: connection.client.limitedAddress) {
                server.clients.count(.rate)
                isSkipping = true
                return respond(with: .rate, retryAfter: wait, context)
            }
            if checked.expectsContinue {
                context.writeAndFlush(wrapOutboundOut(.head(.init(version: .http1_1, status: .continue))), promise: nil)
            }
            context.fireChannelRead(wrapInboundOut(.head(checked.head)))
        } catch {
            end(error, context)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isEnding else { return promise?.fail(ChannelError.ioOnClosedChannel) ?? () }
        switch unwrapOutboundIn(data) {
        case .head(var response) where !(100..<200).contains(response.status.code):
            hasResponseBegun = true
            // The body of the request may be too long to wait for its end.
            if !hasRequestEnded && !isSkipping || server.draining.isSet && waiting.isEmpty { isLast = true }
            guard isLast else { break }
            response.headers.replaceOrAdd(name: "connection", value: "close")
            // HTTP/1.0 does not know chunks: the end of the connection ends the body (RFC 9112, 6.3).
            if head?.version == .http1_0 { response.version = .http1_0 }
            return context.write(wrapOutboundOut(.head(response)), promise: promise)
        case .body(let bytes): bytesWritten += bytes.readableBytes
        case .end:
            (hasResponseBegun, hasResponseEnded) = (false, true)
            context.write(data, promise: promise)
            if isLast { return close(context: context, mode: .output, promise: nil) }
            guard !isPassing, !waiting.isEmpty else { return }
            take(nil, context)
            if timer == nil, !hasRequestEnded { startTimer(context) }
            context.fireChannelReadComplete()
            return read(context: context)
        default: break
        }
        context.write(data, promise: promise)
    }

    private func respond(with refusal: Refusal, retryAfter: Int? = nil, _ context: ChannelHandlerContext) {
        var problem = refusal.problem
        problem.retryAfter = retryAfter ?? problem.retryAfter
        let body = problem.document.bytes
        var response = HTTPResponse(status: problem.status, headerFields: problem.headers)
        response.headerFields[.contentLength] = String(body.readableBytes)
        let isHead = head?.method == .HEAD && !hasResponseEnded
        let parts: [HTTPServerResponsePart] = [
            .head(HTTPResponseHead(response)), .body(.byteBuffer(isHead ? ByteBuffer() : body)), .end(nil),
        ]
        for part in parts { write(context: context, data: wrapOutboundOut(part), promise: nil) }
        context.flush()
    }

    /// Ends the connection with an error response, or at once if another response has begun.
    private func end(_ refusal: Refusal, _ context: ChannelHandlerContext) {
        guard !isEnding else { return }
        server.clients.count(refusal)
        if hasResponseBegun { return context.close(promise: nil) }
        isLast = true
        respond(with: refusal, context)
    }

    /// Closes the connection when everything is sent, and reads on if only the output is closed, so that no reset overtakes it.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode != .input, context.channel.isActive else { return context.close(mode: mode, promise: promise) }
        if isEnding { return context.channel.closeFuture.cascade(to: promise) }
        isEnding = true
        let sent = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))), promise: sent)
        sent.futureResult.assumeIsolated().whenComplete { [self] _ in
            context.close(mode: mode, promise: promise)
            context.read()
            timer?.cancel()
            timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(server.limits.lingerTimeout)) {
                context.close(promise: nil)
            }
        }
    }

    /// Checks the time that a request takes, four times in the shortest timeout.
    private func startTimer(_ context: ChannelHandlerContext) {
        let limits = server.limits
        let interval = min(.seconds(1), max(.milliseconds(10), min(limits.headerTimeout, limits.bodyPeriod) / 4))
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(interval)) { [self] in
            timer = nil
            // A handler may take its time before it reads more of a body.
            if !hasRequestEnded, isReading { waitingTime += interval }
            if waitingTime >= limits.bodyPeriod {
                if bodyBytes < limits.bodyBytesPerPeriod { end(.bodyTimeout, context) }
                (waitingTime, bodyBytes) = (.zero, 0)
            }
            let timeout = TimeAmount(server.draining.isSet ? limits.drainPause : limits.headerTimeout)
            let isLate = headLength.start.map { .now() - $0 >= timeout } ?? false
            if isLate, hasRequestEnded, hasResponseEnded { end(.headerTimeout, context) }
            if timer == nil, !hasRequestEnded || headLength.start != nil { startTimer(context) }
        }
    }
}

/// Limits the length of heads before the decoder, whose limits leave out spaces, and do not tell a long line from long headers.
final class HeadLengthHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// When the first byte of an unfinished head was read.
    private(set) var start: NIODeadline?
    private var length = 0, hasRequestLine = false
    private let limits: ConnectionLimits

    init(_ limits: ConnectionLimits) { self.limits = limits }

    /// The refusal of a head that is too long.
    var refusal: Refusal { hasRequestLine || length <= limits.requestLineBytes ? .headerTooLong : .lineTooLong }

    /// The decoder has found a part of a request.
    func reset() { (start, length, hasRequestLine) = (nil, 0, false) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data).readableBytesView
        start = start ?? .now()
        let line = bytes.prefix(max(0, limits.requestLineBytes - length))
        hasRequestLine = hasRequestLine || line.contains(UInt8(ascii: "\n"))
        length += bytes.count
        context.fireChannelRead(data)
        if length > limits.requestLineBytes + limits.headerBytes { context.fireErrorCaught(refusal) }
    }
}
