import Synchronization

/// A server that gives parts of a guide as RFC 9110 wants it, after a first answer that breaks off.
final class RangeServer: Sendable {
    /// What it may do wrong, or else.
    struct Manner: Sendable {
        var entityTag = "\"one\""
        /// The guide changes after the first request, with its tag.
        var changes = false
        /// Gives the part of the changed guide without a look at If-Range.
        var ignoresIfRange = false
        var acceptsRanges = true
        /// How the content of an answer to a Range begins and ends, instead of what was asked for.
        var contentRange: String?
        /// Bytes of the guide that each answer breaks off after.
        var breaksAfter = 300
        /// Answers that break off.
        var breaks = 1
        /// Whether the announced type of part is several parts.
        var isMultipart = false
    }

    static let guide = "<tv>" + (0..<100).map { "<!-- \($0) -->" }.joined() + "</tv>"
    static let changedGuide = guide.replacing("<!-- 5 -->", with: "<!-- five -->")

    let server: LoopbackServer

    init(_ manner: Manner) throws {
        let count = Mutex(0)
        server = try LoopbackServer { request in
            let number = count.withLock { number in
                number += 1
                return number
            }
            return RangeServer.reply(to: request, number: number, manner)
        }
    }

    var ranges: [String?] { server.requests.map { $0.headers["range"] } }

    private static func reply(to request: LoopbackServer.Request, number: Int, _ manner: Manner) -> LoopbackServer.Reply
    {
        let isChanged = manner.changes && number > 1
        let body = Array((isChanged ? changedGuide : guide).utf8)
        let tag = isChanged ? "\"two\"" : manner.entityTag
        var headers = ["ETag: \(tag)", "Last-Modified: Sun, 29 Mar 2026 03:00:00 GMT"]
        if manner.acceptsRanges { headers.append("Accept-Ranges: bytes") }
        var status = "200 OK"
        var part = body
        let asked = request.headers["range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
        if let asked, manner.acceptsRanges, request.headers["if-range"] == tag || manner.ignoresIfRange {
            status = "206 Partial Content"
            part = Array(body[asked...])
            headers.append("Content-Range: \(manner.contentRange ?? "bytes \(asked)-\(body.count - 1)/\(body.count)")")
            if manner.isMultipart { headers[headers.count - 1] = "Content-Type: multipart/byteranges; boundary=x" }
        }
        var reply = LoopbackServer.Reply.status(status, headers: headers, body: part)
        if number <= manner.breaks { reply.bytes.removeLast(max(0, part.count - manner.breaksAfter)) }
        return reply
    }
}
