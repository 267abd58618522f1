import EPGFilter
import EPGModel
import XMLTV

/// A run of a filter on guides in memory.
struct FilterRun {
    private(set) var bytes: [UInt8] = []
    private(set) var warnings: [FilterWarning] = []

    /// The output.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    static let now = Instant(secondsSince1970: 1_774_740_600)

    /// Runs a filter with a command line: `cat`, `sort [--by-channel] [--duplicate-error]`, or `grep …`.
    init(_ command: [String], _ guides: [[UInt8]]) throws {
        let sources = guides.enumerated().map { number, bytes in
            FilterSource(name: "guide \(number + 1)", source: ChunkSource(bytes))
        }
        let output = Output()
        let warn: (FilterWarning) -> Void = { output.warnings.append($0) }
        let send: ([UInt8]) -> Void = { output.bytes += $0 }
        switch command.first {
        case "cat": try CatFilter().run(sources, warn: warn, send: send)
        case "sort":
            var filter = SortFilter()
            filter.isByChannel = command.contains("--by-channel")
            filter.warnsOfDuplicates = command.contains("--duplicate-error")
            try filter.run(sources, warn: warn, send: send)
        default:
            let arguments = try GrepArguments(Array(command.dropFirst()), now: FilterRun.now)
            try GrepFilter(arguments.expression).run(sources, warn: warn, send: send)
        }
        bytes = output.bytes
        warnings = output.warnings
    }

    init(_ command: [String], _ guides: String...) throws {
        try self.init(command, guides.map { Array($0.utf8) })
    }

    private final class Output {
        var bytes: [UInt8] = []
        var warnings: [FilterWarning] = []
    }
}

extension FilterRun {
    /// Returns the records with a name in the output.
    func elements(_ name: String) throws -> [XMLTVElement] {
        var reader = XMLTVReader(ChunkSource(bytes))
        var elements: [XMLTVElement] = []
        while try reader.next() != nil {
            if reader.element.name == name { elements.append(reader.element) }
        }
        return elements
    }
}

/// Guides in short notation.
enum SmallGuide {
    /// Returns a guide of programmes written as `start stop channel title [clumpidx]`, with a dash for a missing value.
    /// Times are hours of 2026-03-29 in UTC, such as `09` or `0930`.
    static func guide(_ programmes: String...) -> String {
        let records = programmes.map { programme in
            let fields = programme.split(separator: " ").map(String.init)
            let stop = fields[1] == "-" ? "" : " stop=\"20260329\(fields[1])\""
            let clump = fields.count > 4 ? " clumpidx=\"\(fields[4])\"" : ""
            return """
                <programme start="20260329\(fields[0])"\(stop) channel="\(fields[2])"\(clump)><title>\(fields[3])</title></programme>
                """
        }
        return "<tv>\(records.joined())</tv>"
    }

    /// Returns the programmes of a guide in the notation of ``guide(_:)``.
    static func programmes(_ run: FilterRun) throws -> [String] {
        try run.elements("programme").map { programme in
            func time(_ name: String) -> String { programme[attribute: name].map { String($0.dropFirst(8)) } ?? "-" }
            let clump = programme[attribute: "clumpidx"].map { " " + $0 } ?? ""
            return "\(time("start")) \(time("stop")) \(programme[attribute: "channel"] ?? "-") "
                + "\(programme.child("title")?.text ?? "-")\(clump)"
        }
    }
}
