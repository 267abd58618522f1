/// The header fields of a response that a later conditional request needs, read line by line.
struct ResponseHeaders: Hashable, Sendable {
    /// Longer values aren't kept: the next request is then an unconditional one.
    static let maximumByteCount = 1024

    private(set) var entityTag: String?
    private(set) var lastModified: String?

    /// Takes a header line as libcurl hands it over, with or without its line end.
    ///
    /// A status line begins a new response, of which the fields before it are no part: after a redirect only those of
    /// the last response count.
    mutating func take(line: UnsafeRawBufferPointer) {
        let line = ResponseHeaders.trim(line)
        if line.starts(with: "HTTP/".utf8) {
            self = ResponseHeaders()
            return
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        let value = ResponseHeaders.trim(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]))
        switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
        case "etag": entityTag = ResponseHeaders.fieldValue(value)
        case "last-modified": lastModified = ResponseHeaders.fieldValue(value)
        default: break
        }
    }

    /// A value that can be sent back as it is: visible ASCII and blanks, not too long (RFC 9110, 5.5 and 8.8.3).
    static func fieldValue(_ bytes: some Collection<UInt8>) -> String? {
        guard !bytes.isEmpty, bytes.count <= maximumByteCount, bytes.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func trim(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard let first = bytes.firstIndex(where: { !isBlank($0) }),
            let last = bytes.lastIndex(where: { !isBlank($0) })
        else { return UnsafeRawBufferPointer(rebasing: bytes[..<0]) }
        return UnsafeRawBufferPointer(rebasing: bytes[first...last])
    }
}
