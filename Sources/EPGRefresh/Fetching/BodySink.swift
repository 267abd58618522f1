internal import EPGFiles
internal import EPGImport
package import EPGModel
internal import XMLTV

/// Receives a body: writes it to a temporary file, hashes it, and keeps samples of its beginning and end.
final class BodySink {
    let file: TemporaryFile
    private var hasher = BodyHasher()
    /// The first bytes, at most ``sampleByteCount``.
    private var beginning: [UInt8] = []
    /// The last bytes, at most ``sampleByteCount``.
    private var end: [UInt8] = []
    private let byteLimit: Int64

    /// Size of each sample in bytes.
    private static let sampleByteCount = 4096

    /// Creates an empty body of at most `byteLimit` bytes.
    ///
    /// - Parameter folder: See `TemporaryFile`.
    /// - Throws: ``FetchError`` if the folder is not writable.
    init(folder: String?, byteLimit: Int64) throws(FetchError) {
        file = try FetchError.converting { () throws(SystemFault) in
            try TemporaryFile(inFolder: folder)
        }
        self.byteLimit = byteLimit
    }

    var byteCount: Int64 { hasher.byteCount }

    /// Properties of the body that its samples reveal.
    var shape: BodyShape { BodyShape(beginning: beginning, end: end) }

    /// Appends bytes.
    ///
    /// - Throws: ``FetchError`` if the body exceeds its limit or the file cannot be written.
    func append(_ bytes: UnsafeRawBufferPointer) throws(FetchError) {
        guard Int64(bytes.count) <= byteLimit - byteCount else { throw FetchError(reason: .tooLarge(limit: byteLimit)) }
        try FetchError.converting { () throws(SystemFault) in try file.file.write(bytes) }
        hasher.append(bytes)
        beginning += bytes.prefix(BodySink.sampleByteCount - beginning.count)
        let last = bytes.suffix(BodySink.sampleByteCount)
        end.removeFirst(max(0, end.count + last.count - BodySink.sampleByteCount))
        end.append(contentsOf: last)
    }

    /// Discards the body, to receive another body.
    func empty() throws(FetchError) {
        try FetchError.converting { () throws(SystemFault) in try file.file.truncate() }
        hasher = BodyHasher()
        beginning = []
        end = []
    }

    /// Throws if the body is empty or a web page.
    func requireGuide() throws(FetchError) {
        guard byteCount > 0 else { throw FetchError(reason: .empty) }
        if shape.isWebPage { throw FetchError(reason: .webPage(title: shape.pageTitle)) }
    }

    /// Returns the complete body.
    func body(entityTag: String? = nil, lastModified: String? = nil) -> FetchedBody {
        FetchedBody(
            path: file.path, byteCount: byteCount, hash: hasher.finish(), entityTag: entityTag,
            lastModified: lastModified, file: file)
    }
}

/// Guesses the type and completeness of a body from its first and last bytes.
struct BodyShape {
    private let beginning: [UInt8]
    private let end: [UInt8]

    /// - Parameters:
    ///   - beginning: The first bytes.
    ///   - end: The last bytes; for a short body, all of them.
    init(beginning: [UInt8], end: [UInt8]) {
        self.beginning = beginning
        self.end = end
    }

    /// Whether the body begins like a web page.
    var isWebPage: Bool { GuideFormat(firstBytes: beginning) == .htmlPage }

    /// The title of a web page: one line without control characters, at most 80 characters; `nil` for none.
    var pageTitle: String? {
        let text = String(decoding: beginning, as: UTF8.self)
        let lowered = text.lowercased()
        // Lowercasing can change the length. Positions in one text then do not apply to the other.
        guard lowered.utf8.count == text.utf8.count, let tag = lowered.firstRange(of: "<title"),
            let open = lowered[tag.upperBound...].firstIndex(of: ">"),
            let close = lowered[open...].firstRange(of: "</title")
        else { return nil }
        let from = lowered.utf8.distance(from: lowered.startIndex, to: open) + 1
        let to = lowered.utf8.distance(from: lowered.startIndex, to: close.lowerBound)
        let title = String(decoding: Array(text.utf8)[from..<to], as: UTF8.self)
        let words = title.unicodeScalars.split {
            $0.properties.isWhitespace || $0.properties.generalCategory == .control
        }
        let line = String(words.map(String.init).joined(separator: " ").prefix(80))
        return line.isEmpty ? nil : line
    }

