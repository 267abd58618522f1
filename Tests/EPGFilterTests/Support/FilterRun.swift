import EPGFilter
import EPGModel
import XMLTV

/// One of our filters at work on guides in memory.
struct FilterRun {
    private(set) var bytes: [UInt8] = []
    private(set) var warnings: [FilterWarning] = []

    /// What it wrote.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    static let now = Instant(secondsSince1970: 1_774_740_600)

    /// Runs a filter as its command line says: `cat`, `sort [--by-channel] [--duplicate-error]` or `grep …`.
    init(_ command: [String], _ guides: [[UInt8]]) throws {
        let sources = guides.enumerated().map { number, bytes in
            FilterSource(name: "guide \(number + 1)", source: ChunkSource(bytes))
        }
        let box = Box()
        let warn: (FilterWarning) -> Void = { box.warnings.append($0) }
        let send: ([UInt8]) -> Void = { box.bytes += $0 }
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
        bytes = box.bytes
        warnings = box.warnings
    }

    init(_ command: [String], _ guides: String...) throws {
        try self.init(command, guides.map { Array($0.utf8) })
    }

    private final class Box {
        var bytes: [UInt8] = []
        var warnings: [FilterWarning] = []
    }
}
