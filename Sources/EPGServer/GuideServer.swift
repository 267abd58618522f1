package import EPGModel
import Glibc
import HTTPTypes
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

/// The service: a guide behind HTTP.
package struct GuideServer: Service {
    /// All endpoints.
    static let endpoints: [any Endpoint.Type] =
        GridController.endpoints + StationController.endpoints + AiringController.endpoints + GuideController.endpoints
        + FeedController.endpoints + PageController.endpoints

    /// The methods of each path, without those that are rejected.
    let routes: [String: Set<HTTPRequest.Method>]
    private let application: Application<RouterResponder<GuideRequestContext>>
    private let draining: Draining
    private let drain: DrainService
    private let logger: Logger
    private let address: ListeningAddress
    private let isRunning = RunningFlag()
    /// The threads for work that blocks.
    private let threads: [NIOThreadPool]

    /// The maximum number of concurrent reads of the guide, so that none waits for a connection to the store: reads, searches,
    /// one each of the feeds, the ``GuideWatch`` and the ``OperationsController``, and the look after an import.
    package static let concurrentReadings =
        RequestAdmission.Limits.reads.running + RequestAdmission.Limits.searches.running + 4

    /// How much the threads of searches yield to all others.
    private static let searchNiceness: Int32 = 10

    /// Connections above all limits that are accepted to be closed at once. Further ones wait in the system's queue, so that a
    /// burst can't take all file descriptors.
    private static let maximumDropCount = 16

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - importer: Imports guides that clients send; `nil` to reject them.
    ///   - now: Returns the current time.
    ///   - onRunning: Called with the address when the service listens.
    /// - Throws: An error of the store.
    package init(
        _ guide: any GuideStorage, importer: (any GuideImporting)? = nil, settings: ServerSettings, logger: Logger,
        now: @escaping @Sendable () -> Instant, onRunning: @escaping @Sendable (ServerAddress) async -> Void = { _ in }
    ) throws {
        var site = settings.site
        site.began = now()
        // Hashes the program's file before a request needs the result.
        _ = site.edition
        let limits = settings.limits
        let draining = Draining()
        self.draining = draining
        drain = DrainService(pause: limits.drainPause)
        self.logger = GuideServer.quieter(logger)
        address = settings.address

        let reads = RequestAdmission(.reads)
        let searches = RequestAdmission(.searches, niceness: GuideServer.searchNiceness)
        let watch = try GuideWatch(guide, logger: logger)
        let service = GuideService(
            guide, watch: watch, site: site, cacheCapacity: settings.cacheCapacity,
            scheduleCapacity: settings.scheduleCapacity, deadline: settings.queryDeadline, reads: reads,
            searches: searches, nextRefresh: settings.nextRefresh, now: now)
        let feeds = FeedLibrary(guide, settings: settings.feeds, logger: logger)
        let clients = ClientTable(
            limits: limits,
            proxies: Set(settings.trustedProxies.compactMap { ClientAddress(parsing: $0[...]) }))
        let refusals = RefusalCounts()
        let metrics = RequestMetrics()
        let accessLog = AccessLog(logger: logger, level: settings.requestLogLevel)
        let crossOrigin = CrossOriginMiddleware(origins: settings.crossOrigins)
        let imports = ImportController(importer, service: service, settings: settings.importing, logger: logger)
        let operations = OperationsController(
            service: service, feeds: feeds, requests: metrics, refusals: refusals, clients: clients,
            draining: draining, database: settings.database, metricsToken: settings.metricsToken, logger: logger)
        threads = [reads.threads, searches.threads, feeds.threads, imports.threads, operations.threads]

        let router = Router(context: GuideRequestContext.self)
        router.add(middleware: ClientMiddleware(clients: clients))
        router.add(middleware: MetricsMiddleware(metrics: metrics))
        router.add(middleware: AccessLogMiddleware(log: accessLog))
        router.add(middleware: crossOrigin)
        router.add(middleware: SecurityHeadersMiddleware())
        router.add(middleware: ErrorMiddleware(site: site))
        router.add(middleware: ConditionalMiddleware())
        for endpoint in GuideServer.endpoints { router.add(endpoint, from: service) }
        FeedController(service: service, feeds: feeds).addRoutes(to: router)
        EventController(service: service, settings: settings.live).addRoutes(to: router)
        imports.addRoutes(to: router)
        operations.addRoutes(to: router)
        routes = GuideServer.completeRoutes(of: router)

        let prepared = PreparedResponseHandler.Services(
            guide: service, crossOrigin: crossOrigin, metrics: metrics, accessLog: accessLog, clients: clients)
        application = Application(
            responder: router.buildResponder(),
            server: HTTPServerBuilder { responder in
                GuardedChannel(
                    limits: limits, clients: clients, refusals: refusals, draining: draining,
                    preparedHandler: { PreparedResponseHandler(prepared) }, responder: responder)
            },
            configuration: ApplicationConfiguration(
                address: settings.address.bindAddress, serverName: nil, backlog: 1024,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    limits.connections + ClientTable.maximumRefusals + GuideServer.maximumDropCount)),
            services: [watch],
            onServerRunning: { [address, isRunning] channel in
                isRunning.set()
                await onRunning(ServerAddress(address, boundTo: channel.localAddress))
            },
            logger: self.logger)
    }

    /// Adds OPTIONS to each path, and rejects all other known methods.
    ///
    /// - Returns: The methods of each path.
    private static func completeRoutes(
        of router: Router<GuideRequestContext>
    ) -> [String: Set<HTTPRequest.Method>] {
        var routes: [String: Set<HTTPRequest.Method>] = [:]
        for route in router.routes { routes[route.path.description, default: [.options]].insert(route.method) }
        for (path, methods) in routes {
            let allowed = ErrorMiddleware.knownMethods.filter(methods.contains)
            router.on(RouterPath(path), method: .options) { _, _ in
                Response(
                    status: .noContent,
                    headers: [
                        .allow: allowed.map(\.rawValue).joined(separator: ", "),
                        .cacheControl: Freshness.uncacheable.cacheControl,
                    ])
            }
            for method in ErrorMiddleware.knownMethods where !methods.contains(method) {
                router.on(RouterPath(path), method: method) { _, _ -> Response in
                    throw Problem.methodNotAllowed(allowed: allowed)
                }
            }
        }
        return routes
    }

    /// Serves until graceful shutdown, and then until the requests under way have their responses.
    ///
    /// - Throws: ``ListeningFailure`` if the service can't listen.
    package func run() async throws {
        var file: SocketFile?
        if case .socket(let path) = address { file = SocketFile(path: path) }
        try await file?.removeStale()
        for threads in threads { threads.start() }
        let outcome: Result<Void, any Error>
        do {
            // A group shuts its services down one after the other, the last one first.
            let group = ServiceGroup(services: [application, drain], logger: logger)
            try await withGracefulShutdownHandler {
                try await group.run()
            } onGracefulShutdown: { [draining] in
                draining.begin()
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        for threads in threads { try await threads.shutdownGracefully() }
        do {
            try outcome.get()
        } catch  where !isRunning.value {
            throw ListeningFailure(place: address.description, reason: GuideServer.reason(error))
        }
        try await file?.removeStale()
    }

    private static func reason(_ error: any Error) -> String {
        if error is SocketAddressError.UnknownHost { return "unknown host" }
        guard let number = (error as? IOError)?.errnoCode else { return "\(error)" }
        return number == EADDRINUSE ? "the address is in use by another process" : String(cString: strerror(number))
    }

    /// Hummingbird's messages at the level info concern its own state.
    private static func quieter(_ logger: Logger) -> Logger {
        var logger = logger
        if logger.logLevel == .info { logger.logLevel = .notice }
        return logger
    }
}

/// Whether the service listens.
private final class RunningFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    func set() { flag.store(true, ordering: .relaxed) }

    var value: Bool { flag.load(ordering: .relaxed) }
}

/// Where a server listens.
package struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
    /// `nil` for a Unix socket.
    package let port: Int?
    /// `http://127.0.0.1:8080`, `unix:/run/epg/http.sock`.
    package let description: String

    init(_ requested: ListeningAddress, boundTo address: SocketAddress?) {
        port = address?.port
        if case .port(_, let host) = requested, let port {
            description = ListeningAddress.port(port, host: host).description
        } else {
            description = requested.description
        }
    }
}

/// Whether the service is shutting down. It answers requests that were sent before, and is no longer ready for new ones.
final class Draining: Sendable {
    private let flag = Atomic<Bool>(false)

    var hasBegun: Bool { flag.load(ordering: .relaxed) }

    func begin() { flag.store(true, ordering: .relaxed) }
}

/// Delays the shutdown of the services before it in a group.
///
/// Connections and requests that arrived before the shutdown may still wait in the system's queue. Closing the listening socket
/// would reset them.
struct DrainService: Service {
    /// How long connections are still accepted.
    let pause: Duration

    func run() async throws {
        do {
            try await gracefulShutdown()
            try await Task.sleep(for: pause)
        } catch is CancellationError {
            // The group is cancelled, and does not wait.
        }
    }
}
