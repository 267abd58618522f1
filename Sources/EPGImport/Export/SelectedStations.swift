package import EPGModel

/// Passes a guide on to another visitor, and throws ``NoStationSelected`` instead of an empty guide.
package struct SelectedStations<Visitor: GuideVisitor>: GuideVisitor {
    package private(set) var visitor: Visitor
    private var header: [ContentAttribute]?

    /// Passes everything on to a visitor.
    package init(for visitor: Visitor) {
        self.visitor = visitor
    }

    package mutating func begin(header: [ContentAttribute]) throws {
        self.header = header
    }

    package mutating func station(_ row: StationRow, nodes: [ContentNode]) throws {
        if let header { try visitor.begin(header: header) }
        header = nil
        try visitor.station(row, nodes: nodes)
    }

    package mutating func airing(_ airing: ExportedAiring) throws { try visitor.airing(airing) }

    package mutating func end() throws {
        guard header == nil else { throw NoStationSelected() }
        try visitor.end()
    }
}

/// The guide has none of the stations that an export selects. Nothing was written.
package struct NoStationSelected: Error, Hashable, Sendable {}
