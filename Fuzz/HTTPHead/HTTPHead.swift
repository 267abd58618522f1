import EPGCalendar
import EPGModel
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1

@testable import EPGHTTP
@testable import EPGServer

/// Parses the input as HTTP/1 requests, as the service does, and then parses each header value as every header of the
/// service.
///
/// An accepted head has one meaning: checking it again changes nothing. Parsed values are within their bounds, and
/// their canonical text parses to the same value.
func fuzzHTTPHead(_ bytes: [UInt8]) {
    let channel = EmbeddedChannel()
    defer { _ = Result { try channel.finish(acceptAlreadyClosed: true) } }
    let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)
    guard
        case .success = Result(catching: {
            try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(decoder))
        })
    else { return }
    // Malformed requests are errors of the channel; the heads before them count.
    _ = Result { try channel.writeInbound(ByteBuffer(bytes: bytes)) }
    while case .success(let part?) = Result(catching: { try channel.readInbound(as: HTTPServerRequestPart.self) }) {
        if case .head(let head) = part { check(head) }
    }
}

private func check(_ head: HTTPRequestHead) {
    let limits = ConnectionLimits()
    for (_, value) in head.headers { checkHeader(value) }
    checkFields(head.headers)
    guard let checked = Result(catching: { () throws(Refusal) in try CheckedHead(head, limits: limits) }).value
    else {
        return
    }
    precondition(checked.head.uri.utf8.first == UInt8(ascii: "/"), "a target without a slash")
    precondition((0...limits.bodyBytes).contains(checked.bodyLimit))
    let hosts = checked.head.headers["Host"]
    precondition(hosts.allSatisfy(CheckedHead.isHost), "a malformed host")
    precondition(hosts.count == 1 || (hosts.isEmpty && head.version == .http1_0), "\(hosts.count) hosts")
    let again = Result(catching: { () throws(Refusal) in try CheckedHead(checked.head, limits: limits) }).value
    precondition(again?.head == checked.head, "checking a head again changed it")
    if let plain = PlainRequest(checked.head) {
        precondition(plain.target == checked.head.uri && checked.head.method == .GET)
        let encodings = checked.head.headers["Accept-Encoding"]
        precondition(plain.acceptsGzip == AcceptedValues(encodings.first).acceptsGzip && encodings.count <= 1)
    }
}

/// Parses a value as every header that the service reads.
private func checkHeader(_ value: String) {
    for count in [0, 1, 10_000] {
        if case .part(let range) = ByteRange(value, of: count) {
            precondition(!range.isEmpty && range.lowerBound >= 0 && range.upperBound <= count, "\(range) of \(count)")
        }
    }
    if let instant = Instant(httpDate: value) {
        precondition(Instant(httpDate: instant.httpDate) == instant, "\(instant.httpDate) of “\(value)”")
    }
    if let address = ClientAddress(parsing: value[...]) {
        precondition(ClientAddress(parsing: address.description[...]) == address, "\(address) of “\(value)”")
        precondition(address.counted.counted == address.counted)
    }
    let tag = EntityTag(of: ByteBuffer(string: "content"))
    precondition(tag.isNamed(in: tag.value) && tag.isNamed(in: value + ", W/" + tag.value), "“\(value)”")
    let accepted = AcceptedValues(value)
    _ = (accepted.acceptsGzip, accepted.namesHTML)
    // Only the correct token matches.
    let parts = value.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1)
    let isCorrect =
        parts.count == 2 && String(Substring(parts[0])).lowercased() == "bearer"
        && Array(parts[1].drop { $0 == UInt8(ascii: " ") }) == Array("secret".utf8)
    precondition((BearerToken.text(in: value) == "secret") == isCorrect, "“\(value)”")
    let table = ClientTable(limits: ConnectionLimits(), proxies: [.four(1)])
    precondition(
        table.client(of: .four(2), forwardedFor: value).limitedAddress == .four(2),
        "an untrusted client names another address")
    _ = table.client(of: .four(1), forwardedFor: value)
}

private func checkFields(_ headers: HTTPHeaders) {
    var fields = HTTPFields()
    for (name, value) in headers {
        if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    let tag = EntityTag(of: ByteBuffer(string: "content")).compressed
    let conditions = Preconditions(fields)
    _ = conditions.outcome(for: tag, lastModified: Instant(secondsSince1970: 0))
    _ = conditions.outcome(for: nil, lastModified: nil)
    if case .part(let range) = conditions.range(of: 1000, with: tag) { precondition(range.upperBound <= 1000) }
    let allowed = CrossOriginMiddleware(origins: ["https://tv.example"], exposing: .eTag, except: { _ in false })
        .headers(for: fields[.origin])[
            .accessControlAllowOrigin]
    precondition(allowed == nil || allowed == "https://tv.example")
}

extension Result {
    fileprivate var value: Success? {
        if case .success(let value) = self { value } else { nil }
    }
}

#if FUZZING
    @_cdecl("LLVMFuzzerTestOneInput")
    public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        fuzzHTTPHead(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    }
#endif
