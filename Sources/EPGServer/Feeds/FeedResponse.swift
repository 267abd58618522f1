import EPGCalendar
import EPGHTTP
import EPGImport
import EPGModel
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix

/// The representation of a feed.
enum FeedForm: Hashable, Sendable {
    /// As text, with `Content-Encoding` for clients that accept it.
    case text(mediaType: String)
    /// As a compressed file without `Content-Encoding`, so that clients store it compressed. Jellyfin, for example,
    /// decompresses what it takes for a file.
    case file(mediaType: String)
}

/// The response with a feed or a range of it, sent in chunks.
struct FeedResponse: Sendable {
    /// The maximum number of bytes of a piece. Each connection holds one.
    private static let pieceSize = 64 << 10

    let query: FeedQuery
    let form: FeedForm
    let request: Request
    let client: RequestClient
    let service: GuideService
    let feeds: FeedLibrary

    /// - Throws: ``Problem``, or an error of the store.
    func response() async throws -> Response {
        if let generation = query.generation { try await service.awaitGeneration(generation.generation, client) }
        let current = service.watch.version
        try requireGeneration(current)
        let preconditions = Preconditions(request.headers)
        let outcome = preconditions.outcome(
            for: tag(at: current), lastModified: query.lastModified(at: current, service.site))
        // ConditionalMiddleware turns this into 304 or 412, neither of which needs the feed.
        guard outcome == .proceed else { return Response(status: .ok, headers: headers(at: current)) }
        if request.method == .head { return head(at: current) }
        let feed = try await feeds.feed(
            query, at: current, for: client.limitedAddress, until: client.disconnectSignal)
        // The guide may have changed before the feed was written.
        try requireGeneration(feed.version)
        return try response(of: isCompressed ? feed.compressed : feed.plain, at: feed.version, preconditions)
    }

    /// - Throws: ``Problem`` if the URL names another generation.
    private func requireGeneration(_ version: GuideVersion) throws(Problem) {
        let current = service.name(of: version)
        guard let name = query.generation, !name.refers(to: current) else { return }
        throw .otherGeneration(name, current: current)
    }

    /// The response to HEAD, with the length if the feed is already written.
    private func head(at version: GuideVersion) -> Response {
        var headers = headers(at: version)
        let feed = feeds.storedFeed(query, at: version)
        guard let file = isCompressed ? feed?.compressed : feed?.plain else { return .headAlone(headers) }
        headers[.contentLength] = String(file.count)
        return Response(status: .ok, headers: headers)
    }

    private func response(
        of file: SpoolFile, at version: GuideVersion, _ preconditions: Preconditions
    ) throws(Problem) -> Response {
        let count = file.count
        var headers = headers(at: version)
        switch preconditions.range(of: count, with: tag(at: version)) {
        case .whole:
            return Response(status: .ok, headers: headers, body: try body(of: file, 0..<count, at: version))
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)"
            return Response(status: .partialContent, headers: headers, body: try body(of: file, range, at: version))
        case .unsatisfiable:
            let problem = Problem(.rangeNotSatisfiable, "The range is outside of the \(count) bytes of the feed.")
            var response = problem.response(to: request)
            response.headers[.contentRange] = "bytes */\(count)"
            return response
        }
    }

    /// The body, which reads each piece when the client has received the previous one.
    private func body(
        of file: SpoolFile, _ range: Range<Int>, at version: GuideVersion
    ) throws(Problem) -> ResponseBody {
        let download = try feeds.beginDownload(of: query, at: version, for: client.limitedAddress)
        return ResponseBody(contentLength: range.count) { writer in
            defer { withExtendedLifetime(download) {} }
            var offset = range.lowerBound
            while offset < range.upperBound {
                let (start, limit) = (offset, min(FeedResponse.pieceSize, range.upperBound - offset))
                // Not in a class of RequestAdmission: a download in progress must not wait for a feed that is being written.
                let piece = try await NIOThreadPool.singleton.runIfActive {
                    try file.bytes(from: start, maximumCount: limit)
                }
                guard !piece.isEmpty else { throw ConnectionEnds() }
                offset += piece.count
                try await writer.write(ByteBuffer(bytes: piece))
                if (offset - range.lowerBound) % (4 * FeedResponse.pieceSize) == 0 {
                    try await FeedResponse.waitForEventLoops()
                }
            }
            try await writer.finish(nil)
        }
    }

    /// Waits until written data has reached the connection.
    ///
    /// A connection applies backpressure from its event loop. Without this wait, the writer would be ahead by the delay of the
    /// loop: dozens of megabytes per client on a busy machine.
    private static func waitForEventLoops() async throws {
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { try await loop.submit {}.get() }
    }

    // MARK: - Headers

    private var isCompressed: Bool {
        switch form {
        case .text: AcceptedValues(request.headers[.acceptEncoding]).acceptsGzip
        case .file: true
        }
    }

    /// The tag, which identifies the version of the guide: the content is unknown until the feed is written.
    private func tag(at version: GuideVersion) -> EntityTag {
        let tag = EntityTag(
            identifiedBy: "\(version.generation)\n\(version.nonce)\n\(service.site.edition)\n\(query.key)")
        return isCompressed ? tag.compressed : tag
    }

    private func headers(at version: GuideVersion) -> HTTPFields {
        var headers: HTTPFields = [.acceptRanges: "bytes", .cacheControl: query.freshness.cacheControl]
        headers[.guideGeneration] = service.name(of: version).description
        headers[.eTag] = tag(at: version).value
        headers[.lastModified] = query.lastModified(at: version, service.site)?.httpDate
        switch form {
        case .text(let type):
            headers[.contentType] = type
            headers[.vary] = "Accept-Encoding"
            if isCompressed { headers[.contentEncoding] = "gzip" }
        case .file(let type): headers[.contentType] = type
        }
        return headers
    }
}

extension Response {
    /// The response to HEAD if the length of the body is unknown.
    ///
    /// The server would write a chunked body without chunks, which a response to HEAD must not have. So the server
    /// writes the head alone and closes the connection.
    static func headAlone(_ headers: HTTPFields) -> Response {
        var headers = headers
        headers[.connection] = "close"
        return Response(
            status: .ok, headers: headers, body: ResponseBody(contentLength: nil) { _ in throw ConnectionEnds() })
    }
}

/// Closes the connection instead of sending more.
private struct ConnectionEnds: Error {}
