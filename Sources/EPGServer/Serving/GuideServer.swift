package import EPGModel
import Glibc
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

/// The service: a guide behind HTTP.
package struct GuideServer: Service {
    private let application: Application<GuideResponder>
    private let draining: Draining
    /// How long connections are still taken when the service ends.
    private let drainPause: Duration
    private let logger: Logger
    private let address: ListeningAddress
    private let isRunning: RunningFlag
    /// Threads for questions, for searches, for feeds and for ``OperationsResponder``; all else that blocks has the threads that NIO has.
    private let threads: [NIOThreadPool]

    /// How many readings of the guide may be on at once, so that none waits for a connection: questions, searches, one each of
    /// the feeds, of the ``GuideWatch`` and of the ``OperationsResponder``, and the look after an import.
    package static let concurrentReadings =
        RequestAdmission.Limits.questions.running + RequestAdmission.Limits.searches.running + 4

    /// How much the threads of searches yield to all others.
    private static let searchNiceness: Int32 = 10

    /// Connections above all limits that are accepted to be closed at once. Those above wait in the system's queue, so that
    /// a burst can't take more descriptors than there are.
    private static let greatestDropCount = 16

    /// - Parameter importer: Takes guides in that clients send; `nil` where none does.
    /// - Parameter onRunning: Called when the service listens, with the address that it got.
    /// - Throws: An error of the store.
    package init(
        _ guide: any GuideStorage, importer: (any GuideImporting)? = nil, settings: ServerSettings, logger: Logger,
        now: @escaping @Sendable () -> Instant, onRunning: @escaping @Sendable (ServerAddress) async -> Void = { _ in }
    ) throws {
        let operationThreads = NIOThreadPool(numberOfThreads: 1)
        let questions = RequestAdmission(.questions)
        let searches = RequestAdmission(.searches, niceness: GuideServer.searchNiceness)
        let feeds = FeedLibrary(guide, settings: settings.feeds, logger: logger)
        threads = [questions.threads, searches.threads, feeds.threads, operationThreads]
        let watch = try GuideWatch(guide, logger: logger)
        var site = settings.site
        site.began = now()
        let service = AnswerService(
            guide, watch: watch, site: site, cacheCapacity: settings.cacheCapacity,
            scheduleCapacity: settings.scheduleCapacity, deadline: settings.queryDeadline, questions: questions,
            searches: searches, nextRefresh: settings.nextRefresh, now: now)
        let peers = PeerTable(
            limits: settings.limits, proxies: Set(settings.trustedProxies.compactMap { PeerAddress(parsing: $0[...]) }))
        let refusals = RefusalCounts()
        let requests = RequestMetrics(
            routes: Route.all.map(\.path) + StreamingRoute.all.map(\.path) + OperationsResponder.paths)
        let draining = Draining()
        self.draining = draining
        drainPause = settings.limits.drainPause
        self.logger = GuideServer.quieter(logger)
        let isRunning = RunningFlag()
        let streaming = StreamingServices(
            answers: service, feeds: feeds,
            listeners: Listeners(settings.live),
            imports: ImportDesk(importer, settings: settings.importing, logger: logger))
        let accessLog = AccessLog(logger: logger, level: settings.requestLogLevel)
        let crossOrigin = CrossOrigin(origins: settings.crossOrigins)
        let quick = QuickAnswers(service, crossOrigin: crossOrigin, requests: requests)
        let responder = GuideResponder(
            routes: Route.all, streaming: StreamingResponder(services: streaming), service: service,
            operations: OperationsResponder(
                service: service, feeds: feeds, reading: guide, requests: requests, refusals: refusals, peers: peers,
                draining: draining, database: settings.database,
                metricsGate: settings.metricsToken.map { TokenGate(BearerToken($0)) }, threads: operationThreads,
                logger: logger),
            requests: requests, crossOrigin: crossOrigin, peers: peers,
            accessLog: accessLog, logger: logger)
        let limits = settings.limits
        address = settings.address
        self.isRunning = isRunning
        application = Application(
            responder: responder,
            server: HTTPServerBuilder { responder in
                GuardedChannel(
                    limits: limits, peers: peers, refusals: refusals, draining: draining,
                    wireHandlers: { accessLog.isOn ? [] : [FastPath(service, quick: quick)] }, responder: responder)
            },
            configuration: ApplicationConfiguration(
                address: settings.address.bindAddress, serverName: nil, backlog: 1024,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    limits.connections + PeerTable.greatestRefusalCount + GuideServer.greatestDropCount)),
            services: [watch],
            onServerRunning: { [address] channel in
                isRunning.set()
                await onRunning(ServerAddress(address, boundTo: channel.localAddress))
            },
            logger: self.logger)
    }

    /// Serves until it is told to end, and then until the requests under way are answered.
    ///
    /// - Throws: ``ListeningFailure`` where it can't listen.
    package func run() async throws {
        var file: SocketFile?
        if case .socket(let path) = address { file = SocketFile(path: path) }
        try file?.removeStale()
        for threads in threads { threads.start() }
        let outcome = await Result { try await serve() }
        for threads in threads { try await threads.shutdownGracefully() }
        do {
            try outcome.get()
        } catch  where !isRunning.value {
            throw ListeningFailure(place: address.description, reason: GuideServer.reason(error))
        }
        try file?.removeStale()
    }

    /// Runs the application; when the service is told to end, only after a moment: who connected and asked before is waiting
    /// in the system's queue, which closing the socket would answer with a reset.
    private func serve() async throws {
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [application], logger: logger))
        // Detached, because a group inside of a service ends with the service's own group.
        let serving = Task.detached { try await group.run() }
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                try await serving.value
            } onGracefulShutdown: { [draining, drainPause] in
                draining.begin()
                Task.detached {
                    // Where the sleep is cut short, the group ends that much sooner.
                    _ = await Result { try await Task.sleep(for: drainPause) }
                    await group.triggerGracefulShutdown()
                }
            }
        } onCancel: {
            serving.cancel()
        }
    }

    private static func reason(_ error: any Error) -> String {
        if error is SocketAddressError.UnknownHost { return "there is no host of that name" }
        guard let number = (error as? IOError)?.errnoCode else { return "\(error)" }
        return number == EADDRINUSE ? "another program listens there" : String(cString: strerror(number))
    }

    /// What Hummingbird tells of its own doings is of interest to those who look for faults.
    private static func quieter(_ logger: Logger) -> Logger {
        var logger = logger
        if logger.logLevel == .info { logger.logLevel = .notice }
        return logger
    }
}

/// Whether the service has come to listen.
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

    init(_ asked: ListeningAddress, boundTo address: SocketAddress?) {
        port = address?.port
        if case .port(_, let host) = asked, let port {
            description = ListeningAddress.port(port, host: host).description
        } else {
            description = asked.description
        }
    }
}

extension Result where Failure == any Error {
    /// What became of a task.
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
