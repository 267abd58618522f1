import EPGJSON
import EPGRender
import HTTPTypes
import NIOCore

/// What an endpoint answers: bytes of some type, before caching and compression.
struct Document: Sendable {
    var mediaType: MediaType
    var bytes: ByteBuffer
    /// Other fields that belong to it, such as `Content-Disposition`.
    var fields: HTTPFields = [:]
    /// Whether it may be another one before the guide changes, so that nobody is to keep it.
    var isPassing = false
    /// What decides its bytes besides the guide and the address.
    var edition = Edition()

    init(_ mediaType: MediaType, _ bytes: ByteBuffer) {
        self.mediaType = mediaType
        self.bytes = bytes
    }

    init(_ mediaType: MediaType, text: String) {
        self.init(mediaType, ByteBuffer(string: text))
    }

    /// A JSON document.
    init(json value: some JSONValue) {
        self.init(.json) { $0.write(value) }
    }

    /// A JSON document, written by a closure.
    init(_ mediaType: MediaType = .json, _ write: (inout JSONWriter) throws -> Void) rethrows {
        var json = JSONWriter()
        try write(&json)
        self.init(mediaType, ByteBuffer(bytes: json.takeBytes()))
    }
}

/// The type of a document, as `Content-Type` has it.
struct MediaType: Hashable, Sendable {
    let value: String
    /// Whether gzip makes it smaller.
    let isText: Bool

    init(_ value: String, isText: Bool) {
        self.value = value
        self.isText = isText
    }

    static let json = MediaType("application/json", isText: true)
    static let problem = MediaType("application/problem+json", isText: true)
    static let html = MediaType("text/html; charset=utf-8", isText: true)
    static let svg = MediaType("image/svg+xml", isText: true)
    static let plain = MediaType("text/plain; charset=utf-8", isText: true)
}
