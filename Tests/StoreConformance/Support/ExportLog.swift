import EPGJSON
package import EPGModel

/// A visitor that records an export.
package struct ExportLog: GuideVisitor {
    /// The error that the visitor throws at the first airing if it is created with `stops`.
    package struct Stop: Error, Equatable {
        package init() {}
    }

    package private(set) var header: [ContentAttribute] = []
    /// One line per call, such as `station one`. Airings are in the notation of ``Day``, followed by the source.
    package private(set) var lines: [String] = []
    package private(set) var airings: [ExportedAiring] = []
    /// The descriptions of the stations by identifier.
    package private(set) var nodes: [String: [ContentNode]] = [:]
    private let stops: Bool

    /// - Parameter stops: Whether the first airing throws ``Stop``.
    package init(stops: Bool = false) {
        self.stops = stops
    }

    package mutating func begin(header: [ContentAttribute]) throws {
        self.header = header
        lines.append("begin")
    }

    package mutating func station(_ station: StationRow, nodes: [ContentNode]) throws {
        lines.append("station \(station.station.id)")
        self.nodes[station.station.id.rawValue] = nodes
    }

    package mutating func airing(_ airing: ExportedAiring) throws {
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

    package mutating func end() throws { lines.append("end") }

    /// Returns the log of an export.
    package static func of(_ store: any GuideReading, _ selection: ExportSelection = ExportSelection()) throws
        -> ExportLog
    {
        var log = ExportLog()
        try store.export(selection, to: &log)
        return log
    }
}

extension ExportedAiring {
    /// The content of the programme; empty if it cannot be read.
    package var nodes: [ContentNode] { (try? programme.nodes()) ?? [] }
}
