package import EPGCalendar
import EPGJSON
package import EPGModel

/// Derives listings for channels that have none (Rules.md, rule 20), and for channels with a shift.
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
        // A source of the user with the same name.
        if let stored, stored.source.location != nil || stored.source.isConfigured { return Outcome() }
        let stations = try store.stations(inRows: 0..<Int.max).map(\.station)
        let feeds = Set(records.map(\.source.name)).subtracting([Derivation.source.name])
        let plan = try DerivedPlan(
            settings: settings, zone: zone, now: now, stations: stations,
            listed: try store.stationsWithAirings(during: range, ofSources: feeds), lineups: lineups,
            mappings: try store.mappings(), shifts: shifts)
        let always = TimeWindow(start: Instant(secondsSince1970: .min / 4), end: .endOfTime)
        let covered = try store.stationsWithAirings(during: always, ofSources: [Derivation.source.name])
        let former = Set(stations.filter { $0.derivation != nil }.map(\.id)).union(covered)
        let isObsolete = !former.isSubset(of: plan.stations)

        var outcome = Outcome()
        for row in plan.rows { outcome.stations[row.kind, default: 0] += 1 }
        if plan.rows.isEmpty {
            guard stored != nil else { return outcome }
            outcome.changedGuide = true
            _ = try store.removeSource(named: Derivation.source.name, matcher: StationMatcher(), now: now)
            return outcome
        }
        if isObsolete {
            try store.removeStations(
                former.subtracting(plan.stations).sorted(), ofSource: Derivation.source.name,
                matcher: StationMatcher(), now: now)
            outcome.changedGuide = true
        }
        let written = try listings(of: plan, in: store)
        let fingerprint = RecordFingerprint(written).text
        guard isObsolete || stored?.state.bodyHash != fingerprint else { return outcome }
        var state = stored?.state ?? SourceState()
        (state.lastAttempt, state.lastSuccess, state.lastResult, state.lastError) = (now, now, .imported, nil)
        state.bodyHash = fingerprint
        let imported = try GuideImporter(store: store).importRecords(
            written, as: Derivation.source, limits: limits, now: now, state: state)
        outcome.changedGuide = outcome.changedGuide || imported.changedGuide
        return outcome
    }

    // MARK: - Listings

    private func listings(of plan: DerivedPlan, in store: any GuideWriting) throws -> [GuideRecord] {
        let parents = try parentListings(of: plan, in: store)
        var records: [GuideRecord] = []
        for row in plan.rows where row.derivation != nil {
            records.append(.station(row.station, nodes: row.nodes, line: 0))
        }
        for row in plan.rows {
            switch row.content {
            case .shift(let parent, let shift):
                for airing in parents.airings[parent] ?? [] {
                    let window = TimeWindow(
                        start: airing.window.start.advanced(by: Int64(shift)),
                        end: airing.window.end.advanced(by: Int64(shift)))
                    guard window.overlaps(range) else { continue }
                    var record = AiringRecord(
                        station: row.station, start: .instant(window.start), stop: .instant(window.end),
                        clump: airing.clump)
                    record.nodes = try airing.programme.nodes() + [.element(Derivation.shift.element)]
                    records.append(.airing(record))
                }
            case .event(let event):
                for block in blocks(of: DerivedPlan.fillerLength, around: event.window) {
                    let isEvent = block == event.window
                    let template = block.end <= event.window.start ? event.pattern.before : event.pattern.after
                    let title =
                        isEvent
                        ? event.title
                        : filled(template, channel: event.channel ?? row.name, event: event)
                    records.append(
                        .airing(
                            record(
                                row, block, title: title, category: isEvent ? event.pattern.category : nil)))
                }
            case .placeholder(let template):
                for block in blocks(of: template.every, around: nil) {
                    records.append(
                        .airing(
                            record(
                                row, block, title: filled(template.title, channel: row.name, event: nil),
                                description: template.description.map {
                                    filled($0, channel: row.name, event: nil)
                                }, category: template.category)))
                }
            }
        }
        return records
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

    /// Returns blocks that tile the range: from each local midnight on, each of `length` seconds except the last one of the day, and
    /// cut by a window, which is a block of its own even if it exceeds the range.
    private func blocks(of length: Int64, around event: TimeWindow?) -> [TimeWindow] {
        var blocks: [TimeWindow] = []
        func append(_ start: Instant, _ end: Instant) {
            if start < end { blocks.append(TimeWindow(start: start, end: end)) }
        }
        for offset in -1...settings.days {
            let day = zone.window(of: today.advanced(byDays: offset))
            var start = day.start
            while start < day.end {
                let end = min(start.advanced(by: length), day.end)
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

    private func parentListings(of plan: DerivedPlan, in store: any GuideWriting) throws -> ListingCollector {
        let parents = plan.parents
        var collector = ListingCollector()
        guard let reach = parents.values.map(abs).max() else { return collector }
        var selection = ExportSelection()
        selection.window = TimeWindow(
            start: range.start.advanced(by: -Int64(reach)), end: range.end.advanced(by: Int64(reach)))
        selection.stations = { parents[$0.id] != nil }
        try store.export(selection, to: &collector)
        return collector
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

/// A hash of records, by which an update recognizes the last one.
private struct RecordFingerprint {
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    init(_ records: [GuideRecord]) {
        for record in records {
            switch record {
            case .station(let id, let nodes, _):
                add("s")
                add(id.rawValue)
                add(nodes)
            case .airing(let airing):
                add("a")
                add(airing.station.rawValue)
                add("\(airing.start) \(airing.stop.map { "\($0)" } ?? "")")
                if let clump = airing.clump { add("\(clump.index)/\(clump.count)") }
                add(airing.nodes)
            case .header, .unreadable: break
            }
        }
    }

    var text: String { "derived-1-" + String(hash, radix: 16) }

    /// FNV-1a, with a separator after each text.
    private mutating func add(_ text: String) {
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        hash = (hash ^ 0xFF) &* 0x100_0000_01b3
    }

    private mutating func add(_ nodes: [ContentNode]) {
        for node in nodes {
            switch node {
            case .text(let text): add(text)
            case .element(let element):
                add(element.name)
                for attribute in element.attributes {
                    add(attribute.name)
                    add(attribute.value)
                }
                add(element.children)
            }
        }
        add("")
    }
}
