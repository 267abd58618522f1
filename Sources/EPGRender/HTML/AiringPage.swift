package import EPGCalendar
package import EPGModel

/// What the page of an airing shows: everything that is known of it.
package struct AiringPage: Sendable {
    let detail: AiringDetail
    /// The station, as far as it is in the guide.
    let station: StationRow?
    /// Other airings of the same programme, the next ones first.
    let showings: [SearchMatch]
    let now: Instant
    let zone: Zone
    /// The languages that the reader understands, the best first.
    let languages: [String]

    /// How many other showings are asked for.
    static let showingLimit = 20

    /// Reads what surrounds an airing from a guide.
    package init(
        _ detail: AiringDetail, of guide: any GuideReading, now: Instant, zone: Zone, languages: [String]
    ) throws {
        self.init(
            detail: detail, station: try guide.station(detail.airing.station),
            showings: try guide.showings(of: detail.airing.id, after: now, limit: AiringPage.showingLimit), now: now,
            zone: zone, languages: languages)
    }

    init(
        detail: AiringDetail, station: StationRow?, showings: [SearchMatch], now: Instant, zone: Zone,
        languages: [String] = []
    ) {
        self.detail = detail
        self.station = station
        self.showings = showings
        self.now = now
        self.zone = zone
        self.languages = languages
    }

    var airing: Airing { detail.airing }
    var programme: Programme { detail.programme }

    var title: String { programme.titles.text(preferring: languages) ?? airing.title }

    /// The first title in another language, where the feed gives one.
    var otherTitle: String? { programme.titles.first { $0.text != title }?.text }

    /// The credits by role, in the order of the feed.
    var credits: [(role: String, people: [Programme.Credit])] {
        var roles: [(role: String, people: [Programme.Credit])] = []
        for credit in programme.credits {
            if let index = roles.firstIndex(where: { $0.role == credit.role }) {
                roles[index].people.append(credit)
            } else {
                roles.append((credit.role, [credit]))
            }
        }
        return roles
    }
}
