package import EPGModel

/// Writes a playlist (M3U) as it goes, so that every player reads the channels that went in.
///
/// ```swift
/// var writer = PlaylistWriter()
/// writer.begin(lineup.attributes)
/// for channel in lineup.channels { writer.append(channel) }
/// let bytes = writer.takeBytes()
/// ```
///
/// The format knows no escapes. So a few characters are replaced, and what is read back is the same but for them:
/// * `"` becomes `'`, in values and names: players look for the name behind the last quote;
/// * control characters, line breaks and line separators become blanks, and white space at the ends goes;
/// * `;` in the name of a group becomes `,`, because it parts groups;
/// * in an address, control characters, and a `#` at its beginning, are percent-encoded;
/// * an attribute whose name can't be one, a directive that isn't one and a channel without an address are left out.
///
/// The guide's address stands first in the header, under both of its names (`x-tvg-url`, `url-tvg`), and an entry without
/// `tvg-id` gets an empty one: behind a quote and a comma a name may hold commas.
package struct PlaylistWriter {
    private var bytes: [UInt8] = []

    package init() {}

    /// What has been written since the last call, so that a long list can be sent in pieces.
    package mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// Writes the header.
    ///
    /// - Parameters:
    ///   - attributes: Those of the list.
    ///   - guideAddress: Where the guide for this list is; `nil` leaves what the list says.
    package mutating func begin(_ attributes: [ContentAttribute], guideAddress: String? = nil) {
        append("#EXTM3U")
        let names = PlaylistAttribute.guideAddresses
        let known = attributes.filter { names.contains($0.name) && !$0.value.isEmpty }
        for name in names {
            let own = known.first { $0.name == name } ?? known.first
            if let address = guideAddress ?? own?.value { append(attribute: name, address) }
        }
        for attribute in attributes where !names.contains(attribute.name) {
            append(attribute: attribute.name, attribute.value)
        }
        append("\n")
    }

    /// Writes a channel.
    ///
    /// - Parameter station: The station that it shows, whose identifier takes the place of the list's own.
    package mutating func append(_ channel: Channel, showing station: StationID? = nil) {
        let address = Self.address(channel.address)
        guard !address.isEmpty else { return }
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
        for attribute in channel.attributes where !isSaid(attribute.name, of: channel) {
            append(attribute: attribute.name, attribute.value)
        }
        append(",")
        append(Self.quoteless(channel.name))
        append("\n")
        for directive in channel.directives { append(directive: directive) }
        append(address)
        append("\n")
    }

    /// Whether an attribute stands in a field of the channel.
    private func isSaid(_ name: String, of channel: Channel) -> Bool {
        let name = PlaylistAttribute.spelled(name)
        if name == PlaylistAttribute.numbers[0] { return channel.number != nil }
        return [
            PlaylistAttribute.guideID, PlaylistAttribute.guideName, PlaylistAttribute.logo, PlaylistAttribute.groups,
        ].contains(name)
    }

    private mutating func append(attribute name: String, _ value: String) {
        guard let first = name.utf8.first, AttributeScanner.mayBeginKey(first),
            name.utf8.count <= AttributeScanner.longestKey, name.utf8.allSatisfy(AttributeScanner.mayBeInKey)
        else { return }
        append(" \(name)=\"\(Self.quoteless(value))\"")
    }

    private mutating func append(directive: String) {
        let text = PlaylistText.clean(directive)
        guard PlaylistLine(Array(text.utf8)) == .directive else { return }
        append(text)
        append("\n")
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private static func quoteless(_ text: String) -> String {
        let text = PlaylistText.clean(text)
        guard text.utf8.contains(UInt8(ascii: "\"")) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\"" ? "'" : $0 }))
    }

    private static func address(_ text: String) -> String {
        var encoded = ""
        for scalar in PlaylistText.trimmed(text) {
            if PlaylistText.isControl(scalar) || encoded.isEmpty && scalar == "#" {
                for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                    let digits = String(byte, radix: 16, uppercase: true)
                    encoded += digits.count < 2 ? "%0\(digits)" : "%\(digits)"
                }
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
    ///   - matches: The station of each channel, in their order; where one is missing the list's own identifier stays.
    ///   - guideAddress: Where the guide for this list is.
    ///   - send: Takes the next piece.
    package static func write(
        _ lineup: Lineup, matches: [ChannelMatch?] = [], guideAddress: String? = nil, to send: ([UInt8]) throws -> Void
    ) rethrows {
        var writer = PlaylistWriter()
        writer.begin(lineup.attributes, guideAddress: guideAddress)
        for (index, channel) in lineup.channels.enumerated() {
            writer.append(channel, showing: index < matches.count ? matches[index]?.station : nil)
            if writer.bytes.count > 64 << 10 { try send(writer.takeBytes()) }
        }
        try send(writer.takeBytes())
    }
}
