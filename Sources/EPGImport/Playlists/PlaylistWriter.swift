package import EPGModel
package import EPGOutput

/// A streaming writer of playlists (M3U) that every player reads back correctly.
///
/// ```swift
/// var writer = PlaylistWriter()
/// writer.begin(lineup.attributes)
/// for channel in lineup.channels { writer.append(channel) }
/// let bytes = writer.takeBytes()
/// ```
///
/// The format has no escapes, so the writer replaces a few characters, and everything else is read back unchanged:
/// * `"` becomes `'` in values and names, because players search for the name after the last quote;
/// * control characters, line breaks, and line separators become spaces, and surrounding white space is removed;
/// * bidirectional controls, which could reorder the text around a name, are removed;
/// * `;` in the name of a group becomes `,`, because it separates groups;
/// * control characters and bidirectional controls in a URL, and a leading `#`, are percent-encoded;
/// * attributes with invalid names, invalid directives, and channels without a URL, and those that the user hides, are omitted.
///
/// The guide's URL comes first in the header, under both of its names (`x-tvg-url`, `url-tvg`), and an entry without
/// `tvg-id` gets an empty one: after a quote and a comma, a name may contain commas.
package struct PlaylistWriter {
    private var bytes: [UInt8] = []

    /// Creates an empty playlist.
    package init() {}

    /// Returns the bytes written since the last call, so that a long list can be sent in pieces.
    package mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// Writes the header.
    ///
    /// - Parameters:
    ///   - attributes: The attributes of the list.
    ///   - guideURL: The URL of the guide for this list; `nil` keeps the URL in the list.
    package mutating func begin(_ attributes: [ContentAttribute], guideURL: String? = nil) {
        append("#EXTM3U")
        let names = PlaylistAttribute.guideURLs
        let known = attributes.filter { names.contains($0.name) && !$0.value.isEmpty }
        for name in names {
            let own = known.first { $0.name == name } ?? known.first
            if let url = guideURL ?? own?.value { append(attribute: name, url) }
        }
        for attribute in attributes where !names.contains(attribute.name) {
            append(attribute: attribute.name, attribute.value)
        }
        append("\n")
    }

    /// Writes a channel.
    ///
    /// - Parameter station: The station that it shows, whose identifier replaces the list's own.
    package mutating func append(_ channel: Channel, showing station: StationID? = nil) {
        let url = Self.encoded(channel.url)
        guard !url.isEmpty, !channel.isHidden else { return }
        append("#EXTINF:-1")
        append(attribute: PlaylistAttribute.guideID, station?.rawValue ?? channel.guideID ?? "")
        if let name = channel.guideName { append(attribute: PlaylistAttribute.guideName, name) }
        if let logo = channel.logo { append(attribute: PlaylistAttribute.logo, logo) }
        if let number = channel.number { append(attribute: PlaylistAttribute.numbers[0], number.description) }
        if !channel.groups.isEmpty {
            let groups = channel.groups.map { $0.split(separator: ";", omittingEmptySubsequences: false) }
            append(
                attribute: PlaylistAttribute.groups, groups.map { $0.joined(separator: ",") }.joined(separator: ";"))
        }
        for attribute in channel.attributes where !isField(attribute.name, of: channel) && !Channel.isEdit(attribute) {
            append(attribute: attribute.name, attribute.value)
        }
        append(",")
        append(Self.withoutQuotes(channel.name))
        append("\n")
        for directive in channel.directives { append(directive: directive) }
        append(url)
        append("\n")
    }

    /// Returns whether a field of the channel already holds an attribute.
    private func isField(_ name: String, of channel: Channel) -> Bool {
        let name = PlaylistAttribute.canonicalName(name)
        if name == PlaylistAttribute.numbers[0] { return channel.number != nil }
        return [
            PlaylistAttribute.guideID, PlaylistAttribute.guideName, PlaylistAttribute.logo, PlaylistAttribute.groups,
        ].contains(name)
    }

    private mutating func append(attribute name: String, _ value: String) {
        guard let first = name.utf8.first, AttributeScanner.mayBeginKey(first),
            name.utf8.count <= AttributeScanner.maximumKeyLength, name.utf8.allSatisfy(AttributeScanner.mayBeInKey)
        else { return }
        append(" \(name)=\"\(Self.withoutQuotes(value))\"")
    }

    private mutating func append(directive: String) {
        let text = Self.clean(directive)
        guard PlaylistLine(Array(text.utf8)) == .directive else { return }
        append(text)
        append("\n")
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private static func clean(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: \.properties.isBidiControl) else { return PlaylistText.clean(text) }
        return PlaylistText.clean(
            String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.properties.isBidiControl })))
    }

    private static func withoutQuotes(_ text: String) -> String {
        let text = clean(text)
        guard text.utf8.contains(UInt8(ascii: "\"")) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\"" ? "'" : $0 }))
    }

    /// Returns a trimmed URL with control characters, bidirectional controls and a leading `#` percent-encoded.
    private static func encoded(_ url: String) -> String {
        var encoded = ""
        for scalar in PlaylistText.trimmed(url) {
            if PlaylistText.isControl(scalar) || scalar.properties.isBidiControl || encoded.isEmpty && scalar == "#" {
                for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { encoded += byte.percentEncoded }
            } else {
                encoded.unicodeScalars.append(scalar)
            }
        }
        return encoded
    }
}

