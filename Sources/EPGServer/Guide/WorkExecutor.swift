package import EPGHTTP
import NIOPosix

/// The classes of blocking work. Each has threads of its own, so that slow work of one class never delays another class.
///
/// Pictures have threads in ``Artwork``, which limits hosts rather than clients.
package enum WorkClass: CaseIterable, Sendable {
    /// Grids, pages and other short reads. One client may use three of four threads, which leaves one to others.
    case reads
    /// Full-text searches, the only reads that can take seconds. One runs per client; its other places are for households behind
    /// one address, and for pages that search while the user types.
    case searches
    /// Feeds that are written to a file.
    case feeds
    /// Guides and playlists that clients send. Requests do not wait for another import, previews that administrators accept do.
    case imports
    /// Watch rules and profiles. Such changes are short, but wait for imports. Profiles, which everybody may change, cannot use up the
    /// places of watch rules.
    case changes
    /// Changes of administrators to the guide and the settings, one after the other.
    case administration
    /// Reads of administrators, which do not wait for changes.
    case administrationReads
    /// Hashes of passwords, of 32 MiB each. Strangers cannot use up the places of known clients.
    case hashing
    /// Reads of guides that administrators look at, all at the same time, because a slow server must not delay the others.
    case previews
    /// `/readyz` and `/metrics`, so that the state of the service is available while all other threads are busy.
    case operations

    /// The limits of the class.
    package var limits: RequestAdmission.Limits {
        switch self {
        case .reads: .init(running: 4, runningPerClient: 3, places: 512, placesPerClient: 128, retryAfter: 1)
        case .searches: .init(running: 2, runningPerClient: 1, places: 16, placesPerClient: 4, retryAfter: 5)
        case .feeds: .init(running: 1, runningPerClient: 1, places: 8, placesPerClient: 2, retryAfter: 15)
        case .imports:
            .init(
                running: 1, runningPerClient: 1, places: 1, placesPerClient: 8, placesOfKnownClients: 8, retryAfter: 10)
        case .changes:
            .init(
                running: 1, runningPerClient: 1, places: 16, placesPerClient: 4, placesOfKnownClients: 16, retryAfter: 5
            )
        case .administration: .init(running: 1, runningPerClient: 1, places: 64, placesPerClient: 32, retryAfter: 2)
        case .administrationReads:
            .init(running: 2, runningPerClient: 2, places: 64, placesPerClient: 32, retryAfter: 2)
        case .hashing:
            .init(
                running: 2, runningPerClient: 1, places: 16, placesPerClient: 4, placesOfKnownClients: 16, retryAfter: 2
            )
        case .previews: .init(running: 4, runningPerClient: 4, places: 8, placesPerClient: 8, retryAfter: 5)
        case .operations: .init(running: 1, runningPerClient: 1, places: 512, placesPerClient: 128, retryAfter: 1)
        }
    }

    /// The nice value of the threads (nice(2)).
    fileprivate var niceness: Int32 { self == .searches ? 10 : 0 }
}

/// The threads for work that blocks.
package final class WorkExecutor: Sendable {
    private let admissions: [WorkClass: RequestAdmission]

    /// - Parameter limits: Limits that replace ``WorkClass/limits``.
    init(_ limits: [WorkClass: RequestAdmission.Limits] = [:]) {
        admissions = Dictionary(
            uniqueKeysWithValues: WorkClass.allCases.map { work in
                (work, RequestAdmission(limits[work] ?? work.limits, niceness: work.niceness))
            })
    }

    /// The queue of a class.
    package subscript(work: WorkClass) -> RequestAdmission {
        guard let admission = admissions[work] else { preconditionFailure("every class has a queue") }
        return admission
    }

    func start() { for admission in admissions.values { admission.threads.start() } }

    /// Waits for the running work, and drops what waits.
    func shutDown() async throws {
        for admission in admissions.values { try await admission.threads.shutdownGracefully() }
    }
}
