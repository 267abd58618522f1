import EPGJSON
import EPGRender
import HTTPTypes
import NIOCore
import NIOHTTP1

/// Why a connection ends before its request reaches an endpoint.
enum Refusal: Int, CaseIterable, Sendable {
    case malformed, noHost, badTarget, timeout, bodyTimeout, bodyTooLong, lineTooLong, headerTooLong, connect
    case tooManyRequests, tooManyConnections, tooManyOfAddress

    /// What the count of it is called.
    var name: String {
        switch self {
        case .malformed: "malformed"
        case .noHost: "host"
        case .badTarget: "target"
        case .timeout: "header_timeout"
        case .bodyTimeout: "body_timeout"
        case .bodyTooLong: "body_too_long"
        case .lineTooLong: "line_too_long"
        case .headerTooLong: "header_too_long"
        case .connect: "connect"
        case .tooManyRequests: "rate"
        case .tooManyConnections: "connections"
        case .tooManyOfAddress: "connections_of_address"
        }
    }

    /// The problem that the client is told.
    var problem: Problem {
        switch self {
        case .malformed: Problem(.badRequest, "This isn't a request that HTTP/1.1 knows.")
        case .noHost: Problem(.badRequest, "A request has one field Host, with a host name and perhaps a port.")
        case .badTarget: Problem(.badRequest, "The address of a request begins with a slash.")
        case .timeout: Problem(.requestTimeout, "The request's head took too long to come.")
        case .bodyTimeout: Problem(.requestTimeout, "The request's body comes too slowly.")
        case .bodyTooLong: Problem(.contentTooLarge, "The request's body is too long.")
        case .lineTooLong: Problem(.uriTooLong, "The address is too long.")
        case .headerTooLong: Problem(.requestHeaderFieldsTooLarge, "The header fields are too many or too long.")
        case .connect:
            {
                var problem = Problem(.methodNotAllowed, "This is no proxy: use GET.")
                problem.allowed = [.get, .head, .options]
                return problem
            }()
        case .tooManyRequests: Problem(.tooManyRequests, "Too many requests came from your address; wait a little.")
        case .tooManyConnections:
            Problem(.serviceUnavailable, "Too many connections are open; try again in a moment.", retryAfter: 5)
        case .tooManyOfAddress:
            Problem(.serviceUnavailable, "Your address has too many connections open; close some.", retryAfter: 5)
        }
    }

    /// The whole answer, after which the connection is closed.
    var bytes: ByteBuffer { Refusal.answers[rawValue] }

    private static let answers = allCases.map { refusal in
        let problem = refusal.problem
        let document = Document(.problem) { $0.write(problem) }
        var text = "HTTP/1.1 \(problem.status.code) \(problem.status.reasonPhrase)\r\n"
        for field in problem.fields { text += "\(field.name.canonicalName): \(field.value)\r\n" }
        text += "content-length: \(document.bytes.readableBytes)\r\nconnection: close\r\n\r\n"
        return ByteBuffer(string: text + String(buffer: document.bytes))
    }
}

/// How often connections and requests were refused.
final class RefusalCounts: Sendable {
    private let counters = Refusal.allCases.map { _ in Counter() }

    func add(_ refusal: Refusal) { counters[refusal.rawValue].add(1) }

    subscript(refusal: Refusal) -> Int { counters[refusal.rawValue].value }
}
