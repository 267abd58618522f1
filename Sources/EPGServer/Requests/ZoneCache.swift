import EPGCalendar
import Synchronization

/// The zones that were asked for last, so that their files aren't read for each request.
///
/// A zone's file doesn't change while the service runs, or does so with the system: the cache changes no answer.
final class ZoneCache: Sendable {
    /// All requests of the process share one.
    static let shared = ZoneCache(capacity: 64)

    private let capacity: Int
    private let zones = Mutex<[String: Zone]>([:])

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The zone of an IANA name; `nil` where there is none, or its file can't be read.
    func zone(named name: String) -> Zone? {
        if let zone = zones.withLock({ $0[name] }) { return zone }
        guard
            case .success(let zone?) = Result(catching: { () throws(ZoneError) in
                try ZoneDatabase.system.zoneIfPresent(named: name)
            })
        else { return nil }
        zones.withLock { zones in
            if zones.count >= capacity { zones.removeAll(keepingCapacity: true) }
            zones[name] = zone
        }
        return zone
    }
}
