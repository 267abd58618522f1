/// What a line of a playlist is, by how it begins.
enum PlaylistLine: Hashable {
    case blank
    /// `#EXTM3U`, and where its attributes begin.
    case header(Int)
    /// `#EXTINF`, and where its duration begins.
    case entry(Int)
    /// `#EXTGRP:`, and where its groups begin.
    case groups(Int)
    /// A tag that only the playlist of one stream has (RFC 8216, 4.3.3 and 4.3.4).
    case streamTag
    /// Another tag of such playlists, or the title of the whole list: it says nothing of a channel.
    case ignored
    /// `#EXTVLCOPT:`, `#KODIPROP:` and all of that form: it belongs to the entry.
    case directive
    case comment
    case address

    /// - Parameter bytes: The line without white space before it.
    init(_ bytes: [UInt8]) {
        guard let first = bytes.first else {
            self = .blank
            return
        }
        guard first == UInt8(ascii: "#") else {
            self = .address
            return
        }
        if bytes.begin(with: "#EXTM3U") {
            self = .header(7)
        } else if bytes.begin(with: "#EXTINF") {
            self = .entry(bytes.count > 7 && bytes[7] == UInt8(ascii: ":") ? 8 : 7)
        } else if bytes.begin(with: "#EXTGRP:") {
            self = .groups(8)
        } else if bytes.begin(with: "#EXT-X-PLAYLIST-TYPE") {
            // Lists of channels have it, too: it says that an entry isn't live (pvr.iptvsimple).
            self = .directive
        } else if Self.streamTags.contains(where: { bytes.begin(with: $0) }) {
            self = .streamTag
        } else if bytes.begin(with: "#EXT-X-") || bytes.begin(with: "#PLAYLIST:") {
            self = .ignored
        } else {
            self = bytes.begin(with: "#EXT") || Self.isDirective(bytes) ? .directive : .comment
        }
    }

    private static let streamTags: [String] = [
        "#EXT-X-TARGETDURATION", "#EXT-X-MEDIA-SEQUENCE", "#EXT-X-STREAM-INF", "#EXT-X-I-FRAME-STREAM-INF",
        "#EXT-X-ENDLIST",
    ]

    /// Whether a line is of the form `#NAME:…`, the name in capitals.
    private static func isDirective(_ bytes: [UInt8]) -> Bool {
        let name = bytes.dropFirst().prefix(64).prefix { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard let first = name.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else { return false }
        return name.endIndex < bytes.count && bytes[name.endIndex] == UInt8(ascii: ":")
    }
}

extension [UInt8] {
    /// Whether the bytes begin with a word in ASCII, whatever its case.
    func begin(with word: String) -> Bool {
        let word = word.utf8
        guard count >= word.count else { return false }
        return zip(self, word).allSatisfy { byte, other in
            byte == other || byte.smallLetter != nil && byte.smallLetter == other.smallLetter
        }
    }

    /// Whether the bytes begin with the scheme of an address, such as `http:`.
    ///
    /// - Parameter hasAuthority: Whether `//` must follow.
    func beginWithScheme(hasAuthority: Bool) -> Bool {
        let scheme = prefix(32).prefix { byte in
            AttributeScanner.mayBeInKey(byte) && byte != UInt8(ascii: ":") || byte == UInt8(ascii: "+")
        }
        guard scheme.count > 1, let first = scheme.first, first.smallLetter != nil else { return false }
        let rest = self[scheme.endIndex...].prefix(3)
        return rest.elementsEqual("://".utf8) || !hasAuthority && rest.first == UInt8(ascii: ":")
    }
}

extension UInt8 {
    /// The letter of ASCII in its small form, or `nil` for what is none.
    fileprivate var smallLetter: UInt8? {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): self | 0x20
        case UInt8(ascii: "a")...UInt8(ascii: "z"): self
        default: nil
        }
    }
}
