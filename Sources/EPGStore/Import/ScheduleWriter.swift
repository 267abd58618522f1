import EPGModel
import GRDB

/// Writes the schedules of an import, station by station, and only where they differ from what stands.
final class ScheduleWriter {
    private let database: Database
    private let source: Int64
    private let insert: BulkInsert
    private let update: InsertStatement
    private let delete: InsertStatement
    /// Extends the range for which the source covers a station.
    private let cover: InsertStatement
    private let hasher: ContentHasher
    private(set) var nextAiring: Int64
    // What is written, each airing in one of these.
    private(set) var inserted = 0
    private(set) var changed = 0
    private(set) var moved = 0
    private(set) var removed = 0
    private(set) var unchanged = 0
    /// Counts of the new and the stored airings from now on; `nil` without a safeguard.
    private(set) var comparison: ListingsComparison?
    /// Programmes that lost an airing: they may be left without any.
    private(set) var released: Set<Int64> = []
    /// Stations of which the coverage changed.
    private(set) var touched: [Int64] = []
    /// What is written of each station, for the log of changes.
    private(set) var changes = ChangeCollector()
    private var offers: [Int64: Offer] = [:]

    init(_ database: Database, source: Int64, state: GuideState, comparison: ListingsComparison?) throws {
        self.database = database
        self.source = source
        nextAiring = state.nextAiring
        hasher = ContentHasher(key: state.contentKey)
        self.comparison = comparison
        insert = try BulkInsert(
            database,
            into: """
                airing (source_id, station_id, start, part, parts, stop, id, programme_id, transmission_id, inferred,
                    published_start, published_stop)
                """, row: "(\(source), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        update = try InsertStatement(
            database,
            """
            UPDATE airing SET parts = ?4, stop = ?5, programme_id = ?7, transmission_id = ?8, inferred = ?9,
                published_start = ?10, published_stop = ?11
            WHERE source_id = \(source) AND station_id = ?1 AND start = ?2 AND part = ?3 AND id = ?6
            """)
        delete = try InsertStatement(
            database,
            "DELETE FROM airing WHERE source_id = \(source) AND station_id = ? AND start = ? AND part = ?")
        cover = try InsertStatement(
            database,
            """
            INSERT INTO coverage (source_id, station_id, start, stop, listings) VALUES (\(source), ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET start = min(start, excluded.start), stop = max(stop, excluded.stop),
                listings = excluded.listings
            """)
    }

    /// Writes listings that may be complete, where that can be taken back: where the source has said nothing of the
    /// station yet, or says nothing new. Others are kept until they are settled.
    func offer(_ listings: NormalisedListings, station: Int64) throws {
        guard var plan = try plan(listings, station: station) else { return }
        guard plan.isFirst || plan.difference.isEmpty else {
            offers[station] = .kept(listings)
            return
        }
        try apply(&plan, to: station)
        // Either all airings were inserted, or all were stored already.
        offers[station] = .written(inserted: plan.difference.inserted.count, unchanged: plan.difference.unchanged)
    }

    /// Notes that programmes may be left without any airing.
    func release(_ programmes: [Int64]) { released.formUnion(programmes) }

    /// What was offered of a station was complete.
    func settle(station: Int64) throws {
        if case .kept(let listings) = offers.removeValue(forKey: station) {
            try replace(station: station, with: listings)
        }
    }

    /// Makes what stands of a station within the coverage of new listings equal to them.
    ///
    /// What stands before and after the coverage stays. An airing before it that reaches into it is cut; so is the last
    /// new one where it reaches into what stands after (its stop was inferred, or is absurd). Both keep what was
    /// published, which is the only record of these cuts.
    func replace(station: Int64, with listings: NormalisedListings) throws {
        comparison?.forget(station)
        if case .written(let insertedCount, let unchangedCount)? = offers.removeValue(forKey: station) {
            inserted -= insertedCount
            unchanged -= unchangedCount
            for table in insertedCount > 0 ? ["airing", "coverage"] : [] {
                try database.execute(
                    sql: "DELETE FROM \(table) WHERE source_id = ? AND station_id = ?", arguments: [source, station])
            }
            if insertedCount > 0 { changes.forget(station) }
        }
        guard var plan = try plan(listings, station: station) else { return }
        try apply(&plan, to: station)
    }

    private enum Offer {
        case kept(NormalisedListings)
        case written(inserted: Int, unchanged: Int)
    }

    /// The changes to write, and the range that the source covers after them.
    private struct Plan {
        var difference: ScheduleDifference
        let start: Int64
        let stop: Int64
        /// Whether the source has no airing of the station yet.
        var isFirst = false
        let hash: ContentHash
        /// Whether the source covers the range already.
        let isCovered: Bool
        /// Whether these are the listings of the source's last import.
        let isKnown: Bool
    }