extension PlaylistWriter {
    /// Writes a lineup in pieces of a few dozen kilobytes.
    ///
    /// - Parameters:
    ///   - matches: The station of each channel, in order. A channel without a match keeps the list's own identifier.
    ///   - guideURL: The URL of the guide for this list.
    ///   - send: Receives the next piece.
    package static func write(
        _ lineup: Lineup, matches: [ChannelMatch?] = [], guideURL: String? = nil, to send: ([UInt8]) throws -> Void
    ) rethrows {
        var writer = PlaylistWriter()
        writer.begin(lineup.attributes, guideURL: guideURL)
        for (index, channel) in lineup.channels.enumerated() {
            writer.append(channel, showing: index < matches.count ? matches[index]?.station : nil)
            if writer.bytes.count > 64 << 10 { try send(writer.takeBytes()) }
        }
        try send(writer.takeBytes())
    }
}

/// Lineups as a playlist for players that use the guide of the same store.
///
/// It differs from the imported lineups so that a player shows what the guide shows:
/// * A channel that shows a station gets that station's identifier and the preferred logo: by default its own, else the
///   station's first icon, percent-encoded.
/// * `tvg-shift` is relative to the station's row in the guide. Players add it to the times of the guide, and the grid
///   shows these times in the row of the first channel that shows the station (by the lineup's name and position in
///   it). So that channel gets no shift, and another channel (a "+1" channel) gets the difference. A channel with a shift
///   usually shows a station of its own (Rules.md, rule 19), whose times include the shift. A shift in a header is moved
///   to the channels.
package struct PlayerPlaylist: Sendable {
    private var merged = Lineup(name: "")
    private var matches: [ChannelMatch?] = []

    /// Reads the lineups from a guide.
    ///
    /// - Parameters:
    ///   - names: The names of the lineups, in output order. Unknown names are ignored.
    ///   - logos: The logos of stations.
    /// - Throws: Errors of the store.
    package init(of names: [String], in guide: some GuideReading, logos: Logos = .guide) throws {
        /// The shift in seconds of the first channel of each station.
        var shifts: [StationID: Int] = [:]
        let mappingShifts = try guide.mappingShifts()
        var found: [String: (lineup: Lineup, matches: [ChannelMatch?])] = [:]
        for name in try guide.lineups() {
            guard let (lineup, matches) = try guide.lineup(named: name) else { continue }
            for (channel, match) in zip(lineup.channels, matches) {
                guard let station = match?.station, shifts[station] == nil else { continue }
                shifts[station] = channel.shift(in: lineup, mappingShifts: mappingShifts)
            }
            if names.contains(name) { found[name] = (lineup, matches) }
        }
        let wanted = Set(found.values.flatMap { $0.matches.compactMap { $0?.station } }).sorted()
        var rows: [StationID: StationRow] = [:]
        for row in try wanted.compactMap({ try guide.station($0) }) { rows[row.station.id] = row }
        for name in names {
            guard let (lineup, matches) = found[name] else { continue }
            if names.count == 1 {
                merged.attributes = lineup.attributes.filter { $0.name != PlaylistAttribute.shift }
            }
            for (index, channel) in lineup.channels.enumerated() {
                let match = index < matches.count ? matches[index] : nil
                var channel = channel
                let own = channel.shift(in: lineup, mappingShifts: mappingShifts)
                Self.set(&channel, shift: own - (match.flatMap { shifts[$0.station] } ?? 0))
                channel.logo = logos.logo(inPlaylist: channel.logo, of: match.flatMap { rows[$0.station] })
                merged.channels.append(channel)
                self.matches.append(match)
            }
        }
    }

    /// Writes the playlist in pieces of a few dozen kilobytes.
    ///
    /// - Parameters:
    ///   - guideURL: The URL of the guide; `nil` keeps the URL of a single lineup.
    ///   - send: Receives the next piece.
    package func write(guideURL: String? = nil, to send: ([UInt8]) throws -> Void) rethrows {
        try PlaylistWriter.write(merged, matches: matches, guideURL: guideURL, to: send)
    }

    /// Replaces the shift of a channel.
    private static func set(_ channel: inout Channel, shift: Int) {
        channel.attributes.removeAll { $0.name == PlaylistAttribute.shift }
        guard shift != 0 else { return }
        let hours = shift % 3600 == 0 ? "\(shift / 3600)" : "\(Double(shift) / 3600)"
        channel.attributes.append(
            ContentAttribute(name: PlaylistAttribute.shift, value: shift > 0 ? "+" + hours : hours))
    }
}
