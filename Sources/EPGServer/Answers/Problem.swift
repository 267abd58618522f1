import EPGJSON
import EPGModel
import EPGRender
import HTTPTypes

/// Why a request can't be answered: a problem document (RFC 9457), with a sentence for people.
struct Problem: Error, Hashable, Sendable {
    var status: HTTPResponse.Status
    /// What went wrong and what to do, in a sentence or two.
    var detail: String
    /// The parameter that is to blame, if one is.
    var parameter: String?
    /// Seconds after which it is worth trying again.
    var retryAfter: Int?
    /// The methods that the address takes, where the one that was used isn't among them.
    var allowed: [HTTPRequest.Method] = []
    /// How to say who one is, where that is asked for (`WWW-Authenticate`).
    var challenge: String?

    init(_ status: HTTPResponse.Status, _ detail: String, parameter: String? = nil, retryAfter: Int? = nil) {
        self.status = status
        self.detail = detail
        self.parameter = parameter
        self.retryAfter = retryAfter
    }

    /// A parameter whose value can't be taken: 400.
    static func badParameter(_ name: String, _ detail: String) -> Problem {
        Problem(.badRequest, "\(name): \(detail)", parameter: name)
    }

    /// An address names a generation that doesn't stand: 409.
    static func otherGeneration(_ name: GenerationName, standing: GenerationName) -> Problem {
        Problem(
            .conflict,
            """
            The guide is at generation \(standing), not \(name); leave the parameter generation out, or ask for the \
            one that stands.
            """, parameter: "generation")
    }

    /// What the client has isn't what would be sent: 412.
    static let preconditionFailed = Problem(
        .preconditionFailed, "What stands here isn't what If-Match or If-Unmodified-Since names; ask without them.")

    /// The client ended its side of the connection before there was an answer: 499, as nginx counts it.
    static let clientClosedRequest = Problem(
        HTTPResponse.Status(code: 499, reasonPhrase: "Client Closed Request"),
        "The client ended its side of the connection before the answer was ready.")

    /// Something that isn't there: 404.
    static func notFound(_ detail: String) -> Problem {
        Problem(.notFound, detail)
    }
}

extension Problem: JSONObject {
    /// `{"type", "title", "status", "detail", "parameter"}`; the type is `about:blank`, whose title is the status's phrase
    /// (RFC 9457, 4.2.1).
    func writeMembers(to json: inout JSONWriter) {
        json.member("type", "about:blank")
        json.member("title", status.reasonPhrase)
        json.member("status", status.code)
        json.member("detail", detail)
        json.member("parameter", parameter)
    }
}
