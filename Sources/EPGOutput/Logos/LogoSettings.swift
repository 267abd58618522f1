package import EPGModel

/// Where the logos of stations come from.
package struct LogoSettings: Hashable, Sendable {
    /// A place of logos.
    package enum Origin: String, CaseIterable, Hashable, Sendable {
        /// These settings.
        case own
        /// The feed of the guide (`<icon>`).
        case guide
        /// The playlist (`tvg-logo`).
        case playlist
    }

    /// A URL with placeholders.
    package var template: LogoTemplate?
    /// The path of a folder with picture files. Excludes ``template``.
    package var folder: String?
    /// The URLs of some stations, or the names of files in ``folder``.
    package var stations: [StationLogo] = []
    /// The order of preference; `nil` for the default: own logos, then the guide's, then the playlist's; in a playlist,
    /// its own logos come before the guide's. Without any settings, feeds have only the logos of the guide.
    package var order: [Origin]?

    /// Creates settings without own logos.
    package init() {}

    /// The origins of the URLs in lowercase, such as `http://tuner.example:9981`; none for a host or port with a placeholder.
    package var origins: Set<String> {
        let urls = stations.map(\.location) + (template.map { [$0.text] } ?? [])
        return Set(
            urls.compactMap { url in
                guard let scheme = url.firstRange(of: "://") else { return nil }
                let origin = url[..<(url[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex)]
                return origin.contains("{") || origin.contains("@") ? nil : origin.lowercased()
            })
    }
}

/// The logo of one station.
package struct StationLogo: Hashable, Sendable {
    package var station: StationID
    /// A URL, or the name of a file.
    package var location: String

    /// Creates the logo of a station.
    package init(station: StationID, location: String) {
        self.station = station
        self.location = location
    }
}

/// A URL of logos with the placeholders `{id}`, `{name}` and `{number}`, whose values are percent-encoded.
package struct LogoTemplate: Hashable, Sendable {
    /// The text of the template.
    package let text: String
    private let pieces: [Piece]

    private enum Piece: Hashable, Sendable {
        case text(String)
        case id, name, number
    }

    /// Parses a template; returns `nil` unless it is an `http` or `https` URL whose braces enclose known placeholders.
    package init?(_ text: String) {
        let isWeb = ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
        guard isWeb, text.utf8.count <= 1000, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        var pieces: [Piece] = []
        var rest = text[...]
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[brace] == "{", let end = rest[brace...].firstIndex(of: "}") else { return nil }
            pieces.append(.text(String(rest[..<brace])))
            switch rest[rest.index(after: brace)..<end] {
            case "id": pieces.append(.id)
            case "name": pieces.append(.name)
            case "number": pieces.append(.number)
            default: return nil
            }
            rest = rest[rest.index(after: end)...]
        }
        pieces.append(.text(String(rest)))
        self.text = text
        self.pieces = pieces
    }

    /// Returns the URL for a station; `nil` if the URL needs a number and the station has none.
    package func url(for row: StationRow) -> String? {
        var url = ""
        for piece in pieces {
            switch piece {
            case .text(let text): url += text
            case .id: url += row.station.id.rawValue.percentEncoded
            case .name: url += row.station.name.percentEncoded
            case .number:
                guard let number = row.channelNumber ?? row.station.number else { return nil }
                url += number.description.percentEncoded
            }
        }
        return url
    }
}

extension LogoTemplate: CustomStringConvertible {
    /// The text of the template.
    package var description: String { text }
}
