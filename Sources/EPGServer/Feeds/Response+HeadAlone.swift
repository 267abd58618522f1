import HTTPTypes
import Hummingbird

extension Response {
    /// The answer to HEAD where the length of the body isn't known.
    ///
    /// The server would frame a body of no chunks, which an answer to HEAD mustn't have: so the head alone is written, and the
    /// connection ends.
    static func headAlone(_ fields: HTTPFields) -> Response {
        var fields = fields
        fields[.connection] = "close"
        return Response(
            status: .ok, headers: fields, body: ResponseBody(contentLength: nil) { _ in throw ConnectionEnds() })
    }
}

/// Thrown where nothing more can be sent and the connection is to be closed.
struct ConnectionEnds: Error {}
