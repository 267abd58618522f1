package import EPGCalendar
package import EPGModel

/// The channels that transmit a station, with their streams.
package struct StationChannels: Sendable {
    fileprivate struct Entry: Sendable {
        /// The name of the lineup.
        let lineup: String
        let channel: Channel
        /// The delay in seconds relative to the first channel of the station, whose times the guide has.
        let delay: Int
        /// `nil` for a channel without catch-up.
        let catchup: CatchupTemplate?
    }

    fileprivate let entries: [Entry]

    /// - Parameter lineups: The lineups that contain the station, each with the channels of that station only
    ///   (``EPGModel/GuideReading/lineups(containing:)``).
    /// - Parameter mappingShifts: The shifts of mappings (``EPGModel/GuideReading/mappingShifts()``).
    package init(_ lineups: [Lineup], mappingShifts: [String: Int] = [:]) {
        let channels = lineups.flatMap { lineup in lineup.channels.map { (lineup, $0) } }
        let first = channels.first.map { $1.shift(in: $0, mappingShifts: mappingShifts) } ?? 0
        entries = channels.map { lineup, channel in
            Entry(
                lineup: lineup.name, channel: channel,
                delay: channel.shift(in: lineup, mappingShifts: mappingShifts) - first,
                catchup: CatchupTemplate(channel, in: lineup))
        }
    }
}

/// A link to a page about an airing, or to its live stream.
package struct AiringLink: Hashable, Sendable {
    /// The target of a link.
    package enum Kind: String, Hashable, Sendable {
        /// A page about the programme, from the feed.
        case web
        /// The page of the airing on this service.
        case guide
        /// The live stream of a channel that transmits the airing now.
        case live
    }

    package let kind: Kind
    /// An absolute URL, or for ``Kind/guide`` a path if the service has no public URL.
    package let url: String
    /// The origin of the page, such as `imdb`, or the lineup of the channel; `nil` if unknown.
    package let source: String?
}

/// A link to the recording of an airing that has begun or ended.
package struct CatchupLink: Hashable, Sendable {
    /// The name of the lineup.
    package let lineup: String
    /// The name of the channel.
    package let channel: String
    package let url: HTTPURL
}

/// The context in which the links of an airing are created.
package struct LinkContext: Sendable {
    /// The current time.
    package var now: Instant
    /// The time zone of local times in catch-up URLs.
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

    /// Returns the links of an airing: the links of its programme, its page, and the streams of channels that transmit it now.
    package func links(of detail: AiringDetail) -> [AiringLink] {
        let airing = detail.airing
        let web = detail.programme.urls.compactMap { url in
            HTTPURL(url.url).map { AiringLink(kind: .web, url: $0.text, source: url.system) }
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

    /// Returns the catch-up URLs of a past or current airing, one for each channel that supports it.
    package func catchup(of detail: AiringDetail) -> [CatchupLink] {
        guard detail.isShown else { return [] }
        let id = detail.transmission.first { $0.name == "catchup-id" }?.value
        return channels.entries.compactMap { entry in
            entry.catchup?.url(of: detail.airing.window, delayedBy: entry.delay, id: id, at: now, in: zone)
                .map { CatchupLink(lineup: entry.lineup, channel: entry.channel.name, url: $0) }
        }
    }
}
