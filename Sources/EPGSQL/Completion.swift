import EPGJSON
package import EPGModel
import EPGOutput

/// The completion of listings with other sources' listings of the same broadcasts (Rules.md, rule 22), within a write.
///
/// An airing shows its completed programme (`programme_id`) and keeps the programme in its feed (`listed_programme_id`). The result
/// depends only on the stored listings and on the ranks of their sources, so that a repeated completion writes nothing. Only
/// airings that end after `now` are completed; former ones stay as they were.
package struct GuideCompletion {
    private var stations: Set<Int64> = []
    private var counts: [String: CompletionCount] = [:]
    private var released: Set<Int64> = []
    private var nextProgramme: Int64
    private var batches: [ContentBatch] = []

    private let connection: any SQLConnection
    private let now: Int64
    private let hasher: ContentHasher
    private let insert: (ContentBatch) throws -> Void
    private var digests: DigestReader
    private var genres = GenreFinder()
    /// New programmes by their content.
    private var created: [ContentHash: Int64] = [:]
    private var batch = ContentBatch()
    private var updates: [Update] = []

    /// An airing that shows another programme from now on.
    private struct Update {
        let station: Int64
        let row: Row
        let programme: Int64
        let listed: Int64?
    }

    /// A source of a station.
    private struct RankedSource {
        let id: Int64
        let name: String
        let priority: Int64
        let start: Int64
        let stop: Int64
        /// Whether the source takes fields and provides them.
        let completes: Bool

        func precedes(_ other: RankedSource) -> Bool {
            (-priority, -stop, id) < (-other.priority, -other.stop, other.id)
        }
    }

    /// An airing of a source.
    private struct Row {
        let source: Int64
        let window: TimeWindow
        let part: Int64
        let isSingle: Bool
        let shown: Int64
        let completed: Bool
        let listed: Int64

        init(_ row: any StoredRow, source: Int64) {
            let start = row.integer(2)
            self.source = source
            window = TimeWindow(
                start: Instant(secondsSince1970: start), end: Instant(secondsSince1970: max(start, row.integer(3))))
            part = row.integer(4)
            isSingle = row.integer(5) == 1
            shown = row.integer(6)
            completed = row.integerIfPresent(7) != nil
            listed = row.integerIfPresent(7) ?? row.integer(6)
        }

        var start: Int64 { window.start.secondsSince1970 }
        var stop: Int64 { window.end.secondsSince1970 }
    }

    /// A shown airing, and at most one airing of each other source that may be the same broadcast with another programme.
    private struct Candidate {
        let station: Int64
        let row: Row
        let others: [(row: Row, source: String)]
    }

    /// The programme in the feed of an airing.
    private final class Listing {
        let stored: StoredProgramme
        let genre: Int64
        private var parsed: Result<CompletableProgramme, StoredDocument.Damage>?
        private var details: ListedBroadcast?

        init(_ row: any StoredRow) {
            stored = StoredProgramme(
                title: row.text(1), subtitle: row.textIfPresent(2), description: row.textIfPresent(4),
                category: row.textIfPresent(3), marks: row.marks(from: 6), document: row.blob(5))
            genre = row.integer(11)
        }

        /// Returns the listing without its details.
        func outline(during window: TimeWindow) -> ListedBroadcast {
            ListedBroadcast(
                window: window, title: stored.title, subtitle: stored.subtitle, description: stored.description)
        }

        /// Returns the parsed programme.
        ///
        /// - Throws: ``StoredDocument/Damage``, which `epg check` reports.
        func programme() throws(StoredDocument.Damage) -> CompletableProgramme {
            if let parsed { return try parsed.get() }
            let result = Result { () throws(StoredDocument.Damage) in try CompletableProgramme(stored) }
            parsed = result
            return try result.get()
        }

        /// Returns the listing with its details.
        func broadcast(during window: TimeWindow) throws(StoredDocument.Damage) -> ListedBroadcast {
            guard var broadcast = details else {
                let broadcast = try programme().broadcast(during: window)
                details = broadcast
                return broadcast
            }
            broadcast.window = window
            return broadcast
        }
    }

    /// Creates a completion.
    ///
    /// - Parameters:
    ///   - state: The state of the guide, with the number of the next new programme.
    ///   - insert: Inserts new programmes with their digests.
    package init(
        _ connection: any SQLConnection, state: GuideState, nextProgramme: Int64, now: Instant,
        insert: @escaping (ContentBatch) throws -> Void
    ) throws {
        self.connection = connection
        self.now = now.secondsSince1970
        self.insert = insert
        self.nextProgramme = nextProgramme
        hasher = ContentHasher(key: state.contentKey)
        digests = try DigestReader(DigestRows(connection), for: [])
    }

    /// Completes the whole schedules of stations.
    package mutating func complete(stations: [Int64]) throws {
        try complete(ranked(sourcesOf: stations).map { Part(station: $0, sources: $1, range: now..<Int64.max / 2) })
    }

    /// Completes the parts of schedules that an import of a source changed.
    package mutating func complete(_ changes: [Int64: ChangedRanges], ofSource source: Int64) throws {
        var parts: [Part] = []
        for (station, sources) in try ranked(sourcesOf: changes.keys.sorted())
        where sources.count(where: \.completes) > 1 {
            guard let change = changes[station] else { continue }
            let ranges =
                hasNewOrder(sources, afterChangeOf: source, from: change.formerStop)
                ? [now..<Int64.max / 2] : change.merged(after: now, distance: 3600)
            parts += ranges.map { Part(station: station, sources: sources, range: $0) }
        }
        try complete(parts)
    }

    /// What the completion has written.
    package var outcome: CompletionOutcome {
        CompletionOutcome(
            stations: stations, counts: counts, released: released, nextProgramme: nextProgramme, batches: batches)
    }

    // MARK: - Sources

    /// Returns the best sources of stations in order of precedence.
    private func ranked(sourcesOf stations: [Int64]) throws -> [(station: Int64, sources: [RankedSource])] {
        guard !stations.isEmpty else { return [] }
        var found: [(station: Int64, sources: [RankedSource])] = []
        try connection.rows(
            """
            SELECT c.station_id, c.source_id, o.name, o.priority, c.start, c.stop, o.completes
            FROM coverage c JOIN source o ON o.id = c.source_id WHERE \(connection.isIn("c.station_id", list: 1))
            ORDER BY c.station_id, o.priority DESC, c.stop DESC, c.source_id
            """, [.integers(stations)], streams: false
        ) { row in
            let name = row.text(2)
            let source = RankedSource(
                id: row.integer(1), name: name, priority: row.integer(3), start: row.integer(4), stop: row.integer(5),
                completes: row.flag(6) && name != Derivation.source.name)
            if found.last?.station != row.integer(0) { found.append((row.integer(0), [])) }
            if found[found.count - 1].sources.count < 8 { found[found.count - 1].sources.append(source) }
            return true
        }
        return found
    }

    /// Returns whether an import has changed the order of the sources that covered the station before.
    private func hasNewOrder(_ sources: [RankedSource], afterChangeOf source: Int64, from formerStop: Int64?) -> Bool {
        guard let formerStop, let index = sources.firstIndex(where: { $0.id == source }) else { return false }
        var former = sources
        let current = sources[index]
        former[index] = RankedSource(
            id: source, name: current.name, priority: current.priority, start: current.start, stop: formerStop,
            completes: current.completes)
        return former.sorted { $0.precedes($1) }.map(\.id) != sources.map(\.id)
    }

    // MARK: - Parts of schedules

    /// A part of a station's schedule, with the sources of the station in order of precedence.
    private struct Part {
        let station: Int64
        let sources: [RankedSource]
        let range: Range<Int64>
    }

    /// The seconds around a part in which listings are read: an airing that begins before the part may overlap a listing that begins
    /// even earlier.
    private static let neighborhood: Int64 = 3 * 3600

    private mutating func complete(_ parts: [Part]) throws {
        // One query for several stations saves requests to a server, and few have the memory for a whole guide.
        for start in stride(from: 0, to: parts.count, by: 32) {
            let some = parts[start..<min(parts.count, start + 32)]
            var candidates: [Candidate] = []
            var completions: [Int64: Set<Int64>] = [:]
            for (part, rows) in zip(some, try rows(of: some)) {
                for (rank, source) in part.sources.enumerated() {
                    for row in rows[rank] {
                        if row.completed { completions[row.listed, default: []].insert(row.shown) }
                        guard row.stop > max(now, part.range.lowerBound), row.start < part.range.upperBound else {
                            continue
                        }
                        let takesFields = source.completes && isShown(row, rank, part.sources, rows)
                        let others = takesFields ? Self.others(like: row, rank, part.sources, rows) : []
                        if !others.isEmpty {
                            candidates.append(Candidate(station: part.station, row: row, others: others))
                        } else if row.completed {
                            show(row.listed, at: row, of: part.station, listed: nil)
                        }
                    }
                }
            }
            let listings = try listings(of: candidates)
            for candidate in candidates { try update(candidate, listings, completions) }
        }
        try flush()
    }

    /// Returns the airings of each source in and near parts.
    private func rows(of parts: ArraySlice<Part>) throws -> [[[Row]]] {
        var found = parts.map { $0.sources.map { _ in [Row]() } }
        var (places, ranks, sources, stations): ([Int64], [Int64], [Int64], [Int64]) = ([], [], [], [])
        var (firsts, lasts): ([Int64], [Int64]) = ([], [])
        for (place, part) in parts.enumerated() {
            for (rank, source) in part.sources.enumerated() {
                places.append(Int64(place))
                ranks.append(Int64(rank))
                sources.append(source.id)
                stations.append(part.station)
                firsts.append(max(part.range.lowerBound, now))
                lasts.append(part.range.upperBound)
            }
        }
        let table = connection.table(
            "w",
            [
                "place": .integers(places), "number": .integers(ranks), "source": .integers(sources),
                "station": .integers(stations), "earliest": .integers(firsts), "latest": .integers(lasts),
            ], from: 1)
        try connection.rows(
            """
            SELECT w.place, w.number, a.start, a.stop, a.part, a.parts, a.programme_id, a.listed_programme_id
            FROM \(table.sql) CROSS JOIN airing a
            WHERE a.source_id = w.source AND a.station_id = w.station AND a.start < w.latest + \(Self.neighborhood)
                AND a.start >= coalesce((
                    SELECT max(b.start) FROM airing b
                    WHERE b.source_id = w.source AND b.station_id = w.station
                        AND b.start <= w.earliest - \(Self.neighborhood)), w.earliest - \(Self.neighborhood))
            """, table.values, streams: false
        ) { row in
            let (place, rank) = (Int(row.integer(0)), Int(row.integer(1)))
            let source = parts[parts.startIndex + place].sources[rank].id
            found[place][rank].append(Row(row, source: source))
            return true
        }
        // A server may join in another order.
        return found.map { $0.map { rows in rows.sorted { ($0.start, $0.part) < ($1.start, $1.part) } } }
    }

    /// Returns whether an airing is shown, at least in part, by the rule at the table `coverage` of `schema.sql`; in a gap only if
    /// no better source has any airing there.
    private func isShown(_ row: Row, _ rank: Int, _ sources: [RankedSource], _ rows: [[Row]]) -> Bool {
        guard rank > 0 else { return true }
        var start = row.start
        for better in sources[..<rank].sorted(by: { $0.start < $1.start }) where better.stop > start {
            if better.start > start { return true }
            start = better.stop
            if start >= row.stop { break }
        }
        if start < row.stop { return true }
        return rows[..<rank].allSatisfy { Self.overlapping(row, in: $0).isEmpty }
    }

    /// Returns the airings of a source that overlap an airing.
    private static func overlapping(_ row: Row, in rows: [Row]) -> ArraySlice<Row> {
        // Airings of a source do not overlap, except airings of a clump, which share their window.
        let first = rows.partitioningIndex { $0.stop > row.start }
        return rows[first...].prefix { $0.start < row.stop }
    }

    /// Returns the airings of other sources that may be the same broadcast, by their times, and have another programme.
    private static func others(
        like row: Row, _ rank: Int, _ sources: [RankedSource], _ rows: [[Row]]
    ) -> [(row: Row, source: String)] {
        guard row.isSingle else { return [] }
        return sources.indices.compactMap { place in
            guard place != rank, sources[place].completes,
                let other = overlapping(row, in: rows[place]).first(where: {
                    $0.isSingle && ListedBroadcast.agree(row.window, $0.window)
                }), other.listed != row.listed
            else { return nil }
            return (other, sources[place].name)
        }
    }

    /// Returns the programmes of airings by their numbers.
    private func listings(of candidates: [Candidate]) throws -> [Int64: Listing] {
        let numbers = Set(candidates.flatMap { [$0.row.listed] + $0.others.map(\.row.listed) })
        guard !numbers.isEmpty else { return [:] }
        let found = try connection.values(
            """
            SELECT id, title, subtitle, category, description, document, is_new, is_premiere, is_live, is_derived,
                is_repeat, genre
            FROM programme WHERE \(connection.isIn("id", list: 1))
            """, [.integers(numbers.sorted())]
        ) { ($0.integer(0), Listing($0)) }
        return Dictionary(found) { first, _ in first }
    }

    private mutating func update(
        _ candidate: Candidate, _ listings: [Int64: Listing], _ completions: [Int64: Set<Int64>]
    ) throws {
        let (row, station) = (candidate.row, candidate.station)
        guard let listing = listings[row.listed], let donors = Self.donors(of: candidate, listing, listings),
            let (programme, genreDocument) = try? listing.programme().completed(by: donors)
        else {
            if row.completed { show(row.listed, at: row, of: station, listed: nil) }
            return
        }
        let content = programme.content(hasher)
        if row.completed, let shown = try digests.content(of: row.shown) {
            if shown == content { return }
        }
        let number: Int64
        if let found = try created[content] ?? completed(with: content, among: completions[row.listed] ?? []) {
            number = found
        } else {
            let fields = donors.flatMap(\.origin.fields)
            let genre =
                if fields.contains(where: { [.category, .date, .episode].contains($0) }),
                    let nodes = try? StoredDocument.nodes(genreDocument)
                { genres.genre(of: nodes) } else { ProgrammeGenre(rawValue: UInt16(clamping: listing.genre)) }
            number = nextProgramme
            nextProgramme += 1
            batch.add(programme, genre: genre, id: number, content: content)
            created[content] = number
        }
        for donor in donors { counts[donor.origin.source, default: CompletionCount()].add(donor.origin.fields) }
        show(number, at: row, of: station, listed: row.listed)
        if batch.programmes.count >= 2048 { try flush() }
    }

    /// Returns the completed programme with a content that another airing of the same programme shows.
    private mutating func completed(with content: ContentHash, among programmes: Set<Int64>) throws -> Int64? {
        for programme in programmes where try digests.content(of: programme) == content { return programme }
        return nil
    }

    /// Returns the sources with better fields for an airing, in order of precedence; `nil` for none.
    private static func donors(
        of candidate: Candidate, _ listing: Listing, _ listings: [Int64: Listing]
    ) -> [(programme: CompletableProgramme, origin: FieldOrigin)]? {
        var donors: [(programme: CompletableProgramme, origin: FieldOrigin)] = []
        var known: Set<CompletedField> = []
        for (row, source) in candidate.others {
            let (window, outline) = (candidate.row.window, listing.outline(during: candidate.row.window))
            guard let other = listings[row.listed],
                let titles = outline.mayBeSame(as: other.outline(during: row.window))
            else { continue }
            // A damaged document provides nothing.
            do throws(StoredDocument.Damage) {
                let fields = try listing.programme().fields(from: other.programme(), besides: known)
                guard !fields.isEmpty,
                    try listing.broadcast(during: window).isConfirmed(by: other.broadcast(during: row.window), titles)
                else { continue }
                known.formUnion(fields)
                donors.append((try other.programme(), FieldOrigin(source: source, fields: fields)))
            } catch {
                continue
            }
        }
        return donors.isEmpty ? nil : donors
    }

    // MARK: - Writing

    private mutating func show(_ programme: Int64, at row: Row, of station: Int64, listed: Int64?) {
        if row.completed { released.insert(row.shown) }
        stations.insert(station)
        updates.append(Update(station: station, row: row, programme: programme, listed: listed))
    }

    private mutating func flush() throws {
        if !batch.programmes.isEmpty {
            try insert(batch)
            // The search index needs only texts.
            batch.documents = []
            batches.append(batch)
            batch = ContentBatch()
        }
        guard !updates.isEmpty else { return }
        let table = connection.table(
            "u",
            [
                "source": .integers(updates.map(\.row.source)), "station": .integers(updates.map(\.station)),
                "start": .integers(updates.map(\.row.start)), "part": .integers(updates.map(\.row.part)),
                "programme": .integers(updates.map(\.programme)), "listed": .integers(updates.map(\.listed)),
            ], from: 1)
        try connection.execute(
            """
            UPDATE airing AS a SET programme_id = u.programme, listed_programme_id = u.listed FROM \(table.sql)
            WHERE a.source_id = u.source AND a.station_id = u.station AND a.start = u.start AND a.part = u.part
            """, table.values)
        updates = []
    }
}

