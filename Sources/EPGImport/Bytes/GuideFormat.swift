import XMLTV

/// The format of a file, detected from its first decompressed bytes and never from its name.
package enum GuideFormat: Hashable, Sendable {
    /// XMLTV, or XML whose first bytes don't show its root element.
    case xmltv
    /// JSON of any form.
    case json
    /// An M3U playlist.
    case playlist
    /// An HTML page.
    case htmlPage
    /// No bytes, or only white space.
    case empty
    /// Any other XML.
    case other
    /// An unknown format.
    case unknown

    /// Detects the format from at most the first 4 KiB.
    ///
    /// Skips byte order marks and leading white space. Recognizes UTF-16 and UTF-32 with or without a byte order mark.
    package init(firstBytes: some Collection<UInt8>) {
        let text = DocumentStart(Array(firstBytes.prefix(4096)))
        guard let first = text.next else {
            self = .empty
            return
        }
        switch first {
        case UInt8(ascii: "<"): self = GuideFormat(rootName: text.root?.name)
        case UInt8(ascii: "{"): self = .json
        // "[section]" starts configuration files.
        case UInt8(ascii: "["): self = text.startsArray ? .json : .unknown
        case UInt8(ascii: "#"): self = text.startsPlaylist ? .playlist : .unknown
        default: self = text.startsURL ? .playlist : .unknown
        }
    }

    /// Detects the format from the name of the root element.
    private init(rootName: String?) {
        switch rootName?.lowercased() {
        // The part before the root element is long or malformed.
        case nil: self = .xmltv
        case "html", "head", "body", "title", "script", "meta", "br", "center", "h1": self = .htmlPage
        // A guide without its beginning is still a guide.
        case "tv", "channel", "programme": self = .xmltv
        default: self = .other
        }
    }
}

/// The first bytes of a document as text, of which only the ASCII characters matter.
package struct DocumentStart {
    private var rest: ArraySlice<UInt8>

    /// Skips a byte order mark and leading white space.
    package init(_ bytes: [UInt8]) {
        rest = (WideEncoding(firstBytes: bytes)?.narrowed(bytes) ?? bytes)[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        skipSpace()
    }

    /// The first byte.
    package var next: UInt8? { rest.first }

    /// The name of the root element of an XML document, in the DOCTYPE or the first start tag, and whether the bytes end
    /// within it; `nil` if the bytes contain neither.
    package var root: (name: String, isCut: Bool)? {
        var text = self
        while text.skipMarkup() { text.skipSpace() }
        return text.rootName
    }

    /// Returns whether a byte is ASCII white space.
    package static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private mutating func skipSpace() {
        rest = rest.drop(while: Self.isSpace)
    }

    /// Returns whether the text starts with a lowercase prefix, ignoring case.
    private func starts(with prefix: StaticString) -> Bool {
        let wanted = Array(prefix.description.utf8)
        return rest.prefix(wanted.count).map(Self.lowered).elementsEqual(wanted)
    }

    /// Whether the text after "[" may be the content of a JSON array.
    fileprivate var startsArray: Bool {
        var inner = self
        inner.rest = rest.dropFirst()
        inner.skipSpace()
        return inner.next.map { !(0x61...0x7A).contains(Self.lowered($0)) } ?? true
    }

    /// Whether the text starts with `#` lines up to one that only playlists have.
    fileprivate var startsPlaylist: Bool {
        var lines = self
        while lines.next == UInt8(ascii: "#") {
            let marks: [StaticString] = ["#extm3u", "#extinf", "#extgrp", "#extvlcopt", "#kodiprop", "#playlist"]
            if marks.contains(where: { lines.starts(with: $0) }) { return true }
            lines.rest = lines.rest.drop { $0 != 0x0A && $0 != 0x0D }
            lines.skipSpace()
        }
        return lines.startsURL
    }

    /// Whether a stream URL starts here.
    fileprivate var startsURL: Bool {
        ["http://", "https://", "rtsp://", "rtp://", "udp://", "rtmp://"].contains { starts(with: $0) }
    }

    /// What the bytes of an unknown format are, as a noun phrase; `nil` if that is unknown, too.
    var content: String? {
        let isText = !rest.isEmpty && rest.allSatisfy { $0 >= 0x20 && $0 != 0x7F || Self.isSpace($0) }
        guard isText else {
            // RFC 1950, 2.2: a window of 32 KiB, and one of four levels.
            let isZlib =
                rest.first == 0x78 && rest.dropFirst().first.map { [0x01, 0x5E, 0x9C, 0xDA].contains($0) } == true
            return isZlib ? "a zlib stream without a gzip header" : nil
        }
        let scripts: [StaticString] = [
            "function", "(function", "!function", "(()", "var ", "let ", "const ", "window.", "document.", "//", "/*",
            "\"use strict\"", "'use strict'",
        ]
        if scripts.contains(where: { starts(with: $0) }) { return "JavaScript" }
        let line = String(decoding: rest.prefix { $0 >= 0x20 }, as: UTF8.self)
        let shown = line.unicodeScalars.filter { $0.properties.generalCategory != .format }
        return "the text “\(String(shown).prefix(40))”"
    }

    /// Skips a complete processing instruction or comment, if one is next.
    private mutating func skipMarkup() -> Bool {
        if starts(with: "<?") { return skip(behind: "?>") }
        if starts(with: "<!--") { return skip(behind: "-->") }
        return false
    }

    private mutating func skip(behind end: StaticString) -> Bool {
        let wanted = Array(end.description.utf8)
        for place in rest.indices where rest[place...].starts(with: wanted) {
            rest = rest[(place + wanted.count)...]
            return true
        }
        return false
    }

    /// The name in the DOCTYPE or start tag that is next, or `nil` if neither is next.
    private var rootName: (name: String, isCut: Bool)? {
        var inner = self
        if starts(with: "<!doctype") {
            inner.rest = rest.dropFirst(9)
            inner.skipSpace()
        } else {
            guard starts(with: "<"), !starts(with: "<!"), !starts(with: "<?") else { return nil }
            inner.rest = rest.dropFirst()
        }
        let name = inner.rest.prefix { !Self.isSpace($0) && !"/>[".utf8.contains($0) }
        return name.isEmpty ? nil : (String(decoding: name, as: UTF8.self), name.endIndex == inner.rest.endIndex)
    }

    private static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
