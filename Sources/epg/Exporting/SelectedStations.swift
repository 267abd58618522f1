import EPGModel

/// Hands a guide on, unless no station was selected: then it throws before anything was written.
struct SelectedStations<Visitor: GuideVisitor>: GuideVisitor {
    private(set) var visitor: Visitor
    private var header: [ContentAttribute]?

    init(for visitor: Visitor) {
        self.visitor = visitor
    }

    mutating func begin(header: [ContentAttribute]) throws {
        self.header = header
    }

    mutating func station(_ row: StationRow, nodes: [ContentNode]) throws {
        if let header { try visitor.begin(header: header) }
        header = nil
        try visitor.station(row, nodes: nodes)
    }

    mutating func airing(_ airing: ExportedAiring) throws { try visitor.airing(airing) }

    mutating func end() throws {
        guard header == nil else {
            throw CommandFailure(
                .noInput, "There is no such station to write. “epg stations” lists those of the guide.")
        }
        try visitor.end()
    }
}
