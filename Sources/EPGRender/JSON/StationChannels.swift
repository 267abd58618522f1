package import EPGCalendar
package import EPGJSON
package import EPGModel

/// The channels that show a station, with their streams.
package struct StationChannels: Sendable {
    /// One of the channels.
    struct Entry: Sendable {
        /// The name of the lineup.
        let lineup: String
        let channel: Channel
        /// The seconds by which it transmits later than the first channel of the station, whose times are those of the
        /// guide.
        let delay: Int
        /// `nil` for a channel without catch-up.
        let catchup: CatchupTemplate?
    }

    let entries: [Entry]

    /// - Parameter lineups: The lineups that show the station, each with only the channels that do
    ///   (``EPGModel/GuideReading/lineups(showing:)``).
    package init(_ lineups: [Lineup]) {
        let channels = lineups.flatMap { lineup in lineup.channels.map { (lineup, $0) } }
        let first = channels.first.map { $1.shift(in: $0) } ?? 0
        entries = channels.map { lineup, channel in
            Entry(
                lineup: lineup.name, channel: channel, delay: channel.shift(in: lineup) - first,
                catchup: CatchupTemplate(channel, in: lineup))
        }
    }
}

/// Where an airing can be watched or read about.
package struct AiringLink: Hashable, Sendable, JSONObject {
    /// What a link leads to.
    package enum Kind: String, Hashable, Sendable {
        /// A page about the programme, as the feed names it.
        case web
        /// The page of the airing at this service.
        case guide
        /// The live stream of a channel that transmits the airing now.
        case live
    }

    package let kind: Kind
    /// An absolute URL; of ``Kind/guide`` a path if the service has no public URL.
    package let url: String
    /// Where the page comes from, such as `imdb`, or the lineup of the channel; `nil` if unknown.
    package let source: String?

    /// `{"type", "url", "source"}`; a source that is unknown is left out.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("type", kind.rawValue)
        json.member("url", url)
        json.member("source", source)
    }
}

/// An airing of a channel that can be watched although it has begun or is over.
package struct CatchupLink: Hashable, Sendable, JSONObject {
    /// The name of the lineup.
    package let lineup: String
    /// The name of the channel.
    package let channel: String
    package let url: HTTPAddress

    /// `{"lineup", "channel", "url"}`
    package func writeMembers(to json: inout JSONWriter) {
        json.member("lineup", lineup)
        json.member("channel", channel)
        json.member("url", url.text)
    }
}

/// What the links of an airing depend on besides the airing.
package struct LinkContext: Sendable {
    /// The current time.
    package var now: Instant
    /// The zone of local times in catch-up URLs.
    package var zone: Zone
    /// The public URL of the service without a trailing slash; `nil` for paths.
    package var serviceURL: String?
    /// The channels of the airing's station.
    package var channels: StationChannels

    /// - Parameter serviceURL: The public URL of the service without a trailing slash; `nil` for paths.
    package init(now: Instant, zone: Zone, serviceURL: String? = nil, channels: StationChannels) {
        self.now = now
        self.zone = zone
        self.serviceURL = serviceURL
        self.channels = channels
    }

    /// The links of an airing: those of its programme, its page, and the streams of channels on which it is on now.
    package func links(of detail: AiringDetail) -> [AiringLink] {
        let airing = detail.airing
        let web = detail.programme.urls.compactMap { url in
            HTTPAddress(url.address).map { AiringLink(kind: .web, url: $0.text, source: url.system) }
        }
        let page = AiringLink(kind: .guide, url: (serviceURL ?? "") + "/airings/\(airing.id)", source: nil)
        let live = channels.entries.compactMap { entry -> AiringLink? in
            let delay = Int64(entry.delay)
            guard detail.isShown, airing.window.contains(now.advanced(by: -delay)),
                let url = CatchupTemplate.liveURL(of: entry.channel, at: now, in: zone)
            else { return nil }
            return AiringLink(kind: .live, url: url.text, source: entry.lineup)
        }
        return web + [page] + live
    }

    /// The URLs at which a past or current airing can be watched: one for each channel with catch-up that shows its station.
    package func catchup(of detail: AiringDetail) -> [CatchupLink] {
        guard detail.isShown else { return [] }
        let id = detail.transmission.first { $0.name == "catchup-id" }?.value
        return channels.entries.compactMap { entry in
            entry.catchup?.url(of: detail.airing.window, delayedBy: entry.delay, id: id, at: now, in: zone)
                .map { CatchupLink(lineup: entry.lineup, channel: entry.channel.name, url: $0) }
        }
    }
}
