import EPGCalendar
import Synchronization

/// The zones that requests named, so that each zone's file is read once.
final class ZoneCache: Sendable {
    /// The cache of the process.
    static let shared = ZoneCache(capacity: 64)

    private let capacity: Int
    private let zones = Mutex<[String: Zone]>([:])

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The zone with an IANA name; `nil` if there is none, or its file can't be read.
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
