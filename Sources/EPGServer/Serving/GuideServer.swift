package import EPGModel
import Hummingbird
import HummingbirdCore
package import Logging
import NIOPosix
import ServiceLifecycle

/// The service: a guide behind HTTP.
package struct GuideServer: Service {
    private let application: Application<GuideResponder>

    /// - Parameter importer: Takes guides in that clients send; `nil` where none does.
    /// - Throws: An error of the store.
    package init(
        _ guide: any GuideReading, importer: (any GuideImporting)? = nil, settings: ServerSettings, logger: Logger,
        now: @escaping @Sendable () -> Instant, onRunning: @escaping @Sendable (ServerAddress) async -> Void = { _ in }
    ) throws {
        let watch = try GuideWatch(guide, logger: logger)
        let service = AnswerService(
            guide, watch: watch, site: settings.site, threads: NIOThreadPool.singleton, now: now)
        let streaming = StreamingServices(
            answers: service, feeds: FeedLibrary(guide, settings: settings.feeds, logger: logger),
            listeners: Listeners(settings.live),
            imports: ImportDesk(importer, settings: settings.importing, logger: logger))
        application = Application(
            responder: GuideResponder(
                routes: Route.all, streaming: StreamingResponder(services: streaming), service: service, logger: logger),
            server: HTTPServerBuilder { responder in
                FastChannel(http: HTTP1Channel(responder: responder), service: service)
            },
            configuration: ApplicationConfiguration(address: settings.address.bindAddress, serverName: nil),
            services: [watch],
            onServerRunning: { channel in
                await onRunning(ServerAddress(port: channel.localAddress?.port))
            },
            logger: logger)
    }

    package func run() async throws {
        try await application.run()
    }
}

/// Where a server listens.
package struct ServerAddress: Hashable, Sendable {
    /// `nil` for a Unix socket.
    package let port: Int?
}
