package import XMLTV

/// A file that can't be imported, with a sentence for people; the guide that stood is unchanged.
package struct GuideFileError: Error, CustomStringConvertible, Sendable {
    package enum Reason: Hashable, Sendable {
        case htmlPage
        /// It is compressed: the name of the format.
        case compressed(String)
        case json
        case playlist
        case xml(XMLError)
    }

    package let reason: Reason

    /// What a file is whose XML can't be read, by its first bytes.
    init(_ error: XMLError, firstBytes: [UInt8]) {
        reason = GuideFileError.format(of: firstBytes, error) ?? .xml(error)
    }

    /// Whether the file is there but the system couldn't read it.
    package var isUnreadable: Bool {
        if case .xml(let error) = reason, case .unreadable = error.reason { true } else { false }
    }

    /// One sentence, with the line where there is one.
    package var description: String {
        switch reason {
        case .htmlPage: "line 1: this is an HTML page, not a guide; its address may ask for a login or be out of date"
        case .compressed(let format): "this is compressed (\(format)); unpack it first"
        case .json: "line 1: this is JSON; only XMLTV can be imported"
        case .playlist: "line 1: this is a playlist (M3U); only XMLTV can be imported"
        case .xml(let error): error.description
        }
    }

    private static func format(of bytes: [UInt8], _ error: XMLError) -> Reason? {
        let magic: [(name: String, bytes: [UInt8])] = [
            ("gzip", [0x1F, 0x8B]), ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A]), ("bzip2", [0x42, 0x5A, 0x68]),
            ("zstd", [0x28, 0xB5, 0x2F, 0xFD]), ("zip", [0x50, 0x4B, 0x03, 0x04]),
        ]
        if let match = magic.first(where: { bytes.starts(with: $0.bytes) }) { return .compressed(match.name) }
        if case .unreadable = error.reason { return nil }
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if start.hasPrefix("#extm3u") { return .playlist }
        if start.hasPrefix("{") || start.hasPrefix("[") { return .json }
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") { return .htmlPage }
        if case .notXMLTV(let root) = error.reason, root.lowercased() == "html" { return .htmlPage }
        return nil
    }
}

/// A source that remembers its first bytes, by which a file is told that is no guide.
struct RememberingSource<Base: ByteSource>: ByteSource {
    private var base: Base
    private let memory: FirstBytes

    init(_ base: Base, memory: FirstBytes) {
        self.base = base
        self.memory = memory
    }

    mutating func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int {
        let got = try base.read(into: &buffer, at: offset, upTo: count)
        if memory.bytes.count < 512 {
            memory.bytes.append(contentsOf: buffer[offset..<offset + min(got, 512)])
        }
        return got
    }
}

/// The first bytes of a file, shared between a source and who made it.
final class FirstBytes {
    var bytes: [UInt8] = []
}
