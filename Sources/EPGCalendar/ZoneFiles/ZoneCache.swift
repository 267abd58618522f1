import Synchronization

/// The zones that were asked for by name, so that each zone's file is read once.
package final class ZoneCache: Sendable {
    /// The cache of the process.
    package static let shared = ZoneCache(capacity: 64)

    private let capacity: Int
    /// `nil` for names without a zone.
    private let zones = Mutex<[String: Zone?]>([:])

    /// - Parameter capacity: The maximum number of names. Above it, all of them are forgotten.
    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// The zone with an IANA name; `nil` if there is none, or its file can't be read.
    package func zone(named name: String) -> Zone? {
        if let known = zones.withLock({ $0[name] }) { return known }
        let zone: Zone?
        do throws(ZoneError) {
            zone = try ZoneDatabase.system.zoneIfPresent(named: name)
        } catch {
            zone = nil
        }
        zones.withLock { zones in
            if zones.count >= capacity { zones.removeAll(keepingCapacity: true) }
            zones[name] = .some(zone)
        }
        return zone
    }
}
