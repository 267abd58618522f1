/// The header fields of a response that a fetch needs, read line by line.
struct ResponseHeaders: Hashable, Sendable {
    /// Longer values aren't kept: the next request is then an unconditional one.
    static let maximumByteCount = 1024
    /// Longer targets of redirects aren't followed; RFC 9110, 4.1 asks for 8000 bytes at least.
    static let maximumAddressByteCount = 16_384

    /// The status; 0 before the status line.
    private(set) var status = 0
    /// Whether the version of HTTP tells every end of a body (RFC 9113), as 1.0 and 1.1 don't.
    private(set) var isFramed = false
    /// Whether the empty line came, behind which only a trailer follows.
    private(set) var isComplete = false
    private(set) var entityTag: String?
    private(set) var lastModified: String?
    private(set) var location: String?
    private(set) var date: String?
    private(set) var retryAfter: String?
    private(set) var contentLength: Int64?
    private(set) var contentRange: ContentRange?
    /// Whether the body arrives in another coding, such as gzip.
    private(set) var isCoded = false
    /// Whether the body comes in chunks, of which the last one tells the end.
    private(set) var isChunked = false
    /// Whether the server says that it gives parts of this body.
    private(set) var acceptsRanges = false

    /// Whether nothing but the end of the connection tells the end of the body (RFC 9112, 6.3).
    var endsWithConnection: Bool { !isFramed && !isChunked && contentLength == nil }

    /// Takes a header line as libcurl hands it over, with or without its line end.
    ///
    /// A status line begins a new response, of which the fields before it are no part: behind an interim one (RFC 9110,
    /// 15.2) only those of the last response count. The fields of a trailer are passed over.
    mutating func take(line: UnsafeRawBufferPointer) {
        let line = ResponseHeaders.trim(line)
        if line.starts(with: "HTTP/".utf8), !isComplete || status < 200 {
            self = ResponseHeaders(statusLine: String(decoding: line.prefix(64), as: UTF8.self))
            return
        }
        guard !isComplete else { return }
        guard !line.isEmpty else {
            isComplete = true
            return
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        let value = ResponseHeaders.trim(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]))
        take(String(decoding: line[..<colon].prefix(64), as: UTF8.self).lowercased(), value)
    }

    private mutating func take(_ name: String, _ value: UnsafeRawBufferPointer) {
        let text = ResponseHeaders.fieldValue(value)
        let words = (text ?? "").lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
        switch name {
        case "etag": entityTag = text
        case "last-modified": lastModified = text
        // What isn't ASCII is escaped when the address is read.
        case "location" where value.count <= ResponseHeaders.maximumAddressByteCount:
            location = String(validating: value, as: UTF8.self)
        case "date": date = text
        case "retry-after": retryAfter = text
        case "content-length": contentLength = text.flatMap { Int64($0) }
        case "content-range": contentRange = text.flatMap(ContentRange.init)
        case "content-encoding":
            isCoded = isCoded || (text == nil && !value.isEmpty) || words.contains { $0 != "identity" }
        case "transfer-encoding": isChunked = words.contains("chunked")
        case "accept-ranges": acceptsRanges = words.contains("bytes")
        default: break
        }
    }

    init() {}

    /// Such as `HTTP/1.1 200 OK` or `HTTP/2 200`.
    private init(statusLine: String) {
        let words = statusLine.split(separator: " ")
        status = words.dropFirst().first.flatMap { Int($0) } ?? 0
        isFramed = words.first?.hasPrefix("HTTP/1") == false
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
