package import EPGModel
package import EPGOutput

/// The part of a guide to export, and the options of the export.
package struct ExportRequest: Sendable {
    /// The format of the exported guide.
    package enum Format: String, Sendable {
        /// XMLTV.
        case xmltv
        /// EPG JSON, one object per line.
        case json
    }

    /// The times to export if the import repaired them.
    package enum Times: String, CaseIterable, Sendable {
        /// In XMLTV, the times that the guide shows. In JSON, those that the source published, unless the guide merges
        /// several sources.
        case automatic = "auto"
        /// The times of the source, without inferred stops.
        case published
        /// The times that the guide shows.
        case shown
    }

    /// Selects airings that overlap the window; `nil` selects all.
    package var window: TimeWindow?
    /// Selects stations whose identifier matches a pattern; empty selects all.
    package var patterns: [WildcardPattern] = []
    /// Selects stations that a channel of this lineup shows; `nil` selects all.
    package var lineup: String?
    /// Selects all airings of this source, including hidden ones; `nil` selects those that the guide shows.
    package var source: String?
    /// The times to export.
    package var times = Times.automatic
    /// See ``ExportOptions/isStrict``.
    package var isStrict = false
    /// See ``ExportOptions/generator``.
    package var generator = "swift-epg"
    /// Changes of genres and texts.
    package var output = OutputSettings()
    /// The logos of stations.
    package var logos = Logos.guide

    /// Creates a request for the complete guide.
    package init() {}

    /// Writes the requested part of a guide.
    ///
    /// - Returns: The number of omitted airings, whose times the format cannot represent.
    /// - Throws: ``UnknownSource``, ``UnknownLineup``, or ``NoStationSelected`` if the guide lacks what the request
    ///   names; any error of the sink or the store.
    @discardableResult
    package func write(_ guide: any GuideReading, as format: Format, to sink: @escaping ExportSink) throws -> Int {
        let options = ExportOptions(
            times: try times(in: guide, as: format), isStrict: isStrict, generator: generator)
        return switch format {
        case .xmltv: try export(guide, to: XMLTVExporter(options, to: sink)).omittedCount
        case .json: try export(guide, to: JSONExporter(options, to: sink)).omittedCount
        }
    }

    /// Passes the requested part of a guide to an exporter, and returns the exporter.
    ///
    /// - Throws: As ``write(_:as:to:)``.
    package func export<Exporter: GuideVisitor>(_ guide: any GuideReading, to exporter: Exporter) throws -> Exporter {
        let selection = try selection(in: guide)
        var exporter = ShapedGuide(for: exporter, output, logos)
        // Export an empty guide, but fail if none of the stations that the request names exists.
        guard selection.stations != nil else {
            try guide.export(selection, to: &exporter)
            return exporter.visitor
        }
        var selected = SelectedStations(for: exporter)
        try guide.export(selection, to: &selected)
        return selected.visitor.visitor
    }

    private func selection(in guide: any GuideReading) throws -> ExportSelection {
        var selection = ExportSelection()
        selection.window = window
        selection.source = source
        let listed = try lineup.map { name in
            guard let matches = try guide.lineup(named: name)?.matches else { throw UnknownLineup(name: name) }
            return Set(matches.compactMap { $0?.station })
        }
        if !patterns.isEmpty || listed != nil {
            selection.stations = { [patterns] station in
                (listed?.contains(station.id) ?? true)
                    && (patterns.isEmpty || patterns.contains { $0.matches(station.id.rawValue) })
            }
        }
        return selection
    }

    private func times(in guide: any GuideReading, as format: Format) throws -> ExportOptions.Times {
        switch times {
        case .published: .published
        case .shown: .shown
        case .automatic:
            try format == .xmltv || source == nil && guide.sourceRecords().count > 1 ? .shown : .published
        }
    }
}

/// An error for an export of a lineup that doesn't exist.
package struct UnknownLineup: Error, Hashable, Sendable {
    /// The requested name.
    package let name: String
}

/// A visitor that passes a guide on to another visitor, and throws ``NoStationSelected`` for a guide without stations.
package struct SelectedStations<Visitor: GuideVisitor>: GuideVisitor {
    /// The other visitor.
    package private(set) var visitor: Visitor
    private var header: [ContentAttribute]?

    /// Creates a visitor that passes everything on.
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

/// An error for an export whose selected stations the guide doesn't have. Nothing has been written.
package struct NoStationSelected: Error, Hashable, Sendable {}

/// A visitor that passes on only airings that meet a condition, and counts them.
package struct FilteredAirings<Visitor: GuideVisitor>: GuideVisitor {
    /// The other visitor.
    package private(set) var visitor: Visitor
    /// The number of airings passed on.
    package private(set) var count = 0
    /// The latest start of the airings passed on, of all stations.
    package private(set) var lastStart: Instant?
    private let isIncluded: (ExportedAiring) -> Bool

    /// Creates a visitor that passes on the airings for which `isIncluded` returns `true`, in order.
    package init(for visitor: Visitor, where isIncluded: @escaping (ExportedAiring) -> Bool) {
        self.visitor = visitor
        self.isIncluded = isIncluded
    }

    /// Creates a visitor that passes on the airings that start in a window.
    ///
    /// Adjacent windows share no airing, so the exports of all days together contain each airing once.
    package init(startingIn window: TimeWindow, for visitor: Visitor) {
        self.init(for: visitor) { window.contains($0.window.start) }
    }

    package mutating func begin(header: [ContentAttribute]) throws { try visitor.begin(header: header) }

    package mutating func station(_ row: StationRow, nodes: [ContentNode]) throws {
        try visitor.station(row, nodes: nodes)
    }

    package mutating func airing(_ airing: ExportedAiring) throws {
        guard isIncluded(airing) else { return }
        count += 1
        lastStart = max(lastStart ?? airing.window.start, airing.window.start)
        try visitor.airing(airing)
    }

    package mutating func end() throws { try visitor.end() }
}
