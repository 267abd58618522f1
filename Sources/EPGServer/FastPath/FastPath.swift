import EPGModel
import NIOCore
import NIOHTTP1

/// Answers plain requests from the ``FastTable`` on the event loop itself, without a task and without the HTTP encoder.
///
/// It stands behind the HTTP decoder. A request is only answered here while no earlier one of the connection is under way,
/// so that answers keep their order, and while the connection takes bytes, so that none pile up.
final class FastPath: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let service: AnswerService
    private let outlet: RawOutlet
    /// Requests that were passed on and whose answers aren't complete.
    private var pending = 0
    /// Whether the rest of a request that was answered is still to come.
    private var swallows = false
    private var needsFlush = false
    private var date = HTTPDateLine()

    init(_ service: AnswerService, outlet: RawOutlet) {
        self.service = service
        self.outlet = outlet
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            if pending == 0, context.channel.isWritable, answer(head) {
                swallows = true
                return
            }
            pending += 1
        case .body where swallows: return
        case .end where swallows:
            swallows = false
            return
        default: break
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if needsFlush {
            needsFlush = false
            outlet.flush()
        }
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        // An informational head is followed by the real one.
        case .end: pending -= 1
        default: break
        }
        context.write(data, promise: promise)
    }

    /// Answers a request if that can be done here.
    private func answer(_ head: HTTPRequestHead) -> Bool {
        guard let request = FastRequest(head) else { return false }
        let now = service.now()
        let epoch = service.watch.epoch
        let ready = service.fastTable.answer(
            for: request.target, acceptsGzip: request.acceptsGzip, epoch: epoch, now: now)
        guard let ready else { return false }
        let isUnmodified = request.condition.map(ready.tag.isNamed(in:)) ?? false
        outlet.write(date.bytes(isUnmodified ? .unmodified : .ok, at: now))
        outlet.write(isUnmodified ? ready.unmodified : ready.full)
        needsFlush = true
        return true
    }
}

/// Writes bytes past the HTTP encoder: it stands in front of it.
final class RawOutlet: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = ByteBuffer

    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func write(_ bytes: ByteBuffer) {
        context?.write(NIOAny(bytes), promise: nil)
    }

    func flush() {
        context?.flush()
    }
}

/// The status line and the date, which is the same for all answers of a second.
struct HTTPDateLine {
    enum Status {
        case ok, unmodified
    }

    private var second: Instant?
    private var ok = ByteBuffer()
    private var unmodified = ByteBuffer()

    init() {}

    mutating func bytes(_ status: Status, at now: Instant) -> ByteBuffer {
        if second != now {
            second = now
            ok = ByteBuffer(string: "HTTP/1.1 200 OK\r\nDate: \(now.httpDate)\r\n")
            unmodified = ByteBuffer(string: "HTTP/1.1 304 Not Modified\r\nDate: \(now.httpDate)\r\n")
        }
        return status == .ok ? ok : unmodified
    }
}