    /// Whether the body looks complete: XML ends with its root's end tag, JSON with its last bracket, and a playlist not with the
    /// description of a channel.
    ///
    /// For bodies that end when the connection closes (RFC 9112, 6.3), where truncation is otherwise undetectable.
    /// Compressed bodies and wide encodings always pass; the import reads them to the end.
    var mayBeComplete: Bool {
        guard WideEncoding(firstBytes: beginning) == nil else { return true }
        let start = DocumentStart(beginning)
        let lastByte = end.last { !DocumentStart.isSpace($0) }
        switch start.next {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            return lastByte == UInt8(ascii: "}") || lastByte == UInt8(ascii: "]")
        case UInt8(ascii: "<"):
            // If the root's name is not in the sample of a long text, it is unknown.
            guard let root = start.root, !root.isCut else { return beginning != end }
            return hasEnd(ofRoot: root.name)
        case UInt8(ascii: "#"):
            let lastLine = end.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.last ?? []
            return !lastLine.starts(with: Array("#EXTINF".utf8))
        default: return true
        }
    }

    /// Returns whether the last sample contains the root's end tag, or ends with an empty root element.
    private func hasEnd(ofRoot root: String) -> Bool {
        let name = Array(root.utf8)
        let tags = end.indices.filter { end[$0] == UInt8(ascii: "<") }
        let hasEndTag = tags.contains { place in
            let tag = end[(place + 1)...]
            return tag.first == UInt8(ascii: "/") && tag.dropFirst().starts(with: name)
                && tag.dropFirst(1 + name.count).drop(while: DocumentStart.isSpace).first == UInt8(ascii: ">")
        }
        guard !hasEndTag, let last = tags.last else { return hasEndTag }
        let tag = Array(end[(last + 1)...].reversed().drop(while: DocumentStart.isSpace).reversed())
        return tag.starts(with: name) && tag.suffix(2).elementsEqual("/>".utf8)
    }
}

/// Hashes a body that arrives in pieces. The result does not depend on the sizes of the pieces.
///
/// The bytes are hashed in chunks of 1 MiB; the last one may be shorter. ``ContentHasher`` hashes the first chunk with
/// a fixed key; each hash is the key for the next chunk. The result is the hash of the number of bytes (8 bytes,
/// little-endian) with the hash of the last chunk as key.
///
/// The key is public, so a server can construct two bodies with the same hash. It gains nothing: a refresh uses the
/// hash only to detect "same bytes as last time", and skips the import of the second body.
package struct BodyHasher: Sendable {
    /// Size of a chunk in bytes.
    package static let chunkByteCount = 1 << 20

    /// The first 32 hexadecimal digits of the fractional part of π.
    package static let key = ContentHash(high: 0x243F_6A88_85A3_08D3, low: 0x1319_8A2E_0370_7344)

    private var hash = BodyHasher.key
    private var chunk: [UInt8] = []
    /// Number of bytes so far.
    package private(set) var byteCount: Int64 = 0

    /// Creates the hasher of an empty body.
    package init() {}

    /// Appends bytes.
    ///
    /// - Complexity: O(n); memory is one chunk.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while offset < bytes.count {
            let count = min(BodyHasher.chunkByteCount - chunk.count, bytes.count - offset)
            chunk.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
            offset += count
            if chunk.count == BodyHasher.chunkByteCount { closeChunk() }
        }
        byteCount += Int64(bytes.count)
    }

    /// Returns the hash of all bytes: 32 hexadecimal digits.
    package consuming func finish() -> String {
        if !chunk.isEmpty { closeChunk() }
        let count = UInt64(byteCount)
        let countBytes = (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
        return ContentHasher(key: hash).hash(countBytes.span).hexadecimal
    }

    private mutating func closeChunk() {
        hash = ContentHasher(key: hash).hash(chunk.span)
        chunk.removeAll(keepingCapacity: true)
    }
}

extension ContentHash {
    /// 32 hexadecimal digits, the high half first.
    var hexadecimal: String { high.hexadecimal + low.hexadecimal }
}
