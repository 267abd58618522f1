/// Keeps what an import changes of each station's schedule until its end, in a bounded number of bytes.
struct ChangeCollector {
    /// By the number of the station.
    private(set) var stations: [Int64: LoggedChanges] = [:]
    /// How many more bytes may be kept; further stations count as changed wholly.
    private var room: Int

    /// - Parameter room: How many bytes of single changes are kept for all stations.
    init(room: Int = 16 << 20) {
        self.room = room
    }

    /// The whole schedule of a station may be another.
    mutating func setWhole(_ station: Int64) {
        forget(station)
        stations[station] = .whole
    }

    /// Takes back what was noted of a station.
    mutating func forget(_ station: Int64) {
        if case .airings(let bytes) = stations.removeValue(forKey: station) { room += bytes.count }
    }

    /// Notes what was written of a station; all inserted airings have their identifiers.
    ///
    /// - Complexity: O(changes).
    mutating func add(_ difference: ScheduleDifference, of station: Int64) {
        guard !difference.isEmpty else { return }
        // A schedule is written once in an import; of one that isn't nothing wrong is told so.
        guard stations[station] == nil, let bytes = Self.bytes(of: difference), bytes.count <= room else {
            return setWhole(station)
        }
        room -= bytes.count
        stations[station] = .airings(bytes)
    }

    /// The changes in the order of the log's format; `nil` where there are too many.
    private static func bytes(of difference: ScheduleDifference) -> [UInt8]? {
        // A shift is both removed and inserted.
        let most = 2 * LoggedChanges.limit
        guard difference.removed.count + difference.changed.count + difference.inserted.count <= most
        else { return nil }
        let gone = Dictionary(difference.removed.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var kept: Set<Int64> = []
        var encoder = ChangeEncoder()
        var count = difference.changed.count
        for change in difference.changed { encoder.changed(change.new.id, from: change.old, to: change.new) }
        for airing in difference.inserted {
            if let old = gone[airing.id] {
                kept.insert(airing.id)
                encoder.changed(airing.id, from: old, to: airing)
            } else {
                encoder.inserted(airing)
            }
            count += 1
        }
        for airing in difference.removed where !kept.contains(airing.id) {
            encoder.removed(airing)
            count += 1
        }
        return count <= LoggedChanges.limit ? encoder.bytes : nil
    }
}
