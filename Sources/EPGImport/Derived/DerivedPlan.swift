import EPGCalendar
import EPGModel

/// Decides which stations have derived listings, and which ones.
///
/// - A channel with a shift shows a station of its own with the shifted listings of its station.
/// - A channel or a station without listings of a feed gets, in this order: listings that its name announces, listings of the
///   parent of a "+1" channel, placeholders.
/// - A channel without a station gets a station of its own, whose identifier is `derived:` and the key of the channel, or the text of
///   the group `channel`, so that a channel for changing events keeps its row.
struct DerivedPlan {
    /// A station and the origin of its listings.
    struct Row {
        enum Content {
            case shift(StationID, Int)
            case event(ChannelEvent)
            case placeholder(PlaceholderTemplate)
        }

        let station: StationID
        /// The name of the channel, or of a station without a channel.
        let name: String
        let content: Content
        /// The derivation of a station that was made for a channel; `nil` for a station of a feed.
        var derivation: StationDerivation?
        /// The description of the station.
        var nodes: [ContentNode] = []

        var kind: Derivation {
            switch content {
            case .shift: .shift
            case .event: .channelName
            case .placeholder: .placeholder
            }
        }
    }

    private(set) var rows: [Row] = []
    private(set) var stations: Set<StationID> = []
    /// The keys of channels that have a station of their own.
    private var keys: Set<String> = []

    private let settings: DerivedSettings
    private let now: Instant
    private let index: StationIndex
    /// The names of possible parents; empty unless "+1" channels take their listings.
    private let parentNames: NameIndex
    private let listed: Set<StationID>
    /// The current derivations from names by the key of the channel.
    private let former: [String: StationDerivation]
    private let names: ChannelNameReader

    /// - Parameter listed: The stations with listings of feeds.
    init(
        settings: DerivedSettings, zone: Zone, now: Instant, stations: [Station], listed: Set<StationID>,
        lineups: [Lineup], mappings: [String: StationID], shifts: [String: Int]
    ) throws {
        self.settings = settings
        self.now = now
        self.listed = listed
        let described = stations.filter { $0.derivation == nil }
        index = StationIndex(described)
        parentNames = NameIndex(settings.plusOne ? described : [])
        former = Dictionary(
            stations.compactMap(\.derivation).filter { $0.firstSeen != nil }.map { ($0.key, $0) }
        ) { first, _ in first }
        names = try ChannelNameReader(settings.names, zone: zone)
        var shown: Set<StationID> = []
        for lineup in lineups {
            let matches = StationMatcher().matches(of: lineup.channels, among: described, mappings: mappings)
            for (channel, match) in zip(lineup.channels, matches) where !channel.isHidden {
                let shift = channel.shift(in: lineup, mappingShifts: shifts)
                if let match { shown.insert(match.station) }
                if let match, listed.contains(match.station) {
                    if shift != 0 { add(shift, of: match.station, for: channel) }
                } else {
                    add(channel, station: match?.station)
                }
            }
        }
        // Stations without a channel.
        for station in described where !listed.contains(station.id) && !shown.contains(station.id) {
            add(Channel(name: station.name, guideID: station.id.rawValue, url: ""), station: station.id)
        }
        // Stations with a shift come first, so that their places do not depend on the settings.
        let isShifted = { (row: Row) in (row.derivation?.shift ?? 0) != 0 }
        rows = rows.filter(isShifted) + rows.filter { !isShifted($0) }
    }

    /// The stations whose listings are repeated, with the largest shift.
    var parents: [StationID: Int] {
        var parents: [StationID: Int] = [:]
        for case .shift(let parent, let shift) in rows.map(\.content) {
            parents[parent] = max(parents[parent] ?? 0, abs(shift))
        }
        return parents
    }

    // MARK: - Rows

