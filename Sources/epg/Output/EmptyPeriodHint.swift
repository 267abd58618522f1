import EPGCalendar
import EPGModel
import EPGRender

/// The hint for a result without programmes: when the guide has some, or how to get them.
struct EmptyPeriodHint {
    /// The range of the listings; `nil` for a guide without any.
    let span: TimeWindow?
    let now: Instant

    /// Prints the hint on standard error.
    ///
    /// - Parameter option: The option that chooses another time.
    func print(in zone: Zone, option: String) {
        StandardError.report(text(in: zone, option: option))
    }

    /// - Parameter option: The option that chooses another time.
    func text(in zone: Zone, option: String) -> String {
        let listings = ListingsState(span, at: now)
        guard let span, listings != .empty else {
            return
                "The guide has no listings yet. Add a source with `epg source add NAME URL` and run `epg refresh`, or import "
                + "a file with `epg import FILE`."
        }
        var text = "No programmes in this period. "
        if case .over(let end) = listings {
            text = "The listings ended on \(zone.fullLabel(at: end)). Run `epg refresh` to update them. "
        }
        return text + "The guide has listings from \(zone.fullLabel(at: span.start)) to "
            + "\(zone.fullLabel(at: span.end)). Choose another time with \(option)."
    }
}
