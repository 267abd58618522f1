import XMLTV

/// The kind of a line in a playlist, detected from its start.
enum PlaylistLine: Hashable {
    case blank
    /// `#EXTM3U`, and the index where its attributes start.
    case header(Int)
    /// `#EXTINF`, and the index where its duration starts.
    case entry(Int)
    /// `#EXTGRP:`, and the index where its groups start.
    case groups(Int)
    /// A tag that occurs only in playlists of a single stream (RFC 8216, 4.3.3 and 4.3.4).
    case streamTag
    /// `#PLAYLIST:`, and the index where the title of the list starts.
    case title(Int)
    /// Another tag of playlists of a single stream.
    case ignored
    /// `#EXTVLCOPT:`, `#KODIPROP:`, and others of this form, which belong to the entry.
    case directive
    case comment
    case url

    /// - Parameter bytes: The line without leading white space.
    init(_ bytes: [UInt8]) {
        guard let first = bytes.first else {
            self = .blank
            return
        }
        guard first == UInt8(ascii: "#") else {
            self = .url
            return
        }
        if bytes.begin(with: "#EXTM3U") {
            self = .header(7)
        } else if bytes.begin(with: "#EXTINF") {
            self = .entry(bytes.count > 7 && bytes[7] == UInt8(ascii: ":") ? 8 : 7)
        } else if bytes.begin(with: "#EXTGRP:") {
            self = .groups(8)
        } else if bytes.begin(with: "#EXT-X-PLAYLIST-TYPE") {
            // It also occurs in channel lists, where it marks an entry that isn't live (pvr.iptvsimple).
            self = .directive
        } else if Self.streamTags.contains(where: { bytes.begin(with: $0) }) {
            self = .streamTag
        } else if bytes.begin(with: "#PLAYLIST:") {
            self = .title(10)
        } else if bytes.begin(with: "#EXT-X-") {
            self = .ignored
        } else {
            self = bytes.begin(with: "#EXT") || Self.isDirective(bytes) ? .directive : .comment
        }
    }

    private static let streamTags: [String] = [
        "#EXT-X-TARGETDURATION", "#EXT-X-MEDIA-SEQUENCE", "#EXT-X-STREAM-INF", "#EXT-X-I-FRAME-STREAM-INF",
        "#EXT-X-ENDLIST",
    ]

    /// Returns whether a line has the form `#NAME:…` with an uppercase name.
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
    /// Returns whether the bytes start with an ASCII word, ignoring case.
    func begin(with word: String) -> Bool {
        let word = word.utf8
        guard count >= word.count else { return false }
        return zip(self, word).allSatisfy { byte, other in
            byte == other || byte.lowercaseLetter != nil && byte.lowercaseLetter == other.lowercaseLetter
        }
    }

    /// Returns whether the bytes start with a URL scheme, such as `http:`.
    ///
    /// - Parameter hasAuthority: Whether `//` must follow.
    func beginWithScheme(hasAuthority: Bool) -> Bool {
        let scheme = prefix(32).prefix { byte in
            AttributeScanner.mayBeInKey(byte) && byte != UInt8(ascii: ":") || byte == UInt8(ascii: "+")
        }
        guard scheme.count > 1, let first = scheme.first, first.lowercaseLetter != nil else { return false }
        let rest = self[scheme.endIndex...].prefix(3)
        return rest.elementsEqual("://".utf8) || !hasAuthority && rest.first == UInt8(ascii: ":")
    }
}

extension UInt8 {
    /// The lowercase ASCII letter, or `nil` for any other byte.
    fileprivate var lowercaseLetter: UInt8? {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): self | 0x20
        case UInt8(ascii: "a")...UInt8(ascii: "z"): self
        default: nil
        }
    }
}

/// Decoding and cleaning of lines: UTF-8, or else windows-1252, as in players.
enum PlaylistText {
    /// Converts a line to UTF-8. Returns `nil` if it is UTF-8 already.
    ///
    /// - Complexity: O(n).
    static func converted(_ bytes: [UInt8]) -> [UInt8]? {
        if isUTF8(bytes) { return nil }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 4)
        for byte in bytes {
            text.append(contentsOf: UTF8.encode(Windows1252.character(byte)) ?? UTF8.encodedReplacementCharacter)
        }
        return text
    }

    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        if bytes.allSatisfy({ $0 < 0x80 }) { return true }
        return String(validating: bytes, as: UTF8.self) != nil
    }

    /// Returns a text without surrounding white space, with a space for each control character and line separator.
    static func clean(_ bytes: some Collection<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        // Most texts are printable ASCII.
        let isClean = bytes.allSatisfy { (0x20...0x7E).contains($0) } && bytes.first != 0x20
        return isClean && text.utf8.last != 0x20 ? text : clean(text)
    }

    /// Cleans a text in the same way, so that text in a playlist is read back as written.
    static func clean(_ text: String) -> String {
        let scalars = trimmed(text)
        if !scalars.contains(where: isControl) { return String(scalars) }
        return String(String.UnicodeScalarView(scalars.map { isControl($0) ? " " : $0 }))
    }

    /// Returns a text without surrounding white space, control characters, and byte order marks.
    static func trimmed(_ text: String) -> Substring.UnicodeScalarView {
        var scalars = Substring(text).unicodeScalars
        while let first = scalars.first, isWhiteSpace(first) { scalars.removeFirst() }
        while let last = scalars.last, isWhiteSpace(last) { scalars.removeLast() }
        return scalars
    }

    private static func isWhiteSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\u{A0}" || scalar == "\u{FEFF}" || isControl(scalar)
    }

    /// Returns whether a character is a control character (C0, DEL, C1) or a line or paragraph separator.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        default: false
        }
    }
}

/// Attributes of playlists that players agree on.
enum PlaylistAttribute {
    static let guideID = "tvg-id"
    static let guideName = "tvg-name"
    static let logo = "tvg-logo"
    static let groups = "group-title"
    /// The names of the number attribute; the first one is written.
    static let numbers = ["tvg-chno", "channel-number", "ch-number"]
    /// The hours that players add to the times of the guide.
    static let shift = "tvg-shift"
    /// Both names of the guide's URL in the header.
    static let guideURLs = ["x-tvg-url", "url-tvg"]

    /// Returns the stored form of a name: lowercase if it is known, otherwise unchanged.
    static func canonicalName(_ name: String) -> String {
        let small = name.lowercased()
        return known.contains(small) ? small : name
    }

    private static let known: Set<String> = Set(
        [guideID, guideName, logo, groups] + numbers + guideURLs + [
            "tvg-url", "url-epg", "url-logo", shift, "tvg-rec", "tvg-language", "tvg-country", "tvg-type",
            "catchup", "catchup-type", "catchup-source", "catchup-days", "catchup-time", "catchup-correction",
            "timeshift", "radio", "parent-code", "audio-track", "provider", "provider-type", "provider-logo",
            "provider-countries", "provider-languages", "media", "media-dir", "media-size", "aspect-ratio",
        ])
}