    private mutating func add(_ shift: Int, of parent: StationID, for channel: Channel) {
        let id = StationID("derived:\(channel.key)\(Self.label(of: shift))")
        let derivation = StationDerivation(kind: .shift, key: channel.key, shift: shift, delay: shift, parent: parent)
        append(Row(station: id, name: channel.name, content: .shift(parent, shift), derivation: derivation), channel)
    }

    /// Adds a channel without listings.
    private mutating func add(_ channel: Channel, station: StationID?) {
        // Channels with the same key show the same station, the first channel's, such as an entry in several groups.
        if station == nil, keys.contains(channel.key) { return }
        let own = StationID("derived:\(channel.key)")
        let firstSeen = firstSeen(channel)
        if let event = names.event(of: channel, firstSeen: firstSeen) {
            var id = station ?? own
            if station == nil, let text = event.channel, !text.isEmpty {
                let short = StationID("derived:\(text)")
                if !stations.contains(short) { id = short }
            }
            let derivation = StationDerivation(
                kind: .channelName, key: channel.key, name: channel.name, firstSeen: firstSeen.iso8601)
            let row = Row(
                station: id, name: event.channel ?? channel.name, content: .event(event),
                derivation: station == nil ? derivation : nil)
            return append(row, channel)
        }
        if settings.plusOne, let (parent, shift) = self.parent(of: channel) {
            let derivation = StationDerivation(kind: .shift, key: channel.key, delay: shift, parent: parent)
            let row = Row(
                station: station ?? own, name: channel.name, content: .shift(parent, shift),
                derivation: station == nil ? derivation : nil)
            return append(row, channel)
        }
        guard let template = settings.placeholders.first(where: { channel.isSelected(by: $0.channels) }) else { return }
        let derivation = StationDerivation(kind: .placeholder, key: channel.key)
        append(
            Row(
                station: station ?? own, name: channel.name, content: .placeholder(template),
                derivation: station == nil ? derivation : nil), channel)
    }

    private mutating func append(_ row: Row, _ channel: Channel) {
        // A channel without a name has its URL as the name, which may contain credentials and must not become public.
        guard ![channel.url, StreamURL.shortened(channel.url)].contains(channel.key),
            stations.insert(row.station).inserted
        else { return }
        var row = row
        if let derivation = row.derivation {
            if derivation.shift == 0 { keys.insert(derivation.key) }
            row.nodes.append("display-name", row.name)
            if let logo = channel.logo {
                row.nodes.append(element: "icon", ("src", logo))
            } else if let parent = derivation.parent, let icon = index.station(parent)?.icons.first {
                row.nodes.append(element: "icon", ("src", icon.source))
            }
            row.nodes.append(.element(derivation.element))
        }
        rows.append(row)
    }

    // MARK: - Names

    /// Returns the instant at which the name of a channel was first seen; now for a new one.
    private func firstSeen(_ channel: Channel) -> Instant {
        guard let known = former[channel.key], known.name == channel.name else { return now }
        return known.firstSeen.flatMap { Instant(iso8601: $0) } ?? now
    }

    /// Returns the station that a "+1" channel repeats, and the seconds by which it is later: the only one with listings whose
    /// name equals the channel's name without the shift (``ChannelMatchRule/plainName``).
    private func parent(of channel: Channel) -> (StationID, Int)? {
        for var name in channel.parsedNames where (1...3).contains(name.shift) {
            let hours = name.shift
            name.shift = 0
            let found = parentNames.places(equalTo: name).map { index.stations[$0].id }.filter(listed.contains)
            if found.count == 1 { return (found[0], hours * 3600) }
        }
        return nil
    }

    /// Returns a shift as `+1h`, `-30min` or `+1h30min`.
    static func label(of shift: Int) -> String {
        let (hours, minutes, seconds) = (abs(shift) / 3600, abs(shift) / 60 % 60, abs(shift) % 60)
        return (shift < 0 ? "-" : "+") + (hours > 0 ? "\(hours)h" : "") + (minutes > 0 ? "\(minutes)min" : "")
            + (seconds > 0 ? "\(seconds)s" : "")
    }
}
