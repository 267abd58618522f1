package import EPGCalendar
import EPGJSON
package import EPGModel

/// Derives listings for channels that have none (Rules.md, rule 19), and for channels with a shift.
///
/// The listings belong to the source ``Derivation/source``, whose priority is the lowest, so that they never replace listings of a
/// feed. They cover whole local days: yesterday, today, and some days after. An update that finds nothing new writes nothing.
package struct DerivedGuide {
    /// The result of an update.
    package struct Outcome: Hashable, Sendable {
        /// The number of stations with derived listings, by origin.
        package var stations: [Derivation: Int] = [:]
        /// Whether the update changed the guide.
        package var changedGuide = false
    }

    private let settings: DerivedSettings
    private let limits: ImportLimits
    private let zone: Zone
    private let now: Instant
    private let today: CivilDate
    private let range: TimeWindow

    /// - Throws: `ZoneError` for an unknown zone.
    package init(
        _ settings: DerivedSettings, limits: ImportLimits = ImportLimits(), now: Instant
    ) throws(ZoneError) {
        self.settings = settings
        self.limits = limits
        self.now = now
        if let name = settings.zone { zone = try Zone(named: name) } else { zone = .current }
        today = zone.date(at: now)
        range = zone.window(ofDays: settings.days + 2, from: today.advanced(byDays: -1))
    }

    /// Returns whether an update may find anything to write: there are derived listings, or settings or channels that need some.
    package func isNeeded(in guide: any GuideReading) throws -> Bool {
        if settings.derivesListings { return true }
        if try guide.sourceRecords().contains(where: { $0.source.name == Derivation.source.name }) { return true }
        let shifts = try guide.mappingShifts()
        return try guide.lineups().contains { name in
            guard let lineup = try guide.lineup(named: name)?.lineup else { return false }
            return lineup.channels.contains { $0.shift(in: lineup, mappingShifts: shifts) != 0 }
        }
    }

    /// Updates the derived listings after an import, a refresh, or a change of lineups, mappings or settings.
    ///
    /// - Throws: `ExceededImportLimit`, and errors of the store.
    package func update(_ store: any GuideWriting) throws -> Outcome {
        guard try isNeeded(in: store) else { return Outcome() }
        let lineups = try store.lineups().compactMap { try store.lineup(named: $0)?.lineup }
        let shifts = try store.mappingShifts()
        let records = try store.sourceRecords()
        let stored = records.first { $0.source.name == Derivation.source.name }
        // A source of the user with the same name, which an older version did not reserve.
        if let stored,
            stored.source.location != nil || stored.source.isConfigured
                || stored.source.priority != Derivation.source.priority
        {
            return Outcome()
        }
        let stations = try store.stations(inRows: 0..<Int.max).map(\.station)
        let feeds = Set(records.map(\.source.name)).subtracting([Derivation.source.name])
        let plan = try DerivedPlan(
            settings: settings, zone: zone, now: now, stations: stations,
            listed: try store.stationsWithAirings(during: range, ofSources: feeds), lineups: lineups,
            mappings: try store.mappings(), shifts: shifts)
        let always = TimeWindow(start: Instant(secondsSince1970: .min / 4), end: .endOfTime)
        let covered = try store.stationsWithAirings(during: always, ofSources: [Derivation.source.name])
        let former = Set(stations.filter { $0.derivation != nil }.map(\.id)).union(covered)
        let isComplete = settings.areKnown
        let shifted = Set(stations.filter { $0.derivation.map { $0.shift != 0 } ?? false }.map(\.id))
        let obsolete = (isComplete ? former : former.intersection(shifted)).subtracting(plan.stations).sorted()

        var outcome = Outcome()
        for row in plan.rows { outcome.stations[row.kind, default: 0] += 1 }
        if plan.rows.isEmpty, former.count == obsolete.count {
            guard stored != nil else { return outcome }
            outcome.changedGuide = true
            _ = try store.removeSource(named: Derivation.source.name, matcher: StationMatcher(), now: now)
            return outcome
        }
        let isReduced =
            try !obsolete.isEmpty
            && store.removeStations(obsolete, ofSource: Derivation.source.name, matcher: StationMatcher(), now: now)
        outcome.changedGuide = isReduced
        let parents = try parentListings(of: plan, in: store)
        let fingerprint = try fingerprint(of: plan.rows, parents)
        guard !plan.rows.isEmpty, isReduced || stored?.state.bodyHash != fingerprint else {
            return outcome
        }
        var state = stored?.state ?? SourceState()
        (state.lastAttempt, state.lastSuccess, state.lastResult, state.lastError) = (now, now, .imported, nil)
        state.bodyHash = fingerprint
        let written = DerivedRecords(of: plan.rows) { try listings(of: $0, parents) }
        let imported = try GuideImporter(store: store).importRecords(
            written, as: Derivation.source, limits: limits, now: now, state: state)
        outcome.changedGuide = outcome.changedGuide || imported.changedGuide
        // Other settings may derive listings for more days.
        let kept = TimeWindow(start: range.start, end: isComplete ? range.end : .endOfTime)
        let removed = try store.removeAirings(ofSource: Derivation.source.name, outside: kept, now: now)
        outcome.changedGuide = outcome.changedGuide || removed > 0
        return outcome
    }

    /// Returns a hash of everything that the listings of stations follow from, by which an update recognizes the listings of the
    /// last update without creating them.
    private func fingerprint(
        of rows: [DerivedPlan.Row], _ parents: [StationID: [ExportedAiring]]
    ) throws -> String {
        var hash = TextHash()
        hash.add(range.start.iso8601, range.end.iso8601, zone.name, "\(settings.areKnown)")
        for row in rows {
            hash.add(row.station.rawValue, row.name)
            hash.add(row.nodes)
            switch row.content {
            case .shift(let parent, let shift):
                for (airing, window) in shifted(parents[parent] ?? [], by: shift) {
                    hash.add(window.start.iso8601, window.end.iso8601)
                    hash.add(airing.clump.map { "\($0.index)/\($0.count)" })
                    hash.add(try airing.programme.nodes())
                }
            case .event(let event):
                hash.add(event.title, event.channel, event.window.start.iso8601, event.window.end.iso8601)
                hash.add(event.pattern.before, event.pattern.after, event.pattern.category)
            case .placeholder(let template):
                hash.add(template.title, template.description, template.category, "\(template.every)")
            }
        }
        return "derived-2-\(hash.value.base36)"
    }

    // MARK: - Listings

    /// Returns the listings of one station.
    private func listings(
        of row: DerivedPlan.Row, _ parents: [StationID: [ExportedAiring]]
    ) throws -> [AiringRecord] {
        switch row.content {
        case .shift(let parent, let shift):
            return try shifted(parents[parent] ?? [], by: shift).map { airing, window -> AiringRecord in
                var record = AiringRecord(
                    station: row.station, start: .instant(window.start), stop: .instant(window.end), clump: airing.clump
                )
                record.nodes = try airing.programme.nodes() + [.element(Derivation.shift.element)]
                return record
            }
        case .event(let event):
            return blocks(of: nil, around: event.window).map { block -> AiringRecord in
                if block == event.window {
                    return record(row, block, title: event.title, category: event.pattern.category)
                }
                let template = block.end <= event.window.start ? event.pattern.before : event.pattern.after
                let title = filled(template, channel: event.channel ?? row.name, event: event)
                return record(row, block, title: title, category: nil)
            }
        case .placeholder(let template):
            let title = filled(template.title, channel: row.name, event: nil)
            let description = template.description.map { filled($0, channel: row.name, event: nil) }
            return blocks(of: template.every, around: nil).map { block -> AiringRecord in
                record(row, block, title: title, description: description, category: template.category)
            }
        }
    }

    /// Returns the airings whose shifted windows overlap the range, with these windows.
    private func shifted(
        _ airings: [ExportedAiring], by shift: Int
    ) -> [(airing: ExportedAiring, window: TimeWindow)] {
        airings.compactMap { airing -> (airing: ExportedAiring, window: TimeWindow)? in
            let window = TimeWindow(
                start: airing.window.start.advanced(by: Int64(shift)),
                end: airing.window.end.advanced(by: Int64(shift)))
            return window.overlaps(range) ? (airing, window) : nil
        }
    }

    private func record(
        _ row: DerivedPlan.Row, _ window: TimeWindow, title: String, description: String? = nil, category: String?
    ) -> AiringRecord {
        var record = AiringRecord(station: row.station, start: .instant(window.start), stop: .instant(window.end))
        record.nodes.append("title", title)
        record.nodes.append("desc", description)
        record.nodes.append("category", category)
        record.nodes.append(.element(row.kind.element))
        return record
    }

    private func filled(_ template: String, channel: String, event: ChannelEvent?) -> String {
        var text = template.replacing("{channel}", with: channel)
        if let event {
            let start = event.window.start
            text = text.replacing("{title}", with: event.title)
                .replacing("{time}", with: "\(zone.date(at: start).label) \(zone.timeLabel(at: start))")
        }
        return text
    }

    /// Returns blocks that tile the range.
    ///
    /// - Parameters:
    ///   - length: The length in seconds from each local midnight on; the last block of a day may be shorter. `nil` for one block per
    ///     local day.
    ///   - event: A window that becomes a block and splits the others. It may begin before the range or end after it.
    private func blocks(of length: Int64?, around event: TimeWindow?) -> [TimeWindow] {
        var blocks: [TimeWindow] = []
        func append(_ start: Instant, _ end: Instant) {
            if start < end { blocks.append(TimeWindow(start: start, end: end)) }
        }
        for offset in -1...settings.days {
            let day = zone.window(of: today.advanced(byDays: offset))
            var start = day.start
            while start < day.end {
                let end = length.map { min(start.advanced(by: $0), day.end) } ?? day.end
                if let event, event.overlaps(TimeWindow(start: start, end: end)) {
                    append(start, event.start)
                    append(max(start, event.end), end)
                } else {
                    append(start, end)
                }
                start = end
            }
        }
        if let event, event.overlaps(range) {
            blocks.insert(event, at: blocks.partitioningIndex { $0.start >= event.start })
        }
        return blocks
    }

    /// Returns the airings of feeds that shifted listings repeat.
    private func parentListings(
        of plan: DerivedPlan, in store: any GuideWriting
    ) throws -> [StationID: [ExportedAiring]] {
        let parents = plan.parents
        guard let reach = parents.values.max() else { return [:] }
        var collector = ListingCollector()
        var selection = ExportSelection()
        selection.window = TimeWindow(
            start: range.start.advanced(by: -Int64(reach)), end: range.end.advanced(by: Int64(reach)))
        selection.stations = { parents[$0.id] != nil }
        try store.export(selection, to: &collector)
        return collector.airings
    }
}

