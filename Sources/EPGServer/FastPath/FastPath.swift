import EPGModel
import NIOCore
import NIOHTTP1

/// Answers plain requests from the ``FastTable`` and by ``QuickAnswers`` on the event loop itself, without a task.
///
/// It stands behind the ``RequestGuard``, which lets one request at a time through.
final class FastPath: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let service: AnswerService
    private let quick: QuickAnswers
    /// The answer to the request whose head was read, given at its end.
    private var answer: ReadyAnswer?
    private var isUnmodified = false
    private var began = ContinuousClock.now
    private var date = CachedDate()

    init(_ service: AnswerService, quick: QuickAnswers) {
        self.service = service
        self.quick = quick
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            answer = readyAnswer(to: head)
            if answer != nil { return }
        case .body where answer != nil: return
        case .end:
            if let answer {
                self.answer = nil
                write(answer, context)
                return
            }
        default: break
        }
        context.fireChannelRead(data)
    }

    private func readyAnswer(to head: HTTPRequestHead) -> ReadyAnswer? {
        guard let request = FastRequest(head) else { return nil }
        began = .now
        let epoch = service.watch.epoch
        let kept = service.fastTable.answer(
            for: request.target, acceptsGzip: request.acceptsGzip, epoch: epoch, now: service.now())
        guard let ready = kept ?? quick.answer(to: request, epoch: epoch) else { return nil }
        isUnmodified = request.condition.map { ready.tag?.isNamed(in: $0) == true } ?? false
        return ready
    }

    private func write(_ answer: ReadyAnswer, _ context: ChannelHandlerContext) {
        var head = HTTPResponseHead(version: .http1_1, status: isUnmodified ? .notModified : .ok)
        head.headers = isUnmodified ? answer.fieldsUnmodified : answer.fields
        head.headers.add(name: "Date", value: date.text(at: service.now()))
        answer.figures.record(status: Int(head.status.code), duration: ContinuousClock.now - began)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !isUnmodified { context.write(wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}

/// The date as HTTP writes it, which is the same for all answers of a second.
struct CachedDate {
    private var second: Instant?
    private var text = ""

    mutating func text(at now: Instant) -> String {
        if second != now {
            second = now
            text = now.httpDate
        }
        return text
    }
}
