import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// A handler that passes on one request of a connection at a time, rejects invalid ones, and closes the connection after the
/// last response.
///
/// NIO's `HTTPServerPipelineHandler` is unsuitable: on shutdown it drops requests after the current one, and it recurses for
/// each waiting request that gets an immediate response.
final class RequestHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Input { case part(HTTPServerRequestPart), refusal(Refusal), inputClosed }

    let connection: ClientConnection
    let headLength: HeadLengthHandler
    private let server: GuardedChannel, admission: ClientTable.Admission

    /// The parts that wait for the current response.
    private var waiting = CircularBuffer<Input>()
    private var isPassing = false, isReading = false, isEnding = false

    private var head: HTTPRequestHead?
    private var hasRequestEnded = true, hasResponseBegun = false, hasResponseEnded = true
    /// Whether to discard the rest of the request, and whether to close the connection after the response.
    private var isSkipping = false, isLast = false
    private var remainingBodyBytes = 0

    private var timer: Scheduled<Void>?
    /// Closes the connection at the end of a shutdown.
    private var drainTimer: Scheduled<Void>?
    /// The waiting time in the current period of the body, and the number of bytes that arrived in it.
    private var waitingTime = Duration.zero, bodyBytes = 0
    /// The bytes of bodies that were written and, at the last check, sent.
    private var bytesWritten = 0, bytesSent = 0

    init(_ server: GuardedChannel, _ admission: ClientTable.Admission) {
        (self.server, self.admission) = (server, admission)
        connection = ClientConnection(admission.client)
        headLength = HeadLengthHandler(server.limits)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        drainTimer?.cancel()
    }

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
        forward(.part(unwrapInboundIn(data)), context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        if timer == nil, !hasRequestEnded || headLength.start != nil { startTimer(context) }
        if isEnding { context.read() } else { context.fireChannelReadComplete() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            connection.disconnectSignal.signal()
            if waiting.isEmpty { context.fireUserInboundEventTriggered(event) } else { waiting.append(.inputClosed) }
        case IdleStateHandler.IdleStateEvent.read:
            guard hasRequestEnded, hasResponseEnded else { return }
            if headLength.start != nil { return end(.headerTimeout, context) }
            close(context: context, mode: .output, promise: nil)
        case IdleStateHandler.IdleStateEvent.write:
            // No write has completed, but the client may be reading a long one.
            let unsent = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
            if unsent > 0, bytesWritten - unsent <= bytesSent { context.close(promise: nil) }
            bytesSent = bytesWritten - unsent
        case is ChannelShouldQuiesceEvent:
            // Hummingbird would close the connection immediately and reset a request in transit.
            let idle = IdleStateHandler(readTimeout: TimeAmount(server.limits.drainPause))
            try? context.pipeline.syncOperations.addHandler(idle, position: .first)
            // A client that reads slowly would delay the end of the service.
            drainTimer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(server.limits.drainTimeout)) {
                context.close(promise: nil)
            }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let refusal as Refusal: forward(.refusal(refusal), context)
        case HTTPParserError.headerOverflow: forward(.refusal(headLength.refusal), context)
        case is HTTPParserError: forward(.refusal(.malformed), context)
        case is ByteToMessageDecoderError: break  // Bytes after a malformed request.
        default: context.fireErrorCaught(error)
        }
    }

    /// Passes on the parts of the current request. Others wait for its response, which keeps responses in order.
    private func forward(_ input: Input?, _ context: ChannelHandlerContext) {
        if let input, !isEnding { waiting.append(input) }
        // An immediate response calls this method again; the loop below continues.
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
            if let wait = server.clients.retryDelay(forRequestOf: connection.client.limitedAddress) {
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
            // The rest of the request body may be too long to wait for.
            if !hasRequestEnded && !isSkipping || server.draining.isSet && waiting.isEmpty { isLast = true }
            guard isLast else { break }
            response.headers.replaceOrAdd(name: "connection", value: "close")
            // HTTP/1.0 has no chunked encoding: closing the connection ends the body (RFC 9112, 6.3).
            if head?.version == .http1_0 { response.version = .http1_0 }
            return context.write(wrapOutboundOut(.head(response)), promise: promise)
        case .body(let bytes): bytesWritten += bytes.readableBytes
        case .end:
            (hasResponseBegun, hasResponseEnded) = (false, true)
            context.write(data, promise: promise)
            if isLast { return close(context: context, mode: .output, promise: nil) }
            guard !isPassing, !waiting.isEmpty else { return }
            forward(nil, context)
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

    /// Closes the connection after an error response, or immediately if another response has begun.
    private func end(_ refusal: Refusal, _ context: ChannelHandlerContext) {
        guard !isEnding else { return }
        server.clients.count(refusal)
        if hasResponseBegun { return context.close(promise: nil) }
        isLast = true
        respond(with: refusal, context)
    }

    /// Closes the connection after everything is sent. Keeps reading while only the output is closed, to avoid a reset.
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
            timer = context.eventLoop.assumeIsolated().scheduleTask(
                in: TimeAmount(server.draining.isSet ? server.limits.drainPause : server.limits.lingerTimeout)
            ) {
                context.close(promise: nil)
            }
        }
    }

    /// Checks the timeouts of a request, four times per shortest timeout.
    private func startTimer(_ context: ChannelHandlerContext) {
        let limits = server.limits
        let interval = min(.seconds(1), max(.milliseconds(10), min(limits.headerTimeout, limits.bodyPeriod) / 4))
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(interval)) { [self] in
            timer = nil
            // Time during which the handler does not read the body does not count.
            if !hasRequestEnded, isReading { waitingTime += interval }
            if server.draining.isSet, waitingTime >= limits.drainPause { end(.ending, context) }
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

/// A limit for the length of request heads. The limits of the decoder ignore spaces, and do not distinguish long lines from
/// long headers.
final class HeadLengthHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The time at which the first byte of an incomplete head was read.
    private(set) var start: NIODeadline?
    private var length = 0, hasRequestLine = false
    private let limits: ConnectionLimits

    init(_ limits: ConnectionLimits) { self.limits = limits }

    /// Returns the refusal of a head that is too long.
    var refusal: Refusal { hasRequestLine || length <= limits.requestLineBytes ? .headerTooLong : .lineTooLong }

    /// Handles a decoded part of a request.
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

/// The head of a request that all servers and proxies interpret in the same way (RFC 9112, 3.2 and 6.3).
///
/// NIO's decoder has checked the syntax and the limits of headers.
struct CheckedHead {
    /// The head, with a target that begins with a slash.
    private(set) var head: HTTPRequestHead
    /// Maximum length of the body in bytes.
    let bodyLimit: Int
    /// The last header `X-Forwarded-For`.
    private(set) var forwardedFor: String?
    /// Whether the client waits for status 100 before it sends the body (RFC 9110, 10.1.1).
    private(set) var expectsContinue = false

    init(_ head: HTTPRequestHead, limits: ConnectionLimits) throws(Refusal) {
        self.head = head
        // A request line also has a method, a version and two spaces.
        guard head.uri.utf8.count + 16 <= limits.requestLineBytes else { throw .lineTooLong }
        guard head.method != .CONNECT else { throw .connect }
        // The body of other methods has no meaning.
        bodyLimit = min(limits.bodyBytes, [.POST, .PUT, .PATCH].contains(head.method) ? .max : 64 << 10)
        var hosts = 0
        for (name, value) in head.headers {
            // Lengths distinguish most names.
            switch name.utf8.count {
            case 4 where name.equals("host"):
                guard CheckedHead.isHost(value) else { throw .host }
                hosts += 1
            case 6 where name.equals("expect"):
                expectsContinue = head.version != .http1_0 && value.equals("100-continue")
            case 14 where name.equals("content-length"):
                guard Int(value) ?? .max <= bodyLimit else { throw .bodyTooLong }
            case 15 where name.equals("x-forwarded-for"): forwardedFor = value
            case 17 where name.equals("transfer-encoding"):
                guard head.version != .http1_0, value.equals("chunked") else { throw .malformed }
            default: break
            }
        }
        guard hosts == 1 || (hosts == 0 && head.version == .http1_0) else { throw .host }
        if head.uri == "*", head.method == .OPTIONS { self.head.uri = "/" }
        if self.head.uri.utf8.first != UInt8(ascii: "/") { try readAbsoluteTarget() }
    }

    /// Replaces `http://host/path` with the path. Its host takes precedence over the header (RFC 9112, 3.2.2).
    private mutating func readAbsoluteTarget() throws(Refusal) {
        let parts = head.uri.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, ["http", "https"].contains(parts[0].lowercased()) else { throw .target }
        let host = parts[1].prefix { !"/?#".contains($0) }
        guard !host.isEmpty, CheckedHead.isHost(String(host)) else { throw .target }
        head.headers.replaceOrAdd(name: "Host", value: String(host))
        let path = parts[1].dropFirst(host.count)
        head.uri = path.first == "/" ? String(path) : "/" + path
    }

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")

    /// Returns whether a text is a host with an optional port (RFC 3986, 3.2.2), or empty.
    static func isHost(_ text: String) -> Bool {
        var port = text.utf8[...]
        if text.first == "[", let end = text.firstIndex(of: "]"), ClientAddress(parsing: text[...end]) != nil {
            port = port[end...].dropFirst()
        } else {
            port = port.drop { letters.contains($0 | 0x20) || digits.contains($0) || "-._~%".utf8.contains($0) }
        }
        return text.utf8.count <= 260 && (port.isEmpty || port.first == UInt8(ascii: ":"))
            && port.count <= 6 && port.dropFirst().allSatisfy(digits.contains)
    }
}

/// The reason for an error response before Hummingbird handles a request. Raw values are labels of metrics.
package enum Refusal: String, CaseIterable, Error {
    case malformed, host, target, connect, rate, connections, ending
    case headerTimeout = "header_timeout"
    case bodyTimeout = "body_timeout"
    case bodyTooLong = "body_too_long"
    case lineTooLong = "line_too_long"
    case headerTooLong = "header_too_long"
    case connectionsOfAddress = "connections_of_address"

    /// The response.
    package var problem: Problem {
        switch self {
        case .malformed: Problem(.badRequest, "The request is not valid HTTP/1.1.")
        case .connect: .methodNotAllowed(allowed: [.get, .head, .options])
        case .rate: Problem(.tooManyRequests, "Too many requests from your address. Try again later.")
        case .connections: Problem(.serviceUnavailable, "Too many open connections. Try again later.", retryAfter: 5)
        case .ending: Problem(.serviceUnavailable, "The service is ending. Try again in a moment.", retryAfter: 10)
        case .host: Problem(.badRequest, "A request needs one Host header: a host name with an optional port.")
        case .target: Problem(.badRequest, "The target of a request must begin with a slash.")
        case .headerTimeout: Problem(.requestTimeout, "The headers of the request took too long to arrive.")
        case .bodyTimeout: Problem(.requestTimeout, "The body of the request arrived too slowly.")
        case .bodyTooLong: Problem(.contentTooLarge, "The body of the request is too long.")
        case .lineTooLong: Problem(.uriTooLong, "The URL is too long.")
        case .headerTooLong: Problem(.requestHeaderFieldsTooLarge, "The headers are too many or too long.")
        case .connectionsOfAddress:
            Problem(.serviceUnavailable, "Your address has too many open connections. Close some.", retryAfter: 5)
        }
    }
}

extension String {
    /// Returns whether the text equals a lowercase text, ignoring ASCII case.
    package func equals(_ lowercased: StaticString) -> Bool {
        guard utf8.count == lowercased.utf8CodeUnitCount else { return false }
        return lowercased.withUTF8Buffer { unsafe zip(utf8, $0).allSatisfy { $0 == $1 || $0 | 0x20 == $1 } }
    }
}
