package import EPGModel

/// A short notation for guides around 2026-03-28 UTC: `one 20:00-21:00 News / Late: With weather.`
///
/// Hours continue past midnight (`26:00`) and can be negative. `?` is a missing stop. Sub-title and description are optional.
/// A text that starts with `<` is inserted unchanged.
package enum Day {
    /// 2026-03-28T00:00:00Z.
    private static let midnight = Instant(secondsSince1970: 1_774_656_000)

    /// All instants that a guide can hold.
    package static let allTime = TimeWindow(
        start: Instant(secondsSince1970: .min / 2), end: Instant(secondsSince1970: .max / 2))

    /// 2026-03-28T18:00:00Z, the default time of imports and changes.
    package static let now = instant("18:00")

    /// Returns the instant of a clock time such as `20:00`.
    package static func instant(_ clock: String) -> Instant {
        let parts = clock.split(separator: ":").map { Int64($0) ?? 0 }
        return midnight.advanced(by: (parts.first ?? 0) * 3600 + (parts.last ?? 0) * 60)
    }

    /// Returns the window of a text such as `20:00-21:00`.
    package static func window(_ text: String) -> TimeWindow {
        let parts = text.split(separator: "-").map { instant(String($0)) }
        return TimeWindow(start: parts.first ?? midnight, end: parts.last ?? midnight)
    }

    /// Returns an XMLTV guide of airings, one per line from line 3 on, without `<channel>` elements.
    package static func guide(_ airings: [String]) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tv>\n" + airings.map(record).joined(separator: "\n") + "\n</tv>\n"
    }

    /// Returns a line such as `20:00-21:00 News`, with `?` after the window if the stop was inferred.
    package static func line(_ airing: Airing) -> String {
        "\(clock(airing.window.start))-\(clock(airing.window.end))\(airing.isStopInferred ? "?" : "") \(airing.title)"
    }

    private static func record(_ text: String) -> String {
        guard !text.hasPrefix("<") else { return text }
        let words = text.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count == 3 else { return text }
        let times = words[1].split(separator: "-").map(String.init)
        let (head, description) = split(words[2], at: ": ")
        let (title, subtitle) = split(head, at: " / ")
        var record = "<programme start=\"\(stamp(times.first ?? ""))\""
        if let stop = times.last, stop != "?" { record += " stop=\"\(stamp(stop))\"" }
        record += " channel=\"\(words[0])\"><title>\(title)</title>"
        if let subtitle { record += "<sub-title>\(subtitle)</sub-title>" }
        if let description { record += "<desc>\(description)</desc>" }
        return record + "</programme>"
    }

    private static func split(_ text: String, at separator: String) -> (String, String?) {
        // A search for bytes takes a fraction of the time of one for characters in a debug build.
        let (bytes, wanted) = (Array(text.utf8), Array(separator.utf8))
        guard bytes.count >= wanted.count,
            let start = (0...bytes.count - wanted.count).first(where: { bytes[$0...].starts(with: wanted) })
        else { return (text, nil) }
        return (
            String(decoding: bytes[..<start], as: UTF8.self),
            String(decoding: bytes[(start + wanted.count)...], as: UTF8.self)
        )
    }

    /// Returns an XMLTV time such as `20260328200000 +0000`.
    package static func stamp(_ clock: String) -> String {
        String(decoding: instant(clock).iso8601.utf8.filter { (48...57).contains($0) }, as: UTF8.self) + " +0000"
    }

    /// Returns the clock time of an instant, such as `20:00`.
    package static func clock(_ instant: Instant) -> String {
        let minutes = midnight.seconds(to: instant) / 60
        let (hour, minute) = (minutes / 60, minutes % 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }
}
