import EPGJSON
import EPGModel
import EPGStore

/// Writes down what an export shows, a line for each call.
struct ExportLog: GuideVisitor {
    struct Stop: Error, Equatable {}

    var header: [ContentAttribute] = []
    var lines: [String] = []
    var airings: [ExportedAiring] = []
    var nodes: [String: [ContentNode]] = [:]
    /// Throws at the first airing.
    var stops = false

    mutating func begin(header: [ContentAttribute]) throws {
        self.header = header
        lines.append("begin")
    }

    mutating func station(_ station: StationRow, nodes: [ContentNode]) throws {
        lines.append("station \(station.station.id)")
        self.nodes[station.station.id.rawValue] = nodes
    }

    mutating func airing(_ airing: ExportedAiring) throws {
        if stops { throw Stop() }
        let title = airing.nodes.lazy.compactMap { node -> String? in
            if case .element(let element) = node, element.name == "title" { element.text } else { nil }
        }.first
        let line = Day.line(
            Airing(
                id: AiringID(0), station: airing.station, window: airing.window,
                isStopInferred: airing.isStopInferred, title: title ?? "-"))
        lines.append("\(airing.station) \(line) (\(airing.source))")
        airings.append(airing)
    }

    mutating func end() throws { lines.append("end") }

    /// What a guide gives out.
    static func of(_ store: GuideStore, _ selection: ExportSelection = ExportSelection()) throws -> ExportLog {
        var log = ExportLog()
        try store.export(selection, to: &log)
        return log
    }
}

extension ExportedAiring {
    /// The content of the programme; none where it cannot be read.
    var nodes: [ContentNode] { (try? programme.nodes()) ?? [] }
}