extension StoredProgramme {
    /// Returns the hash of the content.
    fileprivate func content(_ hasher: ContentHasher) -> ContentHash {
        let texts = Array(title.utf8) + Array((subtitle ?? "").utf8) + Array((description ?? "").utf8)
        return hasher.programme(
            document.span, texts: texts.span, title: title.utf8.count, subtitle: subtitle?.utf8.count,
            description: description?.utf8.count)
    }
}

extension ContentBatch {
    /// Adds a completed programme.
    fileprivate mutating func add(_ programme: StoredProgramme, genre: ProgrammeGenre, id: Int64, content: ContentHash)
    {
        func text(_ text: String?) -> Field {
            guard let text else { return .absent }
            texts.append(contentsOf: text.utf8)
            return Field(offset: texts.count - text.utf8.count, count: text.utf8.count)
        }
        var row = ProgrammeRow(
            id: id,
            digest: ProgrammeDigest(
                content: content, bytes: content, titleKey: 0, richness: 0, findings: [],
                version: ProgrammeDigest.completedVersion))
        row.title = text(programme.title)
        row.subtitle = text(programme.subtitle)
        row.description = text(programme.description)
        row.category = text(programme.category)
        row.marks = programme.marks
        row.genre = genre
        row.document = Field(offset: documents.count, count: programme.document.count)
        documents += programme.document
        programmes.append(row)
    }
}

