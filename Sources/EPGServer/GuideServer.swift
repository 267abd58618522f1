import EPGFiles
package import EPGHTTP
package import EPGModel
import EPGOutput
import EPGRender
import Glibc
import HTTPTypes
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// The service: a guide behind HTTP.
package struct GuideServer: Service {
    /// All endpoints.
    static let endpoints: [any Endpoint.Type] =
        GridController.endpoints + StationController.endpoints + AiringController.endpoints + GuideController.endpoints
        + FeedController.endpoints + WatchController.endpoints + PageController.endpoints

    /// The methods of each path, without those that are rejected.
    let routes: [String: Set<HTTPRequest.Method>]
    private let application: Application<RouterResponder<ServiceRequestContext>>
    /// Set when the service shuts down. It responds to requests that were sent before, and is no longer ready for new ones.
    private let draining = Flag()
    private let drain: DrainService
    private let logger: Logger
    private let address: ListeningAddress
    /// Set when the service listens.
    private let isRunning = Flag()
    private let executor: WorkExecutor
    /// The threads that fetch pictures; `nil` if the service keeps none.
    private let artworkThreads: NIOThreadPool?

    /// The maximum number of concurrent reads of the guide, so that none waits for a connection to the store: the reads of the
    /// classes of work, and one read of the ``GuideVersionMonitor``.
    package static let concurrentReadings =
        [WorkClass.reads, .searches, .feeds, .imports, .administrationReads, .operations].reduce(1) {
            $0 + $1.limits.running
        }

    /// The number of connections above all limits that are accepted and closed immediately. Further ones wait in the system's
    /// queue, so that a burst cannot exhaust file descriptors.
    private static let maximumDropCount = 16

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - importer: Imports guides that clients send; `nil` to reject them.
    ///   - administration: Makes the log-in and the pages of administrators; `nil` for a service without them.
    ///   - now: Returns the current time.
    ///   - onRunning: Called with the address when the service listens.
    /// - Throws: An error of the store.
    package init(
        _ guide: any GuideStorage, importer: (any GuideImporting)? = nil,
        administration: ((ServiceParts) -> any RouteController)? = nil, settings: ServerSettings, logger: Logger,
        now: @escaping @Sendable () -> Instant,
        onRunning: @escaping @Sendable (ListeningAddress) async -> Void = { _ in }
    ) throws {
        var site = settings.site
        site.began = now()
        let artwork = settings.artwork.map { [draining] in Artwork($0, isStopping: draining, logger: logger, now: now) }
        if artwork != nil { site.artwork = .kept(publicURL: site.publicURL) }
        let access = AccessControl(
            settings.access, publicURL: site.publicURL, tokenUse: GuideServer.useOfToken(atPath:), logger: logger,
            now: now)
        site.acceptsRules = settings.access != nil
        let limits = settings.limits
        drain = DrainService(pause: limits.drainPause)
        self.logger = GuideServer.quieter(logger)
        address = settings.address

        var feedLimits = WorkClass.feeds.limits
        (feedLimits.places, feedLimits.placesPerClient) = (
            settings.feeds.maximumQueue, settings.feeds.maximumQueuePerAddress
        )
        executor = WorkExecutor([.feeds: feedLimits])
        let watch = try GuideVersionMonitor(
            guide, zone: settings.zone ?? { [zone = site.zone] in zone }, settingsChanged: settings.settingsChanged,
            logger: logger)
        let service = GuideService(
            guide, watch: watch, site: site, cacheCapacity: settings.cacheCapacity,
            scheduleCapacity: settings.scheduleCapacity, deadline: settings.queryDeadline, executor: executor,
            artwork: artwork, nextRefresh: settings.nextRefresh, now: now)
        let feeds = FeedLibrary(
            guide, settings: settings.feeds, admission: executor[.feeds], logger: logger)
        let clients = ClientTable(
            limits: limits,
            proxies: Set(settings.trustedProxies.compactMap { ClientAddress(parsing: $0[...]) }))
        let metrics = RequestMetrics()
        let recorder = RequestRecorder(metrics: metrics, logger: logger, level: settings.requestLogLevel)
        let imports = ImportController(
            importer, service: service, settings: settings.importing, stopping: draining, logger: logger)
        let profiles = ProfileController(service: service, access: access, logger: logger)
        let operations = OperationsController(
            report: MetricsReport(
                service: service, feeds: feeds, requests: metrics, clients: clients, database: settings.database),
            draining: draining, logger: logger)
        let admin = administration?(
            ServiceParts(guide: service, access: access, importer: importer, stopping: draining, logger: logger))
        // Pages of other sites must not read administration.
        let crossOrigin = CrossOriginMiddleware(
            origins: settings.crossOrigins, exposing: .guideGeneration, except: { admin?.owns($0) ?? false })
        let conditional = ConditionalMiddleware(naming: .guideGeneration)
        let rules = WatchController(service: service, logger: logger)
        artworkThreads = artwork?.threads

        let router = Router(context: ServiceRequestContext.self)
        router.add(middleware: RecordingMiddleware(recorder: recorder))
        router.add(middleware: crossOrigin)
        router.add(middleware: SecurityHeadersMiddleware())
        router.add(middleware: ErrorMiddleware(site: site))
        router.add(middleware: conditional)
        let groups = AccessRouter(router: router, control: access, logger: logger)
        for endpoint in GuideServer.endpoints { groups[endpoint.group].add(endpoint, from: service) }
        FeedController(service: service, library: feeds).addRoutes(to: groups)
        EventController(service: service, settings: settings.live).addRoutes(to: groups)
        imports.addRoutes(to: groups)
        ArtworkController(service: service).addRoutes(to: groups)
        rules.addRoutes(to: groups)
        profiles.addRoutes(to: groups)
        operations.addRoutes(to: groups)
        admin?.addRoutes(to: groups)
        routes = GuideServer.completeRoutes(of: router)

        var services: [any Service] = [watch]
        if let artwork { services.append(LogoPrefetch(service: service, artwork: artwork)) }
        let prepared = PreparedResponseHandler.Services(
            guide: service, conditional: conditional, crossOrigin: crossOrigin, recorder: recorder)
        // With a log-in, no response may be sent in front of the router.
        let makePrepared =
            settings.access?.requiresLogin == true ? nil : PreparedResponseHandler.factory(prepared)
        application = Application(
            responder: router.buildResponder(),
            server: HTTPServerBuilder { [draining, makePrepared] responder in
                GuardedChannel(
                    limits: limits, clients: clients, draining: draining,
                    preparedHandler: makePrepared, responder: responder)
            },
            configuration: ApplicationConfiguration(
                address: settings.address.bindAddress, serverName: nil, backlog: 1024,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    limits.connections + ClientTable.maximumRefusals + GuideServer.maximumDropCount)),
            services: services,
            onServerRunning: { [address, isRunning] channel in
                isRunning.set()
                await onRunning(address.bound(to: channel.localAddress))
            },
            logger: self.logger)
    }

    /// Returns what a token in a URL is. Feeds and playlists accept one, and so do the logos that they name.
    static func useOfToken(atPath path: String) -> TokenUse {
        switch path {
        case PlaylistEndpoint.path: .credentialAndParameter
        case "/xmltv.xml", "/xmltv.xml.gz", "/guide.json": .repeatedCredential
        case _ where path.hasPrefix(Logos.path): .credential
        case _ where ["/stations/", "/airings/", "/watch/"].contains(where: path.hasPrefix):
            [".ics", ".atom", ".m3u"].contains(where: path.hasSuffix) ? .credential : .parameter
        default: .parameter
        }
    }

    /// Adds OPTIONS to each path, and rejects all other known methods.
    ///
    /// - Returns: The methods of each path.
    private static func completeRoutes(
        of router: Router<ServiceRequestContext>
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

    /// Serves until graceful shutdown, and then until current requests have their responses.
    ///
    /// - Throws: ``ListeningFailure`` if the service cannot listen.
    package func run() async throws {
        var file: SocketFile?
        if case .socket(let path) = address { file = SocketFile(path: path) }
        try await file?.removeStale()
        executor.start()
        artworkThreads?.start()
        let outcome: Result<Void, any Error>
        do {
            // A group shuts down its services one after another in reverse order.
            let group = ServiceGroup(services: [application, drain], logger: logger)
            try await withGracefulShutdownHandler {
                try await group.run()
            } onGracefulShutdown: { [draining] in
                draining.set()
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        // An error also ends the service.
        draining.set()
        try await executor.shutDown()
        try await artworkThreads?.shutdownGracefully()
        do {
            try outcome.get()
        } catch  where !isRunning.isSet {
            throw ListeningFailure(place: address.description, reason: GuideServer.reason(error))
        }
        try await file?.removeStale()
    }

    private static func reason(_ error: any Error) -> String {
        if error is SocketAddressError.UnknownHost { return "unknown host" }
        guard let number = (error as? IOError)?.errnoCode else { return "\(error)" }
        return number == EADDRINUSE ? "the address is in use by another process" : "\(SystemFault(number: number))"
    }

    /// Hummingbird's info messages concern its internal state.
    private static func quieter(_ logger: Logger) -> Logger {
        var logger = logger
        if logger.logLevel == .info { logger.logLevel = .notice }
        return logger
    }
}

/// What controllers of other modules need of the service.
package struct ServiceParts: Sendable {
    /// The guide, and the threads that read and change it.
    package let guide: GuideService
    /// The sessions and tokens.
    package let access: AccessControl
    /// Imports guides; `nil` for a service that cannot.
    package let importer: (any GuideImporting)?
    /// Set when the service shuts down.
    package let stopping: Flag
    /// The log of the service.
    package let logger: Logger
}

/// The routes that another module adds to the service.
package protocol RouteController: Sendable {
    /// Adds the routes to their groups.
    func addRoutes(to router: AccessRouter)

    /// Returns whether a path, in any form that the router accepts, is one of the routes or below one.
    func owns(_ path: String) -> Bool
}

/// A service that delays the shutdown of the preceding services in a group.
///
/// Connections and requests that arrived before the shutdown may still wait in the system's queue. Closing the listening socket
/// would reset them.
private struct DrainService: Service {
    /// The time during which connections are still accepted.
    let pause: Duration

    func run() async throws {
        do {
            try await gracefulShutdown()
            try await Task.sleep(for: pause)
        } catch is CancellationError {
            // The group was canceled and does not wait.
        }
    }
}
