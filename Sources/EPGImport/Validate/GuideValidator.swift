package import EPGModel
import XMLTV

/// A validator that reads a guide like an import and keeps only the diagnostics.
package struct GuideValidator {
    /// Options that select the part to validate, and whether to reject malformed documents.
    package var options: ImportOptions

    /// Creates a validator.
    package init(options: ImportOptions = ImportOptions()) {
        self.options = options
        self.options.checksRules = true
    }

    /// Validates one guide.
    ///
    /// - Parameters:
    ///   - files: The files of the guide; more than one only for JSON.
    ///   - source: Options for reading its times.
    ///   - found: Receives each diagnostic, approximately in file order.
    /// - Returns: A report with the counts, and the quality of the schedules.
    /// - Throws: ``GuideFileError`` if the file is not a guide; any error of `found`.
    package func validate(
        _ files: [GuideFile], as source: Source = Source(name: "file"),
        found: @escaping (Diagnostic) throws -> Void
    ) throws -> (report: ImportReport, quality: ScheduleQuality) {
        let (report, session) = try read(files, as: source, found: found)
        return (report, session.quality)
    }

    /// Reads a guide or a playlist, and returns what an import would find in it.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - source: Options for reading its times.
    /// - Throws: ``GuideFileError`` for an invalid file, `ExceededImportLimit` if it exceeds a limit of the options, and
    ///   `ZoneError` for the zone of the source.
    package func preview(of file: GuideFile, as source: Source = Source(name: "file")) throws -> GuidePreview {
        if file.format == .playlist {
            let (lineup, findings, title) = try file.readLineup(named: source.name, limits: options.limits)
            var preview = GuidePreview(.playlist(lineup))
            preview.name = FeedName.suggested([title])
            for diagnostic in findings.diagnostics { preview.add(diagnostic) }
            for (keyword, count) in findings.counts { preview.setCount(count, of: keyword) }
            return preview
        }
        var findings = GuidePreview(.guide(GuidePreview.Listings()))
        // An import does not check the DTD.
        var reader = self
        reader.options.checksRules = false
        let (report, session) = try reader.read([file], as: source) { findings.add($0) }
        findings.content = .guide(
            GuidePreview.Listings(
                programmes: report.programmesRead, airings: report.airingsStored, stations: session.stationCount,
                stationNames: session.stationNames, span: session.span, examples: session.examples))
        func attribute(_ name: String) -> String? { report.header.first { $0.name == name }?.value }
        // The version and the author follow the name of a program: "WebGrab+Plus/w MDB & REX Postprocess".
        let generator = attribute("generator-info-name")?.split(separator: "/").first.map(String.init)
        findings.name = FeedName.suggested([attribute("source-info-name"), generator])
        return findings
    }

    private func read(
        _ files: [GuideFile], as source: Source, found: @escaping (Diagnostic) throws -> Void
    ) throws -> (ImportReport, DiscardingSession) {
        let session = DiscardingSession(found)
        var decoder = GuideDecoder(
            session.loadContentIndex(), key: session.contentKey, try TimeResolver(source), options)
        try decoder.decode(files, into: session)
        return (try decoder.finish(into: session), session)
    }
}

