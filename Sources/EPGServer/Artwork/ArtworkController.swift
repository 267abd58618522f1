import EPGFiles
import EPGHTTP
import EPGModel
import EPGRender
import Hummingbird
import NIOCore
import ServiceLifecycle

/// `/art/stations/{id}/{key}` and `/art/airings/{id}/{key}`: a picture of the guide that this service keeps.
///
/// The URL contains a hash instead of the picture's URL, so clients cannot make the service request a picture that the guide does
/// not name for the station or the airing.
struct ArtworkEndpoint: Endpoint {
    static let path = "/art/{kind}/{id}/{key}"

    private let owner: ArtworkOwner
    private let name: ArtworkName

    init(_ parameters: inout ParameterReader) throws(Problem) {
        guard let owner = ArtworkOwner(kind: parameters.path("kind"), id: parameters.path("id")),
            let key = ArtworkKey(parameters.path("key"))
        else { throw ArtworkEndpoint.missing }
        self.owner = owner
        name =
            switch owner {
            case .station: ArtworkName(key: key, size: .logo)
            case .airing: ArtworkName(key: key, size: .picture)
            }
    }

    /// Returns the parameters in a target such as `/art/airings/17/KEY`; `nil` for any other target.
    static func pathParameters(ofTarget target: String) -> [String: String]? {
        guard target.hasPrefix("/art/"), !target.utf8.contains(where: { "%?#".utf8.contains($0) }) else { return nil }
        let parts = target.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 5, !parts.dropFirst().contains("") else { return nil }
        return ["kind": String(parts[2]), "id": String(parts[3]), "key": String(parts[4])]
    }

    var freshness: Freshness { .lasting }

    /// - Throws: ``PendingArtwork`` while the picture is fetched.
    func document(from guide: GuideView) throws -> Document {
        guard let artwork = guide.artwork else { throw ArtworkEndpoint.missing }
        let file: [UInt8]?
        do throws(SystemFault) {
            file = try artwork.picture(name)
        } catch {
            throw ArtworkEndpoint.unreadable
        }
        let isOutdated = artwork.isOutdated(name)
        // The picture has arrived since.
        guard file != nil || isOutdated else { throw PendingArtwork(name: name) }
        if isOutdated, !artwork.hasFailed(name.key) {
            let url = try owner.pictures(in: guide.guide).first { ArtworkKey(of: $0) == name.key }
            guard file != nil || url != nil else { throw ArtworkEndpoint.missing }
            switch url.map({ artwork.request($0, as: name) }) {
            case .pending where file == nil: throw PendingArtwork(name: name)
            case .refused where file == nil: throw ArtworkEndpoint.pending
            default: break
            }
        }
        guard let file else { throw ArtworkEndpoint.unavailable }
        return Document(webP: file)
    }

    /// Returns the same document if the kernel has the file of the picture in memory; `nil` if reading it could block.
    func document(inMemoryOf artwork: Artwork) -> Document? { artwork.pictureInMemory(name).map(Document.init(webP:)) }

    private static let missing = Problem.notFound("The guide names no such picture.")

    /// The service has tried to fetch the picture, and will not try again for a while. Pages would ask for it at each redrawing.
    private static let unavailable = {
        var problem = Problem.notFound("The picture is unavailable, or its type is unsupported.")
        problem.maximumAge = 300
        return problem
    }()

    fileprivate static let pending = Problem(
        .serviceUnavailable, "The service is fetching the picture. Try again.", retryAfter: 2)

    private static let unreadable = Problem(
        .serviceUnavailable, "The service cannot read the picture. Try again later.", retryAfter: 10)
}

extension Document {
    fileprivate init(webP bytes: [UInt8]) {
        self.init(MediaType("image/webp", isText: false), ByteBuffer(bytes: bytes))
    }
}

/// A picture is being fetched.
private struct PendingArtwork: Error {
    let name: ArtworkName
}

/// The pictures of the guide.
struct ArtworkController: Sendable {
    let service: GuideService

    /// The time that a request waits for a picture. A browser has few connections for its other requests.
    private static let longestWait = Duration.milliseconds(500)

    func addRoutes(to router: AccessRouter) {
        let router = router[.reading]
        router.onRead(RouterPath(ArtworkEndpoint.path)) { request, context in
            do {
                return try await service.respond(to: request, context, with: ArtworkEndpoint.self)
            } catch let pending as PendingArtwork {
                await service.artwork?.awaitFetch(of: pending.name, within: ArtworkController.longestWait)
            }
            do {
                return try await service.respond(to: request, context, with: ArtworkEndpoint.self)
            } catch is PendingArtwork {
                throw ArtworkEndpoint.pending
            }
        }
    }
}

/// A service that fetches the logos of stations after each change of the guide, so that the first view has them.
struct LogoPrefetch: Service {
    let service: GuideService
    let artwork: Artwork

    private static let interval = Duration.seconds(10)
    private static let concurrentFetches = 4
    private static let stationsPerRead = 500
    /// The maximum time to wait for a fetch, longer than any single fetch.
    private static let longestWait = Duration.seconds(60)

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                var complete: GuideVersion?
                while true {
                    let version = service.watch.version
                    if version != complete, try await fetchMissing() { complete = version }
                    try await Task.sleep(for: LogoPrefetch.interval)
                }
            }
        } catch is CancellationError {
            // The service is shutting down.
        }
    }

    /// Fetches the logos that are missing.
    ///
    /// - Returns: `false` if the guide could not be read, pictures cannot be stored, or too many others wait.
    private func fetchMissing() async throws -> Bool {
        var first = 0
        while !artwork.isUnableToStore {
            let rows = first..<(first + LogoPrefetch.stationsPerRead)
            guard
                let stations = try? await service.executor[.reads].run(
                    for: nil,
                    { [guide = service.guide] _ in
                        try guide.read(within: .seconds(5)) { try $0.stations(inRows: rows) }
                    })
            else { return false }
            guard !stations.isEmpty else { return true }
            let isComplete = try await withThrowingTaskGroup(of: Bool.self) { group in
                for (index, logo) in missingLogos(of: stations).enumerated() {
                    if index >= LogoPrefetch.concurrentFetches, try await group.next() == false { return false }
                    try Task.checkCancellation()
                    // Leave room for other pictures.
                    guard artwork.store.logoBytes < artwork.store.capacity / 10 * 8 else { break }
                    group.addTask { [artwork] in
                        guard artwork.request(logo.url, as: logo.name) != .refused else { return false }
                        await artwork.awaitFetch(of: logo.name, within: LogoPrefetch.longestWait)
                        return true
                    }
                }
                return try await group.allSatisfy { $0 }
            }
            guard isComplete else { return false }
            try Task.checkCancellation()
            first = rows.upperBound
        }
        return false
    }

    private func missingLogos(of stations: [StationRow]) -> [(url: HTTPURL, name: ArtworkName)] {
        var names: Set<ArtworkName> = []
        return stations.compactMap { row in
            guard let url = row.station.icons.lazy.compactMap({ HTTPURL($0.source) }).first,
                service.site.artwork.url(of: url.text, for: .station(row.station.id))?.hasPrefix("/art/") ?? false
            else { return nil }
            let name = ArtworkName(key: ArtworkKey(of: url), size: .logo)
            guard artwork.isOutdated(name), !artwork.hasFailed(name.key), names.insert(name).inserted else {
                return nil
            }
            return (url, name)
        }
    }
}
