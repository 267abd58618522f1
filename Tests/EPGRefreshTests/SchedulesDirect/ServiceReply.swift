/// What a service with an API answers, in a form that a test can change before it is sent.
struct ServiceReply: Sendable {
    var status = 200
    var headers: [String] = []
    var body: String
    /// Sends the body compressed with gzip.
    var isPacked = false
    /// Ends the connection before the answer.
    var isCut = false

    /// The bytes that are sent.
    var bytes: LoopbackServer.Reply {
        if isCut { return LoopbackServer.Reply(bytes: []) }
        let content = isPacked ? GzipStore.packed(Array(body.utf8)) : Array(body.utf8)
        let encoding = isPacked ? ["Content-Encoding: gzip"] : []
        return .status("\(status) Made up", headers: encoding + headers, body: content)
    }
}