/// What a guide or a playlist holds, and the problems in it.
package struct GuidePreview: Sendable {
    package enum Content: Sendable {
        case guide(Listings)
        case playlist(Lineup)
    }

    /// The listings of a guide.
    package struct Listings: Hashable, Sendable {
        package var programmes = 0
        package var airings = 0
        package var stations = 0
        /// The names of the first stations.
        package var stationNames: [String] = []
        /// The range from the first start to the last stop; `nil` without airings.
        package var span: TimeWindow?
        /// The first airings of the first stations.
        package var examples: [Example] = []

        package init(
            programmes: Int = 0, airings: Int = 0, stations: Int = 0, stationNames: [String] = [],
            span: TimeWindow? = nil, examples: [Example] = []
        ) {
            self.programmes = programmes
            self.airings = airings
            self.stations = stations
            self.stationNames = stationNames
            self.span = span
            self.examples = examples
        }
    }

    /// An airing, from which users see whether the times are right.
    package struct Example: Hashable, Sendable {
        /// The name of the station.
        package var station: String
        package var title: String
        package var window: TimeWindow

        package init(station: String, title: String, window: TimeWindow) {
            self.station = station
            self.title = title
            self.window = window
        }
    }

    /// The problems of one kind.
    package struct Finding: Sendable {
        package let keyword: Diagnostic.Keyword
        /// The most severe of them.
        package fileprivate(set) var severity: Diagnostic.Severity
        package fileprivate(set) var count = 0
        /// The first ones.
        package fileprivate(set) var examples: [Diagnostic] = []
    }

    /// The number of examples of each kind.
    private static let exampleCount = 5

    package fileprivate(set) var content: Content
    /// The name that the guide or playlist gives itself, as the name of a source; `nil` without a usable one.
    package fileprivate(set) var name: String?
    /// Whether times of the guide have no zone.
    package var lacksZones: Bool { found[.missingtimezone] != nil }
    /// The problems by kind.
    private var found: [Diagnostic.Keyword: Finding] = [:]

    package init(_ content: Content) {
        self.content = content
    }

    /// The problems by kind: errors, then warnings, then notes, each sorted by number.
    package var findings: [Finding] {
        found.values.sorted { one, other in
            if one.severity != other.severity { return one.severity.rank > other.severity.rank }
            return (other.count, one.keyword.rawValue) < (one.count, other.keyword.rawValue)
        }
    }

    /// Adds a problem.
    package mutating func add(_ diagnostic: Diagnostic) {
        var finding =
            found[diagnostic.keyword] ?? Finding(keyword: diagnostic.keyword, severity: diagnostic.severity)
        finding.count += 1
        if diagnostic.severity.rank > finding.severity.rank { finding.severity = diagnostic.severity }
        if finding.examples.count < Self.exampleCount { finding.examples.append(diagnostic) }
        found[diagnostic.keyword] = finding
    }

    /// Sets the number of problems of a kind, of which only some were added.
    fileprivate mutating func setCount(_ count: Int, of keyword: Diagnostic.Keyword) { found[keyword]?.count = count }
}

/// Names of sources from the texts with which feeds describe themselves.
private enum FeedName {
    /// The maximum length of the name of a source in bytes.
    private static let maximumLength = 64

    /// Returns the first text that is usable as a name: short, and no URL, whose host is a better name.
    static func suggested(_ texts: [String?]) -> String? {
        for case let text? in texts {
            let name = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            let isText = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
            if !name.isEmpty, name.utf8.count <= maximumLength, isText, !name.contains("://") { return name }
        }
        return nil
    }
}

extension Diagnostic.Severity {
    fileprivate var rank: Int { Diagnostic.Severity.allCases.firstIndex(of: self) ?? 0 }
}

/// Checks that only a validator performs.
extension GuideDecoder {
    /// Reports which parts of a record aren't valid under `xmltv.dtd`.
    mutating func checkRules(_ element: XMLTVElement, _ line: Int) {
        guard case .element(let content) = element.contentNode else { return }
        let id = element[attribute: element.name == "channel" ? "id" : "channel"]
        for fault in XMLTVRules.faults(of: content).map(\.description).sorted() {
            diagnostics.add(
                Diagnostic(
                    severity: .warning, keyword: .notvalid, action: .kept, line: line,
                    station: id.map { StationID($0) }, quote: fault))
        }
        if element.name == "channel", let id, !id.isEmpty, !Self.isDomain(id) {
            diagnostics.add(
                Diagnostic(
                    severity: .warning, keyword: .invalidid, action: .kept, line: line, station: StationID(id)))
        }
    }

