import EPGJSON
import EPGRender
import HTTPTypes
import NIOCore
import NIOHTTP1

/// Watches the requests of one connection: lets one at a time through, refuses what isn't HTTP as it should be, keeps to
/// the rate of the address and to the length of bodies.
///
/// It stands behind the decoder, so that whatever comes after it never sees two requests at once.
final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let connection: ConnectionGuard
    private let peers: PeerTable
    private let peer: Peer
    private let departure: ClientDeparture
    private let refusals: RefusalCounts
    private let draining: Draining

    /// Parts that wait for the answer under way.
    private var held = CircularBuffer<HTTPServerRequestPart>()
    private var isReleasing = false
    /// Whether the end of what the client sends waits too.
    private var holdsEnd = false

    // The request under way.

    private var hasRequestEnded = true
    private var hasAnswerEnded = true
    /// Whether the rest of the request is dropped, as it was answered here.
    private var isSkipping = false
    private var isLegacy = false
    private var closesAfterAnswer = false
    private var bodyBytes = 0
    private var bodyLimit = 0

    init(
        connection: ConnectionGuard, peers: PeerTable, peer: Peer, departure: ClientDeparture, refusals: RefusalCounts,
        draining: Draining
    ) {
        self.connection = connection
        self.peers = peers
        self.peer = peer
        self.departure = departure
        self.refusals = refusals
        self.draining = draining
    }

    // MARK: - Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        connection.partsRead &+= 1
        switch part {
        case .head:
            connection.isReadingRequest = true
            connection.beginBody()
        case .body: break
        case .end: connection.isReadingRequest = false
        }
        if held.isEmpty, !isHead(part) || !connection.isBusy {
            deliver(part, data, context)
        } else {
            held.append(part)
            connection.holdsReads = true
        }
    }

    private func isHead(_ part: HTTPServerRequestPart) -> Bool {
        if case .head = part { true } else { false }
    }

    private func deliver(_ part: HTTPServerRequestPart, _ data: NIOAny, _ context: ChannelHandlerContext) {
        guard !connection.isEnding else { return }
        switch part {
        case .head(let head):
            begin(head, context)
        case .body(let bytes):
            guard !isSkipping else { return }
            bodyBytes += bytes.readableBytes
            guard bodyBytes <= bodyLimit else {
                connection.end(.bodyTooLong)
                return
            }
            context.fireChannelRead(data)
        case .end:
            hasRequestEnded = true
            if isSkipping {
                isSkipping = false
            } else {
                context.fireChannelRead(data)
            }
            finishIfDone(context)
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        connection.isBusy = true
        connection.hasBegunAnswer = false
        hasRequestEnded = false
        hasAnswerEnded = false
        bodyBytes = 0
        let checked: CheckedHead
        do throws(RefusedHead) {
            checked = try CheckedHead(head, limits: connection.limits)
        } catch {
            connection.end(error.refusal)
            return
        }
        bodyLimit = checked.bodyLimit
        isLegacy = head.version == .http1_0
        closesAfterAnswer = isLegacy || !head.isKeepAlive
        let asker = peer.isProxy ? peers.peer(forwardedFor: checked.forwardedFor, by: peer) : peer
        if let wait = asker.allowance.take(at: NIODeadline.now().nanoseconds) {
            refuseForNow(context, nanoseconds: wait)
            return
        }
        if checked.awaitsContinue {
            context.writeAndFlush(
                wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
        }
        context.fireChannelRead(wrapInboundOut(.head(checked.head)))
    }

    /// Tells the client to come back later; the connection stays.
    private func refuseForNow(_ context: ChannelHandlerContext, nanoseconds: Int64) {
        refusals.add(.tooManyRequests)
        isSkipping = true
        var problem = Refusal.tooManyRequests.problem
        problem.retryAfter = Int((nanoseconds + 999_999_999) / 1_000_000_000)
        let document = Document(.problem) { $0.write(problem) }
        var head = HTTPResponseHead(version: .http1_1, status: .tooManyRequests)
        for field in problem.fields { head.headers.add(name: field.name.canonicalName, value: field.value) }
        head.headers.add(name: "content-length", value: String(document.bytes.readableBytes))
        answer(.head(head), context, nil)
        answer(.body(.byteBuffer(document.bytes)), context, nil)
        answer(.end(nil), context, nil)
        context.flush()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let error as HTTPParserError:
            let refusal: Refusal = error == .headerOverflow ? .headerTooLong : .malformed
            if connection.isBusy, hasRequestEnded || !held.isEmpty {
                connection.refusalAfterAnswer = refusal
            } else {
                connection.end(refusal)
            }
        case is ByteToMessageDecoderError: break  // more of what wasn't HTTP
        default: context.fireErrorCaught(error)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        departure.announce()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { departure.announce() }
        if event is ChannelShouldQuiesceEvent {
            // Hummingbird would close idle connections at once, and so reset those whose next request is on its way.
            connection.drain()
            return
        } else if !held.isEmpty, let event = event as? ChannelEvent, event == .inputClosed {
            holdsEnd = true
            return
        }
        context.fireUserInboundEventTriggered(event)
    }

    // MARK: - Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        answer(unwrapOutboundIn(data), context, promise)
    }

    private func answer(
        _ part: HTTPServerResponsePart, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) {
        switch part {
        case .head(var head):
            guard !(100..<200).contains(head.status.code) else { break }
            connection.hasBegunAnswer = true
            // A body that nobody read may be too long to be waited for.
            if !hasRequestEnded, !isSkipping { closesAfterAnswer = true }
            // Requests that were sent behind this one are answered too.
            if draining.hasBegun, held.isEmpty { closesAfterAnswer = true }
            guard closesAfterAnswer else { break }
            head.headers.replaceOrAdd(name: "connection", value: "close")
            // HTTP/1.0 knows no chunks: the end of the connection ends the body (RFC 9112, 6.3).
            if isLegacy { head.version = .http1_0 }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
            return
        case .body: break
        case .end:
            context.write(wrapOutboundOut(part), promise: promise)
            hasAnswerEnded = true
            connection.hasBegunAnswer = false
            if closesAfterAnswer {
                connection.endQuietly()
            } else {
                finishIfDone(context)
            }
            return
        }
        context.write(wrapOutboundOut(part), promise: promise)
    }

    /// Lets the next request through when this one is read and answered.
    private func finishIfDone(_ context: ChannelHandlerContext) {
        guard hasRequestEnded, hasAnswerEnded, connection.isBusy else { return }
        connection.isBusy = false
        // An answer that is given at once comes back to here: the loop below it goes on.
        guard !isReleasing else { return }
        isReleasing = true
        var hasReleased = false
        while let part = held.first, !isHead(part) || !connection.isBusy {
            held.removeFirst()
            hasReleased = true
            deliver(part, wrapInboundOut(part), context)
        }
        isReleasing = false
        guard held.isEmpty else {
            context.fireChannelReadComplete()
            return
        }
        if hasReleased { context.fireChannelReadComplete() }
        connection.holdsReads = false
        if let refusal = connection.refusalAfterAnswer, !connection.isBusy {
            connection.end(refusal)
        } else if holdsEnd {
            holdsEnd = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        } else {
            connection.resumeReading()
        }
    }
}
