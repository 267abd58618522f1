import EPGModel
import GRDB

/// A writer of the schedules of an import, which writes only differences to the stored schedules.
final class ScheduleWriter {
    private let database: Database
    private let source: Int64
    private let insert: BulkInsert
    private let update: InsertStatement
    private let delete: InsertStatement
    /// Extends the coverage of a station.
    private let extendCoverage: InsertStatement
    private let hasher: ContentHasher
    private(set) var nextAiring: Int64
    // Each airing counts in exactly one of these.
    private(set) var inserted = 0
    private(set) var changed = 0
    private(set) var moved = 0
    private(set) var removed = 0
    private(set) var unchanged = 0
    /// The comparison for the safeguard; `nil` without one.
    private(set) var comparison: ListingsComparison?
    /// Programmes that lost an airing and may be unused.
    private(set) var released: Set<Int64> = []
    /// The stations whose coverage changed.
    private(set) var touched: [Int64] = []
    /// The changes for the change log.
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
        extendCoverage = try InsertStatement(
            database,
            """
            INSERT INTO coverage (source_id, station_id, start, stop, listings) VALUES (\(source), ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET start = min(start, excluded.start), stop = max(stop, excluded.stop),
                listings = excluded.listings
            """)
    }

    /// Writes listings that are probably complete if that can be undone: if the source has no airings of the station yet, or no
    /// changes. Otherwise keeps them until they are settled.
    func offer(_ listings: NormalizedListings, station: Int64) throws {
        guard var plan = try plan(listings, station: station) else { return }
        guard plan.isFirst || plan.difference.isEmpty else {
            offers[station] = .kept(listings)
            return
        }
        try apply(&plan, to: station)
        // Either all airings were inserted, or all were already stored.
        offers[station] = .written(inserted: plan.difference.inserted.count, unchanged: plan.difference.unchanged)
    }

    /// Marks programmes as possibly unused.
    func release(_ programmes: [Int64]) { released.formUnion(programmes) }

    /// Confirms that the offered listings of a station are complete.
    func confirm(station: Int64) throws {
        if case .kept(let listings) = offers.removeValue(forKey: station) {
            try replace(station: station, with: listings)
        }
    }

    /// Replaces the stored airings of a station within the coverage of new listings.
    ///
    /// Airings before and after the coverage stay. An earlier airing that extends into the coverage is trimmed, and so is the
    /// last new one if it extends into later airings (its stop was inferred or is implausible). Both keep the published times,
    /// which are the only record of the trimming.
    func replace(station: Int64, with listings: NormalizedListings) throws {
        comparison?.remove(station)
        if case .written(let insertedCount, let unchangedCount)? = offers.removeValue(forKey: station) {
            inserted -= insertedCount
            unchanged -= unchangedCount
            for table in insertedCount > 0 ? ["airing", "coverage"] : [] {
                try database.execute(
                    sql: "DELETE FROM \(table) WHERE source_id = ? AND station_id = ?", arguments: [source, station])
            }
            if insertedCount > 0 { changes.remove(station) }
        }
        guard var plan = try plan(listings, station: station) else { return }
        try apply(&plan, to: station)
    }

    private enum Offer {
        case kept(NormalizedListings)
        case written(inserted: Int, unchanged: Int)
    }

    /// The changes to write, and the resulting coverage.
    private struct Plan {
        var difference: ScheduleDifference
        let start: Int64
        let stop: Int64
        /// Whether the source has no airing of the station yet.
        var isFirst = false
        let hash: ContentHash
        /// Whether the source already covers the range.
        let isCovered: Bool
        /// Whether these are the listings of the source's last import.
        let isKnown: Bool
    }

    private func plan(_ listings: NormalizedListings, station: Int64) throws -> Plan? {
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
        // The airings of equal listings are still stored.
        if plan.isKnown {
            comparison?.record(new, inPlaceOf: new, of: station, from: start, to: stop)
            return plan
        }
        // Every airing belongs to a station that its source covers.
        guard covered != nil else {
            comparison?.record(new, inPlaceOf: [], of: station, from: start, to: stop)
            plan.difference = ScheduleDifference(from: [], to: new)
            plan.isFirst = true
            return plan
        }
        // The first airing after the coverage, if the last new airing extends to it.
        let successor = try database.values(
            """
            SELECT start FROM airing WHERE source_id = ? AND station_id = ? AND start >= ? AND start < ?
            ORDER BY start LIMIT 1
            """, [source, station, end, last.window.end.secondsSince1970]
        ) { $0.integer(0) }.first
        if let successor {
            for index in new.indices.reversed() {
                guard new[index].stop > successor else { break }
                new[index].trim(at: successor)
            }
        }
        let (old, predecessors) = try stored(station, from: start, to: end)
        comparison?.record(new, inPlaceOf: old, of: station, from: start, to: stop)
        plan.difference = ScheduleDifference(from: old, to: new)
        for predecessor in predecessors {
            var cut = predecessor
            cut.trim(at: start)
            plan.difference.changed.append((predecessor, cut))
        }
        let anySQL = "SELECT 1 FROM airing WHERE source_id = ? AND station_id = ? LIMIT 1"
        plan.isFirst =
            try old.isEmpty && predecessors.isEmpty && database.values(anySQL, [source, station]) { _ in true }.isEmpty
        return plan
    }

    private static let coverageSQL = "SELECT start, stop, listings FROM coverage WHERE station_id = ? AND source_id = ?"

    /// Returns a hash of new airings. Measured: for an unchanged guide, it takes a tenth of the time of comparing all stored
    /// airings, which would be a quarter of the import.
    private func hash(of airings: [StoredAiring], _ start: Int64, _ stop: Int64) -> ContentHash {
        var numbers = [start, stop]
        numbers.reserveCapacity(2 + airings.count * 9)
        for airing in airings {
            // Append one by one to avoid an array allocation per airing.
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

    /// Returns the airings that start in a range, and those before it that extend into it (several if they are a clump).
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
        // Either no source has any, or others have and share the station.
        if plan.isFirst { changes.setWhole(station) } else { changes.add(plan.difference, of: station) }
        guard !plan.isKnown else { return }
        try extendCoverage.run { binder in
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

/// The difference between the stored and the new airings of a station.
struct ScheduleDifference {
    typealias Change = (old: StoredAiring, new: StoredAiring)

    var removed: [StoredAiring] = []
    /// Airings with changed content at the same start, which keep their identifier.
    var changed: [Change] = []
    /// Airings that moved to another start or part of a clump, which keep their identifier.
    private(set) var shifted: [Change] = []
    /// New airings without identifiers.
    var inserted: [StoredAiring] = []
    private(set) var unchanged = 0

    /// Creates an empty difference: all airings are already stored.
    init(unchanged: Int) { self.unchanged = unchanged }

    var isEmpty: Bool { removed.isEmpty && changed.isEmpty && shifted.isEmpty && inserted.isEmpty }

    /// Compares two lists of airings that are sorted by start and part.
    ///
    /// An airing with the same start and part keeps its identifier. A removed and an inserted airing of the same programme are a
    /// move if there is exactly one of each.
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
        // By programme; `nil` if there are several.
        let removedByProgramme = Dictionary(removed.map { ($0.programme, Optional($0)) }) { _, _ in nil }
        let insertedByProgramme = Dictionary(inserted.map { ($0.programme, Optional($0)) }) { _, _ in nil }
        for old in removed where removedByProgramme[old.programme] == .some(old) {
            guard case var new?? = insertedByProgramme[old.programme] else { continue }
            new.id = old.id
            shifted.append((old, new))
        }
        let programmes = Set(shifted.map(\.old.programme))
        removed.removeAll { programmes.contains($0.programme) }
        inserted.removeAll { programmes.contains($0.programme) }
    }
}

/// A row of the table `airing`, as compared by imports.
struct StoredAiring: Hashable {
    var id: Int64
    var start: Int64
    var part: Int64
    var parts: Int64
    var stop: Int64
    var programme: Int64
    var transmission: Int64?
    var inferred: Int64
    fileprivate var publishedStart: Int64?
    fileprivate var publishedStop: Int64?

    /// The position in the schedule of its station.
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

    /// Creates the row of a listing without an identifier.
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

    /// Trims the stop and keeps the published times.
    mutating func trim(at instant: Int64) {
        if publishedStart == nil { (publishedStart, publishedStop) = (start, stop) }
        stop = instant
    }
}

/// The counts of current and future airings of new listings and of stored ones in their range, for ``ImportSafeguard``.
struct ListingsComparison {
    private let safeguard: ImportSafeguard
    /// The current time; past airings do not count.
    private let now: Int64
    /// The counts by the number of the station.
    private var stations: [Int64: (found: Int, stored: Int)] = [:]
    /// The range from the first start to the last stop of all listings.
    private var range: (start: Int64, stop: Int64)?

    init(_ safeguard: ImportSafeguard, from now: Instant) {
        self.safeguard = safeguard
        self.now = now.secondsSince1970
    }

    /// Adds the listings of a station and its stored airings in their range.
    mutating func record(
        _ new: [StoredAiring], inPlaceOf old: [StoredAiring], of station: Int64, from start: Int64, to stop: Int64
    ) {
        stations[station] = (new.count { $0.stop > now }, old.count { $0.stop > now })
        range = (min(start, range?.start ?? start), max(stop, range?.stop ?? stop))
    }

    mutating func remove(_ station: Int64) { stations[station] = nil }

    /// Compares the listings with the stored airings in the same range, including those of the source's other stations.
    ///
    /// - Complexity: A seek for each of the other stations, and O(counted airings).
    func check(_ report: ImportReport, ofSource source: Int64, in database: Database) throws {
        guard report.airingsStored > 0 else { throw RefusedImport.empty(programmesRead: report.programmesRead) }
        guard safeguard.minimumShare > 0, let range else { return }
        let start = max(now, range.start)
        // Iterate backward from the last airing that begins in the range.
        let stops = try database.makeStatement(
            sql: """
                SELECT stop FROM airing WHERE source_id = ? AND station_id = ? AND start < ?
                ORDER BY start DESC, part DESC
                """)
        let others = try Row.fetchAll(
            database,
            sql: """
                SELECT c.station_id, s.feed_id FROM coverage c CROSS JOIN station s ON s.id = c.station_id
                WHERE c.source_id = ? AND c.stop > ?
                """, arguments: [source, start])
        var stored = stations.values.map(\.stored)
        for other in others
        where stations[other["station_id"]] == nil && safeguard.includes(StationID(other["feed_id"])) {
            let cursor = try Int64.fetchCursor(stops, arguments: [source, other["station_id"], range.stop])
            stored.append(try Array(cursor.prefix { $0 > start }).count)
        }
        func size(_ counts: [Int]) -> (stations: Int, airings: Int) {
            (counts.count { $0 > 0 }, counts.reduce(0, +))
        }
        let refusal = safeguard.refusal(found: size(stations.values.map(\.found)), stored: size(stored))
        if let refusal { throw refusal }
    }
}
