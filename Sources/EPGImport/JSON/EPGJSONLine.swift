import EPGJSON
import EPGModel

/// A parser of the lines of EPG JSON: guides, stations, airings, and ends of guides (Documentation/epg-json.md).
enum EPGJSONLine {
    /// The kind of a line, by its member `type`.
    enum Kind: String {
        case guide, station, airing, end
    }

    /// The latest supported version.
    static let version: Int64 = 1

    /// Returns the kind of a line, or `nil` if it is unknown.
    static func kind(of node: JSONNode) -> Kind? {
        node["type"]?.string.flatMap(Kind.init(rawValue:))
    }

    /// Returns the record of a line. An invalid one becomes ``GuideRecord/unreadable(_:)``.
    ///
    /// - Throws: `newerVersion` for a guide header with an unsupported version.
    static func record(_ node: JSONNode) throws(JSONError) -> GuideRecord {
        let line = node.line
        let kind = kind(of: node)
        if kind == .guide, let version = node["version"], version.integer != Self.version {
            throw JSONError(reason: .newerVersion(version.text ?? "unknown"), line: line)
        }
        do throws(EPGJSONFault) {
            switch kind {
            case .guide: return .header(try header(node))
            case .station: return try station(node, line)
            case .airing: return .airing(try airing(node, line))
            case .end, nil:
                // The end of a guide is not a record: `GuideJSONReader.handleLine(_:)` handles it first.
                guard node.kind == .object else { throw EPGJSONFault(.notvalid, "not an object") }
                throw EPGJSONFault(.notvalid, "type: \(node["type"].map { $0.text ?? "not a string" } ?? "missing")")
            }
        } catch {
            return .unreadable(error, line, station: node["station"]?.string.map(StationID.init))
        }
    }

    private static func header(_ node: JSONNode) throws(EPGJSONFault) -> [ContentAttribute] {
        // A string `end` is an ordinary attribute. A Boolean announces whether an end line follows.
        let hasEnd = node[ElementJSON.end]?.bool != nil
        return try ElementJSON.attributes(of: node) {
            $0 == "type" || $0 == "version" || hasEnd && $0 == ElementJSON.end
        }
    }

    private static func station(_ node: JSONNode, _ line: Int) throws(EPGJSONFault) -> GuideRecord {
        guard let id = node["id"]?.text, !id.isEmpty else { throw EPGJSONFault(.invalidid, "id: missing") }
        let nodes = try ElementJSON.nodes(of: node) { $0 == "type" || $0 == "id" }
        return .station(StationID(id), nodes: nodes, line: line)
    }

    private static func airing(_ node: JSONNode, _ line: Int) throws(EPGJSONFault) -> AiringRecord {
        guard let station = node["station"]?.text, !station.isEmpty else {
            throw EPGJSONFault(.unknownid, "station: missing")
        }
        guard let start = node["start"]?.string else { throw EPGJSONFault(.badstart, node["start"]?.text ?? "") }
        var record = AiringRecord(station: StationID(station), start: .text(start), line: line)
        if let stop = node["stop"], stop.kind != .null {
            // A number or other value can't be parsed as a time: the import reports it and infers the stop.
            record.stop = .text(stop.text ?? "")
        }
        if let transmission = node["transmission"], transmission.kind != .null {
            guard transmission.kind == .object else { throw EPGJSONFault(.notvalid, "transmission: not an object") }
            record.transmission = try ElementJSON.attributes(of: transmission)
        }
        if let clump = node["clump"]?.text {
            record.clump = Clump(clumpidx: clump)
            // As in XMLTV: `0/1` is the default, and any other value that is not a position in a clump is kept
            // unchanged.
            if record.clump == nil, clump != "0/1" {
                record.transmission.append(ContentAttribute(name: "clumpidx", value: clump))
            }
        }
        if let programme = node["programme"], programme.kind != .null {
            guard programme.kind == .object else { throw EPGJSONFault(.notvalid, "programme: not an object") }
            record.nodes = try ElementJSON.nodes(of: programme)
        }
        return record
    }
}

extension GuideRecord {
    /// Creates a record that can't be read.
    static func unreadable(_ fault: EPGJSONFault, _ line: Int, station: StationID? = nil) -> GuideRecord {
        .unreadable(
            Diagnostic(
                severity: .error, keyword: fault.keyword, action: .skipped, line: line, station: station,
                quote: fault.quote))
    }

    /// Creates a diagnostic of a record or file from which no airing is lost. Quotes at most 200 characters.
    static func remark(
        _ keyword: Diagnostic.Keyword, _ line: Int, _ quote: String, severity: Diagnostic.Severity = .warning,
        station: StationID? = nil
    ) -> GuideRecord {
        .unreadable(
            Diagnostic(
                severity: severity, keyword: keyword, action: .kept, line: line, station: station,
                quote: String(quote.prefix(200))))
    }
}

/// A counter of the lines of a guide in EPG JSON, which detects whether the announced end is missing.
struct EPGJSONTally {
    /// The construct in which a truncated guide ends, for messages.
    static let missingEnd = "a guide whose last line, of type end, is missing"

    /// Whether an announced end is still missing.
    private(set) var isOpen = false
    /// Whether the last line read was an end.
    private var hasEnded = false
    private var stations = 0
    private var airings = 0

    /// Counts a line, whether or not its record is valid.
    ///
    /// - Returns: The problem with the end of the guide, if any. It loses no line.
    mutating func count(_ node: JSONNode, _ kind: EPGJSONLine.Kind?) -> String? {
        switch kind {
        case .guide:
            self = EPGJSONTally(isOpen: node[ElementJSON.end]?.bool == true)
            return nil
        case .station: stations += 1
        case .airing: airings += 1
        case .end, nil: break
        }
        if hasEnded {
            hasEnded = false
            return "lines follow the end of the guide; they are read, too"
        }
        guard kind == .end else { return nil }
        defer { self = EPGJSONTally(hasEnded: true) }
        var (announced, read): ([String], [String]) = ([], [])
        for (member, count) in [("stations", stations), ("airings", airings)] {
            guard let value = node[member], value.kind != .null else { continue }
            guard let number = value.integer else { return "end: \(member) is not an integer" }
            guard number != Int64(count) else { continue }
            announced.append("\(number) \(member)")
            read.append("\(count)")
        }
        guard !announced.isEmpty else { return nil }
        return "end: \(announced.joined(separator: " and ")) are announced, "
            + "but \(read.joined(separator: " and ")) were read"
    }
}