extension SQLConnection {
    /// Completes the whole schedules of stations outside of an import, and removes programmes that are unused then.
    ///
    /// - Returns: The stations with changed airings.
    package func complete(stations: [Int64], now: Instant, releasing released: Set<Int64> = []) throws -> Set<Int64> {
        var state = try state()
        var completion = try GuideCompletion(
            self, state: state, nextProgramme: state.nextProgramme, now: now, insert: insert)
        try completion.complete(stations: stations)
        let outcome = completion.outcome
        state.nextProgramme = outcome.nextProgramme
        try write(state)
        try removeUnused(released.union(outcome.released))
        return outcome.stations
    }

    /// Inserts the programmes of a batch with their digests.
    private func insert(_ batch: ContentBatch) throws {
        guard let first = batch.programmes.first else { return }
        let rows = unsafe batch.documents.withUnsafeBytes { documents in
            unsafe batch.texts.withUnsafeBytes { texts in
                batch.programmes.map { row in
                    var values = ValueRow()
                    unsafe row.write(to: &values, texts: texts, documents: documents)
                    return values.values
                }
            }
        }
        try insert(into: "programme (\(ContentBatch.ProgrammeRow.columns))", rows)
        try insert(
            into: "programme_digest (first_id, digests)",
            [[.integer(first.id), .bytes(DigestPiece.bytes(of: batch.programmes))]])
    }
}

/// The values of a row of programmes as parameters of a statement.
private struct ValueRow: RowSink {
    var values: [SQLValue] = []

    mutating func add(_ value: Int64?) { values.append(.integer(value)) }
    mutating func add(_ value: Bool) { values.append(.boolean(value)) }
    mutating func add(_ value: String?) { values.append(.text(value)) }
    mutating func add(blob value: [UInt8]) { values.append(.bytes(value)) }

    mutating func add(bytes value: UnsafeRawBufferPointer?) {
        // The documents follow the texts, and begin with a brace.
        unsafe values.append(.text(value.map { unsafe String(decoding: $0, as: UTF8.self) }))
    }
}
