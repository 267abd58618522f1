/// What a file is, by its first bytes (unpacked), whatever its name says.
package enum GuideFormat: Hashable, Sendable {
    /// XML that is XMLTV, or of which the first bytes don't tell.
    case xmltv
    case json
    /// An M3U playlist.
    case playlist
    case htmlPage
    /// No byte, or white space alone.
    case empty
    /// XML that is something else.
    case other
    /// None of these, as far as the first bytes tell.
    case unknown

    /// Decides by the first 4 KiB at most.
    ///
    /// Byte order marks and white space before the text are passed over. UTF-16 and UTF-32 are read too, with a mark or
    /// without.
    package init(firstBytes: some Collection<UInt8>) {
        var text = GuideText(Array(firstBytes.prefix(4096)))
        text.skipSpace()
        guard let first = text.next else {
            self = .empty
            return
        }
        switch first {
        case UInt8(ascii: "<"): self = GuideFormat(xml: text)
        case UInt8(ascii: "{"): self = .json
        // "[section]" begins other files.
        case UInt8(ascii: "["): self = text.startsArray ? .json : .unknown
        case UInt8(ascii: "#"): self = text.startsPlaylist ? .playlist : .unknown
        default: self = text.startsAddress ? .playlist : .unknown
        }
    }

    /// Decides by the name of the root, which stands in the DOCTYPE or in the first tag.
    private init(xml start: GuideText) {
        var text = start
        while text.skipMarkup() { text.skipSpace() }
        guard let name = text.rootName else {
            // What stands before the root is long, or isn't well-formed.
            self = .xmltv
            return
        }
        switch name {
        case "html", "head", "body", "title", "script", "meta", "br", "center", "h1": self = .htmlPage
        // A guide of which the beginning is missing is one still.
        case "tv", "channel", "programme": self = .xmltv
        default: self = .other
        }
    }
}

/// The first bytes of a file as text, of which only the ASCII characters matter.
private struct GuideText {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = (WideEncoding(firstBytes: bytes)?.narrowed(bytes) ?? bytes)[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    }

    var next: UInt8? { rest.first }

    mutating func skipSpace() {
        rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    }

    /// Whether it begins with a text in lower case, in whatever case it is written.
    func starts(with prefix: StaticString) -> Bool {
        let wanted = Array(prefix.description.utf8)
        return rest.prefix(wanted.count).map(GuideText.lowered).elementsEqual(wanted)
    }

    /// Whether what follows "[" may stand in a JSON array, as far as can be seen.
    var startsArray: Bool {
        var inner = self
        inner.rest = rest.dropFirst()
        inner.skipSpace()
        return inner.next.map { !(0x61...0x7A).contains(GuideText.lowered($0)) } ?? true
    }

    /// Whether lines with `#` lead to one that only playlists have.
    var startsPlaylist: Bool {
        var lines = self
        while lines.next == UInt8(ascii: "#") {
            let marks: [StaticString] = ["#extm3u", "#extinf", "#extgrp", "#extvlcopt", "#kodiprop", "#playlist"]
            if marks.contains(where: { lines.starts(with: $0) }) { return true }
            lines.rest = lines.rest.drop { $0 != 0x0A && $0 != 0x0D }
            lines.skipSpace()
        }
        return lines.startsAddress
    }

    /// Whether an address of a stream begins here.
    var startsAddress: Bool {
        ["http://", "https://", "rtsp://", "rtp://", "udp://", "rtmp://"].contains { starts(with: $0) }
    }

    /// Passes over a processing instruction or a comment, if one is next and ends.
    mutating func skipMarkup() -> Bool {
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

    /// The name in the DOCTYPE or in the start tag that is next, in lower case; `nil` if neither is.
    var rootName: String? {
        var inner = self
        if starts(with: "<!doctype") {
            inner.rest = rest.dropFirst(9)
            inner.skipSpace()
        } else {
            guard starts(with: "<"), !starts(with: "<!"), !starts(with: "<?") else { return nil }
            inner.rest = rest.dropFirst()
        }
        let name = inner.rest.prefix { byte in
            !(byte == 0x20 || (0x09...0x0D).contains(byte)) && !"/>[".utf8.contains(byte)
        }
        return name.isEmpty ? nil : String(decoding: name.map(GuideText.lowered), as: UTF8.self)
    }

    private static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
