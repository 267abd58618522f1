package import EPGCalendar
import EPGModel
import XMLTV

/// A feed of upcoming airings (Atom, RFC 4287).
///
/// An airing is one entry, also if several rules match it. The identifier of an entry is the key of the reminder of its first
/// rule, so it stays if the airing moves. `updated` is when the reminder is due, so it changes if the airing moves.
package struct WatchAtom: Sendable {
    private let listing: WatchListing
    private let title: String
    private let base: String
    private let path: String
    private let identity: String
    private let zone: Zone
    private let query: String

    /// - Parameters:
    ///   - base: The URL of the service without a trailing slash; empty for relative links.
    ///   - path: The path of the feed.
    ///   - identity: What identifies the feed among the feeds of all services.
    ///   - query: The query of all links with its question mark; empty by default.
    package init(
        _ listing: WatchListing, title: String, base: String, path: String, identity: String, zone: Zone,
        query: String = ""
    ) {
        self.query = query
        self.listing = listing
        self.title = title
        self.base = base
        self.path = path
        self.identity = identity
        self.zone = zone
    }

    /// Returns the document in UTF-8. Call it while the guide is being read.
    ///
    /// - Throws: An error of the store.
    package func bytes() throws -> [UInt8] {
        var xml = XMLWriter()
        xml.declaration()
        let entries = try listing.airings.compactMap { watched in
            try watched.rules.first.map { rule in
                (watched, due: rule.dueTime(of: watched.airing.window), key: try listing.key(of: watched, for: rule))
            }
        }.filter { $0.due.hasFourDigitYear && $0.0.airing.window.end.hasFourDigitYear }
        xml.element("feed", [("xmlns", "http://www.w3.org/2005/Atom")]) { xml in
            xml.element("id", text: Self.identifier(of: "feed " + identity))
            xml.element("title", text: title)
            xml.element("updated", text: (entries.map(\.due).max() ?? Instant(secondsSince1970: 0)).iso8601)
            xml.element("author") { $0.element("name", text: "TV guide") }
            xml.element("link", [("rel", "self"), ("type", "application/atom+xml"), ("href", base + path + query)])
            xml.element("link", [("rel", "alternate"), ("type", "text/html"), ("href", base + "/watch" + query)])
            for (watched, due, key) in entries {
                xml.lineBreak()
                xml.element("entry") { write(watched, due, key, &$0) }
            }
        }
        xml.lineBreak()
        return xml.bytes
    }

    private func write(_ watched: WatchedAiring, _ due: Instant, _ key: String, _ xml: inout XMLWriter) {
        let airing = watched.airing
        xml.element("id", text: Self.identifier(of: key))
        xml.element(
            "title", text: [airing.shownTitle, AiringText(airing).episode].compactMap(\.self).joined(separator: " "))
        xml.element("updated", text: due.iso8601)
        xml.element(
            "link", [("rel", "alternate"), ("type", "text/html"), ("href", "\(base)/airings/\(airing.id)\(query)")])
        for category in airing.categories { xml.element("category", [("term", category)]) }
        let times =
            "\(zone.dayLabel(at: airing.window.start)), \(AiringText(airing).times(GuideClock(zone: zone))) · \(watched.detail.stationName)"
        let parts = [times, airing.subtitle, airing.description].compactMap(\.self)
        xml.element("summary", [("type", "text")], text: parts.joined(separator: " · "))
    }

    /// Returns a UUID that is a hash of a text (RFC 9562, version 8) as a URN.
    private static func identifier(of text: String) -> String {
        let hash = ContentHasher.fixed.hash(Array(text.utf8).span)
        let high = hash.high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000
        let low = hash.low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = [high, low].map { number in
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
        var parts: [Substring] = []
        var rest = digits[...]
        for count in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return "urn:uuid:" + parts.joined(separator: "-")
    }
}
