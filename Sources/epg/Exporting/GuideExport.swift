import EPGImport
import EPGModel

/// A guide, or a part of it, on its way out.
///
/// Each method returns how many airings were left out (``XMLTVExporter/leftOut``).
struct GuideExport: Sendable {
    let selection: ExportSelection
    let options: ExportOptions

    /// Writes the guide as XMLTV.
    func writeXMLTV(_ guide: any GuideReading, to sink: @escaping ExportSink) throws -> Int {
        try visit(guide, XMLTVExporter(options, to: sink)).leftOut
    }

    /// Writes the guide as EPG JSON.
    func writeJSON(_ guide: any GuideReading, to sink: @escaping ExportSink) throws -> Int {
        try visit(guide, JSONExporter(options, to: sink)).leftOut
    }

    /// Writes the guide as a calendar that was made at an instant.
    func writeCalendar(_ guide: any GuideReading, at now: Instant, to sink: @escaping ExportSink) throws -> Int {
        try visit(guide, CalendarExporter(name: "TV", generator: options.generator, now: now, to: sink)).leftOut
    }

    private func visit<Visitor: GuideVisitor>(_ guide: any GuideReading, _ visitor: Visitor) throws -> Visitor {
        // An empty guide is written as one; stations that were asked for by name have to be there.
        guard selection.stations != nil else {
            var visitor = visitor
            try guide.export(selection, to: &visitor)
            return visitor
        }
        var selected = SelectedStations(for: visitor)
        try guide.export(selection, to: &selected)
        return selected.visitor
    }
}