    private func plan(_ listings: NormalisedListings, station: Int64) throws -> Plan? {
        guard let first = listings.airings.first, let last = listings.airings.last, let coverage = listings.coverage
        else { return nil }
        let start = min(coverage.start, first.window.start).secondsSince1970
        let stop = coverage.end.secondsSince1970
        let end = max(stop, last.window.start.secondsSince1970 + 1)
        var new = listings.airings.map { StoredAiring($0) }
        let hash = hash(of: new, start, stop)
        let covered = try database.values(Self.coverageSQL, [station, source]) { columns in
            (start: columns.integer(0), stop: columns.integer(1), hash: ContentHash(blob: columns.blob(2)))
        }.first
        var plan = Plan(
            difference: ScheduleDifference(unchanged: new.count), start: start, stop: max(stop, start + 1), hash: hash,
            isCovered: covered.map { $0.start <= start && $0.stop >= stop } ?? false, isKnown: covered?.hash == hash)
        // The airings made of equal listings are still stored.
        if plan.isKnown {
            comparison?.note(new, inPlaceOf: new, of: station, from: start, to: stop)
            return plan
        }
        // Every airing is of a station that its source covers.
        guard covered != nil else {
            comparison?.note(new, inPlaceOf: [], of: station, from: start, to: stop)
            plan.difference = ScheduleDifference(from: [], to: new)
            plan.isFirst = true
            return plan
        }
        // The first one after the coverage, where the last new airing reaches that far.
        let successor = try database.values(
            """
            SELECT start FROM airing WHERE source_id = ? AND station_id = ? AND start >= ? AND start < ?
            ORDER BY start LIMIT 1
            """, [source, station, end, last.window.end.secondsSince1970]
        ) { $0.integer(0) }.first
        if let successor {
            for index in new.indices.reversed() {
                guard new[index].stop > successor else { break }
                new[index].cut(at: successor)
            }
        }
        let (old, predecessors) = try stored(station, from: start, to: end)
        comparison?.note(new, inPlaceOf: old, of: station, from: start, to: stop)
        plan.difference = ScheduleDifference(from: old, to: new)
        for predecessor in predecessors {
            var cut = predecessor
            cut.cut(at: start)
            plan.difference.changed.append((predecessor, cut))
        }
        let anySQL = "SELECT 1 FROM airing WHERE source_id = ? AND station_id = ? LIMIT 1"
        plan.isFirst =
            try old.isEmpty && predecessors.isEmpty && database.values(anySQL, [source, station]) { _ in true }.isEmpty
        return plan
    }

    private static let coverageSQL = "SELECT start, stop, listings FROM coverage WHERE station_id = ? AND source_id = ?"

    /// A hash of the airings that listings become. Measured: when the same guide is imported again, it takes a tenth of the time
    /// of a comparison with each stored airing, which is a quarter of that import.
    private func hash(of airings: [StoredAiring], _ start: Int64, _ stop: Int64) -> ContentHash {
        var numbers = [start, stop]
        numbers.reserveCapacity(2 + airings.count * 9)
        for airing in airings {
            // One by one, for an array of them would be allocated for each airing.
            numbers.append(airing.start)
            numbers.append(airing.part)
            numbers.append(airing.parts)
            numbers.append(airing.stop)
            numbers.append(airing.programme)
            numbers.append(airing.inferred)
            numbers.append(airing.transmission ?? -1)
            numbers.append(airing.publishedStart ?? .min)
            numbers.append(airing.publishedStop ?? .min)
        }
        return numbers.withUnsafeBytes { hasher.hash($0.bindMemory(to: UInt8.self).span) }
    }

    /// The airings that start in a range, and those that start before it and reach into it: more than one where they
    /// are a clump.
    private func stored(
        _ station: Int64, from start: Int64, to end: Int64
    ) throws -> (covered: [StoredAiring], predecessors: [StoredAiring]) {
        var airings: [StoredAiring] = []
        try database.rows(
            """
            SELECT \(StoredAiring.columns) FROM airing
            WHERE source_id = ? AND station_id = ? AND start < ? ORDER BY start DESC, part DESC
            """, [source, station, end]
        ) { columns in
            let airing = StoredAiring(columns)
            guard airing.stop > start else { return false }
            airings.append(airing)
            return true
        }
        let count = airings.firstIndex { $0.start < start } ?? airings.count
        return (airings[..<count].reversed(), Array(airings[count...]))
    }

    private func apply(_ plan: inout Plan, to station: Int64) throws {
        let shifted = plan.difference.shifted
        for airing in plan.difference.removed + shifted.map(\.old) {
            try delete.run { binder in
                binder.integer(1, station)
                binder.integer(2, airing.start)
                binder.integer(3, airing.part)
            }
            released.insert(airing.programme)
        }
        for change in plan.difference.changed {
            try update.run { bind(change.new, to: $0, station) }
            if change.old.programme != change.new.programme { released.insert(change.old.programme) }
        }
        for index in plan.difference.inserted.indices {
            plan.difference.inserted[index].id = nextAiring
            nextAiring += 1
        }
        try insert.run(plan.difference.inserted) { bind($1, to: $0, station) }
        try insert.run(shifted.map(\.new)) { bind($1, to: $0, station) }
        let rearranged = shifted.count { $0.old.start == $0.new.start }
        removed += plan.difference.removed.count
        changed += plan.difference.changed.count + rearranged
        moved += shifted.count - rearranged
        inserted += plan.difference.inserted.count
        unchanged += plan.difference.unchanged
        // Either nobody has any, or others have and they share the station.
        if plan.isFirst { changes.setWhole(station) } else { changes.add(plan.difference, of: station) }
        guard !plan.isKnown else { return }
        try cover.run { binder in
            binder.integer(1, station)
            binder.integer(2, plan.start)
            binder.integer(3, plan.stop)
            binder.blob(4, plan.hash.blob)
        }
        if !plan.isCovered { touched.append(station) }
    }

