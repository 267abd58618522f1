import EPGJSON
import EPGModel

/// A line of EPG JSON: a guide, a station, an airing or the end of a guide (Documentation/epg-json.md).
enum EPGJSONLine {
    /// What kinds of lines there are, by their member `type`.
    enum Kind: String {
        case guide, station, airing, end
    }

    /// The newest version that can be read.
    static let version: Int64 = 1

    /// The kind of a line; `nil` where it is none.
    static func kind(of node: JSONNode) -> Kind? {
        node["type"]?.string.flatMap(Kind.init(rawValue:))
    }

    /// The record of a line; one that can't be read is ``GuideRecord/unreadable(_:)``.
    ///
    /// - Throws: `newerVersion` for the header of a guide that this program can't know.
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
                // The end of a guide is no record: `GuideJSONReader.takeLine(_:)` takes it before.
                guard node.kind == .object else { throw EPGJSONFault(.notvalid, "not an object") }
                throw EPGJSONFault(.notvalid, "type: \(node["type"].map { $0.text ?? "not a string" } ?? "missing")")
            }
        } catch {
            return .unreadable(error, line, station: node["station"]?.string.map(StationID.init))
        }
    }

    private static func header(_ node: JSONNode) throws(EPGJSONFault) -> [ContentAttribute] {
        // A text called `end` is an attribute as any other; `true` and `false` say whether an end line follows.
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
            // A number or whatever it is can't be read as a time: the import says so, and infers the stop.
            record.stop = .text(stop.text ?? "")
        }
        if let transmission = node["transmission"], transmission.kind != .null {
            guard transmission.kind == .object else { throw EPGJSONFault(.notvalid, "transmission: not an object") }
            record.transmission = try ElementJSON.attributes(of: transmission)
        }
        if let clump = node["clump"]?.text {
            record.clump = Self.clump(clump)
            // As in XMLTV: `0/1` is the default, and what names no place in a clump is kept as it is.
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

    /// Reads `index/count`; `nil` where the window isn't shared or the text is something else.
    private static func clump(_ text: String) -> Clump? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]) else { return nil }
        return Clump(index: index, count: count)
    }
}

extension GuideRecord {
    /// A record that can't be read.
    static func unreadable(_ fault: EPGJSONFault, _ line: Int, station: StationID? = nil) -> GuideRecord {
        .unreadable(
            Diagnostic(
                severity: .error, keyword: fault.keyword, action: .skipped, line: line, station: station,
                quote: fault.quote))
    }

    /// A remark on a record or a file, by which no airing is lost; of the quote the first 200 characters.
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

/// Counts the lines of a guide in EPG JSON, and tells whether it is whole: whether it has the end that it announces.
struct EPGJSONTally {
    /// What is missing of a guide that was cut off.
    static let missingEnd = "a guide whose last line, of the type end, is missing"

    /// Whether an end is announced that is still to come.
    private(set) var isOpen = false
    /// Whether the end was read, and no line behind it.
    private var hasEnded = false
    private var stations = 0
    private var airings = 0

    /// Takes a line that was read, whether or not its record makes sense.
    ///
    /// - Returns: What is wrong with the end of the guide; no line is lost by it.
    mutating func take(_ node: JSONNode, _ kind: EPGJSONLine.Kind?) -> String? {
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
            return "lines behind the end of the guide are read, too"
        }
        guard kind == .end else { return nil }
        defer { self = EPGJSONTally(hasEnded: true) }
        var (announced, read): ([String], [String]) = ([], [])
        for (member, count) in [("stations", stations), ("airings", airings)] {
            guard let value = node[member], value.kind != .null else { continue }
            guard let number = value.integer else { return "end: \(member) is no whole number" }
            guard number != Int64(count) else { continue }
            announced.append("\(number) \(member)")
            read.append("\(count)")
        }
        guard !announced.isEmpty else { return nil }
        let (whole, found) = (announced.joined(separator: " and "), read.joined(separator: " and "))
        return "end: \(whole) are announced, \(found) were read"
    }
}
