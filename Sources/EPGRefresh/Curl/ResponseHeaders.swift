/// The response headers that a fetch needs, parsed line by line.
struct ResponseHeaders: Hashable, Sendable {
    /// Maximum length of a value in bytes. Longer values are dropped, so the next request is unconditional.
    private static let maximumByteCount = 1024
    /// Maximum length of a redirect's target in bytes; RFC 9110, 4.1 recommends at least 8000.
    private static let maximumURLByteCount = 16_384

    /// The status code; 0 before the status line.
    private(set) var status = 0
    /// Whether the protocol frames bodies, as HTTP/2 and later do (RFC 9113) and HTTP/1 does not.
    private(set) var isFramed = false
    /// Whether the empty line was received; only trailers follow.
    private(set) var isComplete = false
    private(set) var entityTag: String?
    private(set) var lastModified: String?
    private(set) var location: String?
    private(set) var date: String?
    private(set) var retryAfter: String?
    private(set) var contentLength: Int64?
    private(set) var contentRange: ContentRange?
    /// Whether the body has a content coding, such as gzip.
    private(set) var isCoded = false
    /// Whether the body is chunked, so that its last chunk marks the end.
    private(set) var isChunked = false
    /// Whether the server supports range requests for this body.
    private(set) var acceptsRanges = false

    /// Whether only the end of the connection marks the end of the body (RFC 9112, 6.3).
    var endsWithConnection: Bool { !isFramed && !isChunked && contentLength == nil }

    /// Parses a header line from libcurl, with or without its line end.
    ///
    /// A status line begins a new response and discards the previous one, such as an interim response (RFC 9110, 15.2).
    /// Ignores trailers.
    mutating func parse(line: UnsafeRawBufferPointer) {
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
        set(String(decoding: line[..<colon].prefix(64), as: UTF8.self).lowercased(), to: value)
    }

    private mutating func set(_ name: String, to value: UnsafeRawBufferPointer) {
        let text = ResponseHeaders.validValue(value)
        let words = (text ?? "").lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
        switch name {
        case "etag": entityTag = text
        case "last-modified": lastModified = text
        // Parsing the URL escapes characters that are not ASCII.
        case "location" where value.count <= ResponseHeaders.maximumURLByteCount:
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

    /// Parses a status line, such as `HTTP/1.1 200 OK` or `HTTP/2 200`.
    private init(statusLine: String) {
        let words = statusLine.split(separator: " ")
        status = words.dropFirst().first.flatMap { Int($0) } ?? 0
        isFramed = words.first?.hasPrefix("HTTP/1") == false
    }

    /// Returns a value that can be sent back: printable ASCII, not too long (RFC 9110, 5.5 and 8.8.3); otherwise `nil`.
    static func validValue(_ bytes: some Collection<UInt8>) -> String? {
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

/// The range of a response with status 206: `bytes 100-199/200` (RFC 9110, 14.4).
struct ContentRange: Hashable {
    let first: Int64
    let last: Int64
    /// Size of the complete body in bytes; `nil` if the server does not know it.
    let total: Int64?

    /// Parses a `Content-Range` value; `nil` for another unit and for inconsistent numbers.
    init?(_ value: String) {
        let words = value.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = ContentRange.number(ends[0]), let last = ContentRange.number(ends[1]),
            first <= last
        else { return nil }
        if parts[1] == "*" {
            total = nil
        } else {
            guard let total = ContentRange.number(parts[1]), last < total else { return nil }
            self.total = total
        }
        self.first = first
        self.last = last
    }

    private static func number(_ text: Substring) -> Int64? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}

/// The point at which an interrupted transfer can be resumed (RFC 9110, 13.1.5 and 14).
struct ResumePoint: Hashable {
    /// The URL after all redirects. An entity tag is valid for one URL only.
    let url: WebURL
    /// Number of bytes already received.
    let offset: Int64
    /// The strong entity tag of the body.
    let entityTag: String
    /// Size of the complete body in bytes, if the server sent it.
    let total: Int64?
    let lastModified: String?

    /// Returns the point up to which the body of a response was received; `nil` if the rest cannot be requested.
    ///
    /// A weak tag can mean different bytes with the same meaning, and the offsets of a decompressed body do not match
    /// the server's.
    ///
    /// - Parameter earlier: The point at which this response began.
    init?(after headers: ResponseHeaders, from url: WebURL, offset: Int64, earlier: ResumePoint?) {
        guard offset > 0, let tag = headers.entityTag, tag.hasPrefix("\""), tag.count > 1, tag.hasSuffix("\""),
            !headers.isCoded, headers.status == 206 || headers.acceptsRanges
        else { return nil }
        self.url = url
        self.offset = offset
        entityTag = tag
        total = headers.status == 206 ? headers.contentRange?.total : headers.contentLength
        lastModified = headers.lastModified ?? (headers.status == 206 ? earlier?.lastModified : nil)
        if let total, offset >= total { return nil }
    }

    /// The headers that request the rest.
    var headerLines: [String] { ["Range: bytes=\(offset)-", "If-Range: \(entityTag)"] }

    /// Returns whether a response contains the rest of the same body, up to its end.
    func isContinued(by headers: ResponseHeaders) -> Bool {
        guard headers.status == 206, !headers.isCoded, headers.entityTag == entityTag,
            let range = headers.contentRange, range.first == offset
        else { return false }
        if let total, let other = range.total, total != other { return false }
        // Without the total size, the rest may be incomplete.
        guard let size = range.total ?? total else { return false }
        return range.last == size - 1
    }
}
