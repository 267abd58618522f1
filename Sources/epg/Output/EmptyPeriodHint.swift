import EPGCalendar
import EPGModel
import EPGRender

/// The hint that the guide has listings at other times, for a result without programmes.
struct EmptyPeriodHint {
    private let span: TimeWindow

    /// Creates a hint; `nil` for a guide without listings.
    ///
    /// - Parameter span: The range of the listings.
    init?(_ span: TimeWindow?) {
        guard let span, !span.isEmpty else { return nil }
        self.span = span
    }

    /// Prints the hint on standard error.
    ///
    /// - Parameter option: The option that chooses another time.
    func print(in zone: Zone, option: String) {
        StandardError.write(
            "epg: No programmes in this period. The guide has listings from \(zone.fullLabel(at: span.start)) to "
                + "\(zone.fullLabel(at: span.end)). Choose another time with \(option).\n")
    }
}
