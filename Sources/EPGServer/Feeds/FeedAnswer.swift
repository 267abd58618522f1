import EPGJSON
import CArchive
import EPGModel
import EPGRender
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix

/// How a feed is sent.
enum FeedForm: Hashable, Sendable {
    /// As it is, or with `Content-Encoding` for those who take it.
    case text(mediaType: String)
    /// As a file that is packed: no `Content-Encoding`, so that clients keep it packed (Jellyfin unpacks what it takes for
    /// a file).
    case file(mediaType: String)
}

/// Answers with a feed: conditions, ranges, and the bytes in pieces.
struct FeedAnswer: Sendable {
    /// The most bytes that are read at once; each connection holds one piece.
    static let pieceSize = 64 << 10

    let order: FeedOrder
    let form: FeedForm
    let request: Request
    let services: StreamingServices

    func response() async throws -> Response {
        let watched = services.answers.watch.version
        try requireGeneration(watched)
        // Conditions and heads don't need the bytes.
        switch condition(at: watched) {
        case .unmodified: return Response(status: .notModified, headers: fields(at: watched, hasType: false))
        case .failed: throw Problem.preconditionFailed
        case .proceed: break
        }
        if request.method == .head { return head(at: watched) }
        let feed = try await services.feeds.feed(
            order, at: watched, for: services.asker, until: .current)
        // The guide may have changed before the feed was written.
        try requireGeneration(feed.version)
        guard let file = isPacked ? feed.packed : feed.plain else {
            throw Problem(.serviceUnavailable, "This machine has no zlib to pack with; ask for the feed without .gz.")
        }
        return try response(of: file, at: feed.version)
    }

    /// - Throws: ``Problem`` where the address names another generation.
    private func requireGeneration(_ version: GuideVersion) throws(Problem) {
        let standing = services.answers.name(of: version)
        guard let name = order.generation, !name.means(standing) else { return }
        throw .otherGeneration(name, standing: standing)
    }

    /// The answer to HEAD; its length is told where the feed is there.
    private func head(at version: GuideVersion) -> Response {
        var fields = fields(at: version, hasType: true)
        let feed = services.feeds.keptFeed(order, at: version)
        if let file = isPacked ? feed?.packed : feed?.plain {
            fields[.contentLength] = String(file.count)
            return Response(status: .ok, headers: fields)
        }
        return .headAlone(fields)
    }

    private func response(of file: SpoolFile, at version: GuideVersion) throws(Problem) -> Response {
        let count = file.count
        var fields = fields(at: version, hasType: true)
        switch Preconditions(request.headers).range(of: count, with: tag(at: version)) {
        case .whole:
            return Response(status: .ok, headers: fields, body: try body(of: file, 0..<count, at: version))
        case .part(let range):
            fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)"
            return Response(status: .partialContent, headers: fields, body: try body(of: file, range, at: version))
        case .unsatisfiable:
            let problem = Problem(
                .rangeNotSatisfiable, "The feed has \(count) bytes, and none of them is in the range.")
            fields = problem.fields
            fields[.contentRange] = "bytes */\(count)"
            let document = Document(.problem) { $0.write(problem) }
            return Response(status: problem.status, headers: fields, body: ResponseBody(byteBuffer: document.bytes))
        }
    }

    /// Reads a piece when the client has taken the one before.
    private func body(
        of file: SpoolFile, _ range: Range<Int>, at version: GuideVersion
    ) throws(Problem) -> ResponseBody {
        let download = try services.feeds.beginDownload(of: order, at: version, for: services.asker)
        return ResponseBody(contentLength: range.count) { writer in
            defer { withExtendedLifetime(download) {} }
            var place = range.lowerBound
            while place < range.upperBound {
                let (from, limit) = (place, min(FeedAnswer.pieceSize, range.upperBound - place))
                let piece = try await NIOThreadPool.singleton.runIfActive { try file.bytes(from: from, atMost: limit) }
                guard piece.readableBytes > 0 else { throw ConnectionEnds() }
                place += piece.readableBytes
                try await writer.write(piece)
                if (place - range.lowerBound) % (4 * FeedAnswer.pieceSize) == 0 {
                    try await FeedAnswer.letLoopsCatchUp()
                }
            }
            try await writer.finish(nil)
        }
    }

    /// Waits until what was written has reached the connection.
    ///
    /// A connection tells that its client is slow from its event loop. Who writes meanwhile runs ahead by as much as the loop
    /// is late: dozens of megabytes for each client on a busy machine.
    private static func letLoopsCatchUp() async throws {
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { try await loop.submit {}.get() }
    }

    // MARK: - Fields

    /// Whether the packed bytes are sent.
    private var isPacked: Bool {
        switch form {
        case .text:
            AcceptedEncodings(request.headers[.acceptEncoding]).acceptsGzip && carchive_load(CARCHIVE_GZIP) == nil
        case .file: true
        }
    }

    private var edition: Edition { services.answers.site.edition }

    private func tag(at version: GuideVersion) -> EntityTag {
        EntityTag(
            version: version, edition: edition.name, key: order.key, isCompressed: isPacked)
    }

    private func condition(at version: GuideVersion) -> Preconditions.Outcome {
        Preconditions(request.headers).outcome(
            for: tag(at: version), lastModified: order.lastModified(at: version, edition))
    }

    /// - Parameter hasType: Whether the fields of the bytes belong to it, which an answer 304 does without.
    private func fields(at version: GuideVersion, hasType: Bool) -> HTTPFields {
        var fields = hasType ? SecurityFields.ofOthers : [:]
        fields[.eTag] = tag(at: version).value
        fields[.lastModified] = order.lastModified(at: version, edition)?.httpDate
        fields[.cacheControl] = order.freshness.cacheControl
        if case .text = form { fields[.vary] = "Accept-Encoding" }
        guard hasType else { return fields }
        fields[.acceptRanges] = "bytes"
        switch form {
        case .text(let type):
            fields[.contentType] = type
            if isPacked { fields[.contentEncoding] = "gzip" }
        case .file(let type): fields[.contentType] = type
        }
        return fields
    }
}
