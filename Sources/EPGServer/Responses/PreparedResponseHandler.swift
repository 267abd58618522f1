import EPGCalendar
import EPGHTTP
import EPGModel
import EPGRender
import Hummingbird
import NIOCore
import NIOHTTP1

/// A handler in front of Hummingbird that responds to plain GET requests on the event loop: from the ``ResponseCache``; viewports
/// from schedules in memory; pictures from files that the kernel has in memory.
///
/// A cached viewport costs 15 µs of CPU this way against 42 µs through the router, an unseen one 49 µs against 116 µs.
/// Everything else goes on to the router, and so does every request whose status would not be 200 or 304.
///
/// It must follow a handler that passes on one request at a time.
final class PreparedResponseHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// The state that all connections share.
    struct Services: Sendable {
        let guide: GuideService
        let conditional: ConditionalMiddleware
        let crossOrigin: CrossOriginMiddleware
        let recorder: RequestRecorder
    }

    private struct Response {
        /// The path of the endpoint for metrics.
        let route: String
        let variant: CachedResponse.Variant
        let request: PlainRequest
        let arrival: ContinuousClock.Instant
    }

    private let services: Services
    private let connection: ClientConnection
    /// The response to the current request, which is written at the end of the request.
    private var response: Response?
    private var date = CachedHTTPDate()

    init(_ services: Services, _ connection: ClientConnection) {
        (self.services, self.connection) = (services, connection)
    }

    /// Returns a function that creates the handler of a connection.
    static func factory(_ services: Services) -> @Sendable (ClientConnection) -> any ChannelHandler {
        { PreparedResponseHandler(services, $0) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            response = response(to: head)
            if response != nil { return }
        case .body where response != nil: return
        case .end:
            if let response {
                self.response = nil
                write(response, context)
                return
            }
        default: break
        }
        context.fireChannelRead(data)
    }

    private func response(to head: HTTPRequestHead) -> Response? {
        let arrival = ContinuousClock.now
        guard let request = PlainRequest(head) else { return nil }
        let guide = services.guide
        let epoch = guide.watch.epoch
        if let cached = guide.cache.response(preparedFor: request.target, epoch: epoch, now: guide.now()) {
            // Compression takes too long for the event loop.
            guard let variant = request.acceptsGzip ? cached.availableCompressed : cached.plain else { return nil }
            return Response(route: cached.route, variant: variant, request: request, arrival: arrival)
        }
        if let response = guide.immediatePicture(at: request.target, epoch: epoch) {
            return Response(route: response.route, variant: response.plain, request: request, arrival: arrival)
        }
        guard !request.acceptsGzip, let text = request.query(ofPath: GridEndpoint.path),
            let (query, minute) = viewport(text), query.isPreparable,
            let response = guide.immediateResponse(to: query, target: request.target, epoch: epoch, minute: minute)
        else { return nil }
        return Response(route: query.route, variant: response.plain, request: request, arrival: arrival)
    }

    /// Parses the query of a viewport; `nil` if it is invalid, which the router reports, or contains a zone, which may require
    /// reading a file.
    private func viewport(_ text: String) -> (query: CanonicalQuery, minute: Int64)? {
        guard !text.contains("zone") else { return nil }
        do throws(Problem) {
            var parameters = try ParameterReader(
                query: text, clock: services.guide.now(), defaultZone: services.guide.site.zone)
            return (try CanonicalQuery(GridEndpoint.self, &parameters), parameters.clock.minute)
        } catch {
            return nil
        }
    }

    private func write(_ response: Response, _ context: ChannelHandlerContext) {
        let variant = response.variant
        let isUnmodified = response.request.condition.map { variant.tag?.isNamed(in: $0) == true } ?? false
        var head = HTTPResponseHead(version: .http1_1, status: isUnmodified ? .notModified : .ok)
        head.headers = isUnmodified ? headersWithoutContent(of: variant) : variant.wireHeaders
        for header in services.crossOrigin.headers(for: nil) {
            head.headers.add(name: header.name.rawName, value: header.value)
        }
        head.headers.add(name: "Date", value: date.text(at: services.guide.now()))
        services.recorder.metrics.prepared.add(1)
        services.recorder.record(
            route: response.route, id: RequestID().description, client: connection.client.address, method: "GET",
            target: response.request.target, status: Int(head.status.code), since: response.arrival)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !isUnmodified { context.write(wrapOutboundOut(.body(.byteBuffer(variant.bytes))), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    private func headersWithoutContent(of variant: CachedResponse.Variant) -> HTTPHeaders {
        HTTPHeaders(
            services.conditional.headersWithoutContent.compactMap { name in
                variant.headers[name].map { (name.rawName, $0) }
            })
    }
}

/// A GET request that needs no router: without a body, cross-origin access, ranges and credentials, and not of a television, to
/// which the service sends other pages.
struct PlainRequest: Sendable {
    /// The unmodified target.
    let target: String
    let acceptsGzip: Bool
    /// The header `If-None-Match`.
    let condition: String?

    /// - Returns: `nil` for any other request.
    init?(_ head: HTTPRequestHead) {
        guard head.method == .GET, head.version == .http1_1, head.uri.utf8.first == UInt8(ascii: "/") else {
            return nil
        }
        var encodings: String?
        var condition: String?
        var hasDate = false
        var hosts = 0
        for (name, value) in head.headers {
            // Lengths distinguish most names.
            switch name.utf8.count {
            case 4 where name.equals("host"): hosts += 1
            case 15 where name.equals("accept-encoding"):
                guard encodings == nil else { return nil }
                encodings = value
            case 13 where name.equals("if-none-match"):
                guard condition == nil else { return nil }
                condition = value
            case 10 where name.equals("connection"):
                guard value.equals("keep-alive") else { return nil }
            case 10 where name.equals("user-agent"):
                guard !TelevisionAgent.isNamed(in: value) else { return nil }
            case 14 where name.equals("content-length"), 17 where name.equals("transfer-encoding"),
                8 where name.equals("if-match"), 19 where name.equals("if-unmodified-since"),
                6 where name.equals("origin"), 6 where name.equals("expect"), 7 where name.equals("upgrade"),
                5 where name.equals("range"), 13 where name.equals("authorization"):
                return nil
            case 17 where name.equals("if-modified-since"): hasDate = true
            default: break
            }
        }
        // `If-None-Match` takes precedence over a date (RFC 9110, 13.1.3).
        guard hosts == 1, condition != nil || !hasDate else { return nil }
        target = head.uri
        acceptsGzip = encodings.map { AcceptedValues($0).acceptsGzip } ?? false
        self.condition = condition
    }

    /// Returns the query if the target has exactly this path and a query.
    func query(ofPath path: String) -> String? {
        let bytes = target.utf8
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")), bytes[..<mark].elementsEqual(path.utf8) else {
            return nil
        }
        return String(target[bytes.index(after: mark)...])
    }
}
