package import EPGModel

/// The part of a guide that an export contains, and how it is written.
package struct ExportRequest: Sendable {
    /// The format of the exported guide.
    package enum Format: String, Sendable {
        case xmltv
        /// EPG JSON, an object on each line.
        case json
    }

    /// The times that an export contains if the guide repaired them.
    package enum Times: String, CaseIterable, Sendable {
        /// In XMLTV, the times that the guide shows; in JSON, those that the source published, unless the guide merges
        /// several sources.
        case usual
        /// The times of the source, without inferred stops.
        case published
        /// The times that the guide shows.
        case shown
    }

    /// Selects airings that overlap it; `nil` for all.
    package var window: TimeWindow?
    /// Select stations whose identifier matches one of them; empty for all.
    package var patterns: [StationPattern] = []
    /// Selects stations that a channel of this lineup shows; `nil` for all.
    package var lineup: String?
    /// Selects all airings of this source, including hidden ones; `nil` for those that the guide shows.
    package var source: String?
    package var times = Times.usual
    /// See ``ExportOptions/isStrict``.
    package var isStrict = false

    /// Creates a request for the whole guide.
    package init() {}

    /// Writes the part of a guide.
    ///
    /// - Throws: ``UnknownSource``, ``UnknownLineup`` or ``NoStationSelected`` if the guide lacks what the request names; what
    ///   the sink throws; an error of the store.
    package func write(_ guide: any GuideReading, as format: Format, to sink: @escaping ExportSink) throws {
        let options = ExportOptions(times: try times(in: guide, as: format), isStrict: isStrict)
        switch format {
        case .xmltv: try export(guide, to: XMLTVExporter(options, to: sink))
        case .json: try export(guide, to: JSONExporter(options, to: sink))
        }
    }

    private func export(_ guide: any GuideReading, to exporter: some GuideVisitor) throws {
        let selection = try selection(in: guide)
        // An empty guide is written as one. Stations that the request names must exist.
        if selection.stations == nil {
            var exporter = exporter
            try guide.export(selection, to: &exporter)
        } else {
            var selected = SelectedStations(for: exporter)
            try guide.export(selection, to: &selected)
        }
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
        case .usual:
            try format == .xmltv || source == nil && guide.sourceRecords().count > 1 ? .shown : .published
        }
    }
}

/// The lineup that an export names doesn't exist.
package struct UnknownLineup: Error, Hashable, Sendable {
    package let name: String
}
