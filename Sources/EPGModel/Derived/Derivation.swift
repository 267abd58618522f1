/// The origin of derived listings (Rules.md, rule 19), and the content of the element `<derived>` that marks them.
package enum Derivation: String, Hashable, Sendable, CaseIterable {
    /// The listings of another station, at later or earlier times.
    case shift
    /// Listings that were read from the name of a channel.
    case channelName = "channel-name"
    /// Blocks from a template.
    case placeholder
}

extension Derivation {
    /// The source of derived listings. It has the lowest priority, so that its listings never replace listings of a feed.
    package static let source = Source(name: "derived", priority: -1_000_000_000)

    /// Returns the element `<derived>` of a programme.
    package var element: ContentElement { ContentElement(name: "derived", children: [.text(rawValue)]) }
}

/// The station that was made for a channel without a station of its own: the attributes of its element `<derived>`.
package struct StationDerivation: Hashable, Sendable {
    /// The origin of its listings.
    package var kind: Derivation
    /// The key of its channel (``Channel/key``).
    package var key: String
    /// The shift of the channel (`tvg-shift` or the shift of a mapping) for which the station was made; 0 for a channel without
    /// one.
    package var shift: Int
    /// The seconds by which its listings are later than the listings of ``parent``.
    package var delay: Int
    /// The station whose listings they are; `nil` for other kinds.
    package var parent: StationID?
    /// The name that its listings were read from, and when it was first seen, as `2026-12-12T09:00:00Z`.
    package var name: String?
    package var firstSeen: String?

    package init(
        kind: Derivation, key: String, shift: Int = 0, delay: Int = 0, parent: StationID? = nil, name: String? = nil,
        firstSeen: String? = nil
    ) {
        self.kind = kind
        self.key = key
        self.shift = shift
        self.delay = delay
        self.parent = parent
        self.name = name
        self.firstSeen = firstSeen
    }

    /// Reads the element; `nil` if it has another form.
    package init?(_ element: ContentElement) {
        guard element.name == "derived", let kind = Derivation(rawValue: element.text) else { return nil }
        self.init(
            kind: kind, key: element[attribute: "key"] ?? "",
            shift: element[attribute: "shift"].flatMap { Int($0) } ?? 0,
            delay: element[attribute: "delay"].flatMap { Int($0) } ?? 0,
            parent: element[attribute: "from"].map { StationID($0) }, name: element[attribute: "name"],
            firstSeen: element[attribute: "seen"])
    }

    /// The element `<derived>` of the station.
    package var element: ContentElement {
        var attributes = [ContentAttribute(name: "key", value: key)]
        if shift != 0 { attributes.append(ContentAttribute(name: "shift", value: "\(shift)")) }
        if delay != 0 { attributes.append(ContentAttribute(name: "delay", value: "\(delay)")) }
        if let parent { attributes.append(ContentAttribute(name: "from", value: parent.rawValue)) }
        if let name { attributes.append(ContentAttribute(name: "name", value: name)) }
        if let firstSeen { attributes.append(ContentAttribute(name: "seen", value: firstSeen)) }
        return ContentElement(name: "derived", attributes: attributes, children: [.text(kind.rawValue)])
    }
}

extension Station {
    /// Creates a station from its stored description.
    ///
    /// - Parameter isDerived: Whether the source of derived listings describes it.
    package init(id: StationID, nodes: [ContentNode], isDerived: Bool) {
        self.init(id: id, nodes: nodes)
        // A feed that is a copy of another guide has the element, too, but lists the station.
        if !isDerived {
            extras.removeAll { node in
                if case .element(let element) = node { element.name == "derived" } else { false }
            }
        }
    }

    /// The derivation of a station that no feed lists; `nil` for a station of a feed.
    package var derivation: StationDerivation? {
        for case .element(let element) in extras {
            if let derivation = StationDerivation(element) { return derivation }
        }
        return nil
    }
}

/// The stations that were made for channels.
package struct DerivedStations: Sendable {
    private struct Key: Hashable {
        let channel: String
        let shift: Int
    }

    private var stations: [Key: StationID] = [:]

    /// - Complexity: O(stations).
    package init(_ stations: [Station]) {
        for station in stations {
            guard let derivation = station.derivation else { continue }
            self.stations[Key(channel: derivation.key, shift: derivation.shift)] = station.id
        }
    }

    package var isEmpty: Bool { stations.isEmpty }

    /// Adds the stations that were made for channels: instead of the matched station for a channel with a shift, and for
    /// channels without a match.
    package func complete(_ matches: inout [ChannelMatch?], of lineup: Lineup, mappingShifts: [String: Int]) {
        guard !isEmpty else { return }
        for (index, channel) in lineup.channels.enumerated() where index < matches.count && !channel.isHidden {
            let shift = channel.shift(in: lineup, mappingShifts: mappingShifts)
            if let match = matches[index] {
                guard shift != 0, let station = stations[Key(channel: channel.key, shift: shift)] else { continue }
                matches[index] = ChannelMatch(station: station, rule: match.rule)
            } else if let station = stations[Key(channel: channel.key, shift: 0)] {
                matches[index] = ChannelMatch(station: station, rule: .derived)
            }
        }
    }
}