    /// Returns whether an identifier has the form that the DTD requires: names of letters, digits, and hyphens,
    /// separated by periods, such as `channel4.com` (`/^[-a-zA-Z0-9]+(\.[-a-zA-Z0-9]+)+$/`).
    private static func isDomain(_ id: String) -> Bool {
        let names = id.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return names.count >= 2
            && names.allSatisfy { name in
                !name.isEmpty
                    && name.allSatisfy { byte in
                        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D
                    }
            }
    }
}

/// An import session that discards the guide: it passes diagnostics to a closure, and keeps only titles of programmes and the
/// quality of the schedules.
private final class DiscardingSession: ImportSession {
    let contentKey = ContentHash(high: 0x5851_F42D_4C95_7F2D, low: 0x1405_7B7E_F767_814F)
    private let found: (Diagnostic) throws -> Void
    /// Titles, indexed by the programme's number minus one.
    private var titles: [String] = []
    private var titleBytes = 0
    /// The quality of the schedules that replaced the guide's schedules.
    private(set) var quality = ScheduleQuality()
    /// The range from the first start to the last stop of all schedules; `nil` without airings.
    private(set) var span: TimeWindow?
    private(set) var stationCount = 0
    /// The names of the first stations.
    private(set) var stationNames: [String] = []
    /// The first airings of stations, by station.
    private var firstAirings: [StationID: GuidePreview.Example] = [:]
    /// The first airings of the first stations.
    private(set) var examples: [GuidePreview.Example] = []

    /// The number of ``examples``, and of stations that are kept to choose them.
    private static let exampleCounts = (shown: 5, kept: 100)

    /// The maximum memory for titles in bytes. Findings in later programmes have no title.
    private static let maximumTitleBytes = 64 << 20

    init(_ found: @escaping (Diagnostic) throws -> Void) {
        self.found = found
    }

    func loadContentIndex() -> StoredContents {
        StoredContents()
    }

    func append(_ batch: ContentBatch) throws {
        for row in batch.programmes where titleBytes < Self.maximumTitleBytes {
            titleBytes += 48 + Int(row.title.count)
            let start = Int(row.title.offset)
            titles.append(String(decoding: batch.texts[start..<start + max(0, Int(row.title.count))], as: UTF8.self))
        }
        for var diagnostic in batch.diagnostics {
            setTitle(of: &diagnostic.listing)
            setTitle(of: &diagnostic.other)
            try found(diagnostic)
        }
    }

    private func setTitle(of reference: inout Diagnostic.Reference?) {
        guard let index = reference.map({ Int($0.programme) - 1 }), titles.indices.contains(index) else { return }
        reference?.title = titles[index]
    }

    func replaceSchedule(of station: StationID, with listings: NormalizedListings) {
        extendSpan(to: listings)
        if let first = listings.airings.first, firstAirings.count < Self.exampleCounts.kept {
            let index = Int(first.programme) - 1
            firstAirings[station] = GuidePreview.Example(
                station: station.rawValue, title: titles.indices.contains(index) ? titles[index] : "",
                window: first.window)
        }
        quality += ScheduleQuality(of: listings.airings)
    }

    private func extendSpan(to listings: NormalizedListings) {
        guard let first = listings.airings.first, let end = listings.airings.lazy.map(\.window.end).max() else {
            return
        }
        span = TimeWindow(
            start: min(first.window.start, span?.start ?? first.window.start), end: max(end, span?.end ?? end))
    }

    func release(_ programmes: [Int64]) {}

    func setStations(_ stations: [(place: Int, id: StationID, nodes: [ContentNode])]) {
        stationCount = stations.count
        stationNames = stations.prefix(20).map { Station(id: $0.id, nodes: $0.nodes).name }
        for station in stations where examples.count < Self.exampleCounts.shown {
            guard var example = firstAirings[station.id] else { continue }
            example.station = Station(id: station.id, nodes: station.nodes).name
            examples.append(example)
        }
    }

    func commit(_ report: ImportReport, state: SourceState?) -> ImportOutcome {
        ImportOutcome(report: report, importID: 0, generation: Generation(0), changedGuide: false)
    }

    func cancel() {}
}
