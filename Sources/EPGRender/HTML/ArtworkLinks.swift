package import EPGModel

/// The name of a picture in the URLs of this service: half of the SHA-1 of the picture's own URL, in 32 hexadecimal digits.
///
/// It depends on that URL only, so all machines with the same guide write the same pages. No feed can find another URL with the
/// same name, which would replace the picture of another feed.
package struct ArtworkKey: Hashable, Sendable {
    /// The key as it appears in URLs.
    package let text: String

    /// The key of a picture.
    package init(of url: HTTPURL) {
        text = String(SHA1.hexadecimal(of: url.text).prefix(32))
    }

    /// Parses a key; `nil` unless it has 32 lowercase hexadecimal digits.
    package init?(_ text: String) {
        guard text.utf8.count == 32, text.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else { return nil }
        self.text = text
    }
}

/// What a picture of the guide belongs to.
package enum ArtworkOwner: Hashable, Sendable {
    /// The picture is a logo of a station.
    case station(StationID)
    /// The picture shows the programme of an airing.
    case airing(AiringID)

    /// Parses the part of a path after `/art/`.
    package init?(kind: String, id: String) {
        switch kind {
        case "stations": self = .station(StationID(id))
        case "airings":
            guard id.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int64(id) else { return nil }
            self = .airing(AiringID(number))
        default: return nil
        }
    }

    fileprivate var path: String {
        switch self {
        case .station(let id): "stations/\(id.rawValue.percentEncoded)"
        case .airing(let id): "airings/\(id.rawValue)"
        }
    }

    /// The URLs of all its pictures that pages may show.
    ///
    /// - Throws: An error of the store.
    package func pictures(in guide: any GuideReading) throws -> [HTTPURL] {
        let urls: [String]? =
            switch self {
            case .station(let id): try guide.station(id)?.station.icons.map(\.source)
            case .airing(let id): try guide.airing(id)?.programme.pictures.map(\.url.text)
            }
        // Files of the folder of logos have paths.
        return (urls ?? []).compactMap { HTTPURL($0) }.filter { !$0.text.hasPrefix("/") }
    }
}

/// The URLs at which pages show the pictures of the guide.
package enum ArtworkLinks: Hashable, Sendable {
    /// The URLs of the guide, at their own servers.
    case direct
    /// URLs of this service, which keeps the pictures. The public URL of the service precedes the paths in its folder of logos.
    case kept(publicURL: String?)

    /// Returns the URL of a picture; `nil` if its URL in the guide is missing or invalid.
    package func url(of picture: String?, for owner: ArtworkOwner) -> String? {
        guard let picture, let url = HTTPURL(picture) else { return nil }
        guard case .kept(let publicURL) = self, !url.text.hasPrefix("/") else { return url.text }
        // A logo of the folder stays at this service, whatever host the request names.
        if let publicURL, url.text.hasPrefix(publicURL + "/logos/") {
            return String(url.text.dropFirst(publicURL.count))
        }
        return "/art/\(owner.path)/\(ArtworkKey(of: url).text)"
    }

    /// Returns the URL of the first valid logo of a station.
    package func logo(of station: Station) -> String? {
        station.icons.lazy.compactMap { self.url(of: $0.source, for: .station(station.id)) }.first
    }

    /// Returns the URL of the first valid picture of a programme, posters first.
    package func poster(of programme: Programme, in airing: AiringID) -> String? {
        programme.pictures.lazy.compactMap { self.url(of: $0.url.text, for: .airing(airing)) }.first
    }
}