extension DerivedSettings {
    /// Whether the settings derive listings for channels without a shift.
    fileprivate var derivesListings: Bool { plusOne || !placeholders.isEmpty || !names.isEmpty }
}

/// Collects the airings of stations that feeds list.
private struct ListingCollector: GuideVisitor {
    private(set) var airings: [StationID: [ExportedAiring]] = [:]

    mutating func begin(header: [ContentAttribute]) {}
    mutating func station(_ station: StationRow, nodes: [ContentNode]) {}
    mutating func end() {}

    mutating func airing(_ airing: ExportedAiring) {
        guard airing.source != Derivation.source.name else { return }
        airings[airing.station, default: []].append(airing)
    }
}

/// The records of derived listings, which are created for one station at a time, because there may be millions.
private struct DerivedRecords: GuideRecordReader {
    /// The rows whose descriptions follow.
    private var described: ArraySlice<DerivedPlan.Row>
    /// The rows whose listings follow.
    private var listed: ArraySlice<DerivedPlan.Row>
    /// The rest of the listings of a row.
    private var current: ArraySlice<AiringRecord> = []
    private let listings: (DerivedPlan.Row) throws -> [AiringRecord]

    /// - Parameter listings: Returns the listings of a row.
    init(of rows: [DerivedPlan.Row], listings: @escaping (DerivedPlan.Row) throws -> [AiringRecord]) {
        described = rows.filter { $0.derivation != nil }[...]
        listed = rows[...]
        self.listings = listings
    }

    mutating func next() throws -> GuideRecord? {
        if let row = described.popFirst() { return .station(row.station, nodes: row.nodes, line: 0) }
        while current.isEmpty {
            guard let row = listed.popFirst() else { return nil }
            current = try listings(row)[...]
        }
        return current.popFirst().map { GuideRecord.airing($0) }
    }

    var heldBytes: Int { 0 }
}

/// A hash of texts.
private struct TextHash {
    private(set) var value = ContentHash(high: 0, low: 0)

    mutating func add(_ texts: String?...) {
        // A missing text differs from an empty one.
        for text in texts {
            value = ContentHasher.fixed.hash(Array((text.map { "=" + $0 } ?? "").utf8).span, after: value)
        }
    }

    mutating func add(_ nodes: [ContentNode]) {
        for node in nodes {
            switch node {
            case .text(let text): add(text)
            case .element(let element):
                add(element.name)
                for attribute in element.attributes { add(attribute.name, attribute.value) }
                add(element.children)
            }
        }
        add(nil)
    }
}
