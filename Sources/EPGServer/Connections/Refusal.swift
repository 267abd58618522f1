import HTTPTypes

/// Why a request or a connection gets an error response before Hummingbird sees it. Raw values are labels of metrics.
enum Refusal: String, CaseIterable, Error {
    case malformed, host, target, connect, rate, connections
    case headerTimeout = "header_timeout"
    case bodyTimeout = "body_timeout"
    case bodyTooLong = "body_too_long"
    case lineTooLong = "line_too_long"
    case headerTooLong = "header_too_long"
    case connectionsOfAddress = "connections_of_address"

    var problem: Problem {
        switch self {
        case .malformed: Problem(.badRequest, "The request is not valid HTTP/1.1.")
        case .connect: .methodNotAllowed(allowed: [.get, .head, .options])
        case .rate: Problem(.tooManyRequests, "Too many requests from your address. Try again later.")
        case .connections: Problem(.serviceUnavailable, "Too many open connections. Try again later.", retryAfter: 5)
        case .host: Problem(.badRequest, "A request needs one Host header: a host name with an optional port.")
        case .target: Problem(.badRequest, "The target of a request must begin with a slash.")
        case .headerTimeout: Problem(.requestTimeout, "The headers of the request took too long to arrive.")
        case .bodyTimeout: Problem(.requestTimeout, "The body of the request arrives too slowly.")
        case .bodyTooLong: Problem(.contentTooLarge, "The body of the request is too long.")
        case .lineTooLong: Problem(.uriTooLong, "The URL is too long.")
        case .headerTooLong: Problem(.requestHeaderFieldsTooLarge, "The headers are too many or too long.")
        case .connectionsOfAddress:
            Problem(.serviceUnavailable, "Your address has too many open connections. Close some.", retryAfter: 5)
        }
    }
}
