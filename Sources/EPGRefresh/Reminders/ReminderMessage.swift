package import EPGCalendar
internal import EPGJSON
package import EPGModel

/// The content of a reminder.
package struct ReminderMessage: Hashable, Sendable {
    /// The idempotency key.
    package let key: String
    /// The title of the programme, or the name of the station without one.
    package let title: String
    /// Time and station, and the subtitle on a line of its own: `20:15–21:00 · Channel One`.
    package let text: String
    /// The URL of the airing in the pages of the guide; `nil` without a public URL of the service.
    package let url: String?
    /// The JSON object for webhooks and programs (Documentation/watchlist.md).
    package let json: [UInt8]

    /// - Parameters:
    ///   - zone: The time zone of ``text``.
    ///   - publicURL: The public URL of the service without a trailing slash.
    package init(_ entry: ReminderPlan.Entry, zone: Zone, publicURL: String?) {
        let watched = entry.watched
        let airing = watched.airing
        key = entry.reminder.key
        title = AiringText(airing).title
        let times = AiringText(airing).times(GuideClock(zone: zone))
        text = ["\(times) · \(watched.detail.stationName)", airing.subtitle].compactMap(\.self).joined(separator: "\n")
        let url = publicURL.map { "\($0)/airings/\(airing.id)" }
        self.url = url
        var writer = JSONWriter()
        writer.object { json in
            json.member("key", entry.reminder.key)
            json.member("rule", entry.rule)
            json.member("airing", watched)
            json.member("url", url)
        }
        json = writer.takeBytes()
    }
}