    private func bind(_ airing: StoredAiring, to binder: Binder, _ station: Int64) {
        binder.integer(1, station)
        binder.integer(2, airing.start)
        binder.integer(3, airing.part)
        binder.integer(4, airing.parts)
        binder.integer(5, airing.stop)
        binder.integer(6, airing.id)
        binder.integer(7, airing.programme)
        binder.integer(8, airing.transmission)
        binder.integer(9, airing.inferred)
        binder.integer(10, airing.publishedStart)
        binder.integer(11, airing.publishedStop)
    }
}

/// What has to be written so that the stored airings of a station become the new ones.
struct ScheduleDifference {
    typealias Change = (old: StoredAiring, new: StoredAiring)

    var removed: [StoredAiring] = []
    /// Changed content at the same start: the identifier is kept.
    var changed: [Change] = []
    /// To another start, or to another part of a clump: the identifier is kept.
    private(set) var shifted: [Change] = []
    /// New airings, still without identifiers.
    var inserted: [StoredAiring] = []
    private(set) var unchanged = 0

    /// No changes: all airings are stored already.
    init(unchanged: Int) { self.unchanged = unchanged }

    var isEmpty: Bool { removed.isEmpty && changed.isEmpty && shifted.isEmpty && inserted.isEmpty }

    /// Compares two runs of airings, both sorted by start and part.
    ///
    /// An airing whose start and part stand keeps its identifier. One that is gone and one that is new with the same
    /// programme are a shift, where there is just one of each.
    /// - Complexity: O(n).
    init(from old: [StoredAiring], to new: [StoredAiring]) {
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if right == new.count || (left < old.count && old[left].key < new[right].key) {
                removed.append(old[left])
                left += 1
            } else if left == old.count || new[right].key < old[left].key {
                inserted.append(new[right])
                right += 1
            } else {
                var airing = new[right]
                airing.id = old[left].id
                if airing == old[left] { unchanged += 1 } else { changed.append((old[left], airing)) }
                left += 1
                right += 1
            }
        }
        if !removed.isEmpty, !inserted.isEmpty { pairShifted() }
    }

    private mutating func pairShifted() {
        // By the programme; `nil` where there are several.
        let gone = Dictionary(removed.map { ($0.programme, Optional($0)) }) { _, _ in nil }
        let come = Dictionary(inserted.map { ($0.programme, Optional($0)) }) { _, _ in nil }
        for old in removed where gone[old.programme] == .some(old) {
            guard case var new?? = come[old.programme] else { continue }
            new.id = old.id
            shifted.append((old, new))
        }
        let programmes = Set(shifted.map(\.old.programme))
        removed.removeAll { programmes.contains($0.programme) }
        inserted.removeAll { programmes.contains($0.programme) }
    }
}

/// An airing as it stands in the table: what is compared when a source is imported again.
struct StoredAiring: Hashable {
    var id: Int64
    var start: Int64
    var part: Int64
    var parts: Int64
    var stop: Int64
    var programme: Int64
    var transmission: Int64?
    var inferred: Int64
    var publishedStart: Int64?
    var publishedStop: Int64?

    /// Where it stands among those of its station.
    var key: (Int64, Int64) { (start, part) }

    /// The columns in the order of ``init(_:)``.
    static let columns = """
        id, start, part, parts, stop, programme_id, transmission_id, inferred, published_start, published_stop
        """

    init(_ columns: Columns) {
        id = columns.integer(0)
        start = columns.integer(1)
        part = columns.integer(2)
        parts = columns.integer(3)
        stop = columns.integer(4)
        programme = columns.integer(5)
        transmission = columns.integerIfPresent(6)
        inferred = columns.integer(7)
        publishedStart = columns.integerIfPresent(8)
        publishedStop = columns.integerIfPresent(9)
    }

    /// The row of a listing that has its place, still without an identifier.
    init(_ listing: ScheduledListing) {
        id = 0
        start = listing.window.start.secondsSince1970
        part = Int64(listing.clump?.index ?? 0)
        parts = Int64(listing.clump?.count ?? 1)
        stop = listing.window.end.secondsSince1970
        programme = listing.programme
        transmission = listing.transmission == 0 ? nil : Int64(listing.transmission)
        inferred = listing.isStopInferred ? 1 : 0
        publishedStart = listing.published?.start.secondsSince1970
        publishedStop = listing.published?.stop?.secondsSince1970
    }

    /// Cuts the stop, and keeps what was published.
    mutating func cut(at instant: Int64) {
        if publishedStart == nil { (publishedStart, publishedStop) = (start, stop) }
        stop = instant
    }
}
