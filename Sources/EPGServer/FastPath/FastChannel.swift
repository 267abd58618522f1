import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// A connection whose plain requests are answered by the ``FastPath``.
struct FastChannel: ServerChildChannel {
    let http: HTTP1Channel
    let service: AnswerService

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        http.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self).handler
            guard let position = decoder as? ByteToMessageHandler<HTTPRequestDecoder> else { return value }
            let outlet = RawOutlet()
            try pipeline.addHandler(FastPath(service, outlet: outlet), position: .after(position))
            try pipeline.addHandler(outlet, position: .first)
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await http.handle(value: value, logger: logger)
    }
}
