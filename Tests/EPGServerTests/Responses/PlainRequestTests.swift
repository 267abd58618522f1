import NIOHTTP1
import Testing

@testable import EPGServer

@Suite struct PlainRequestTests {
    private func head(
        _ method: HTTPMethod = .GET, version: HTTPVersion = .http1_1, target: String = "/x?y=1",
        fields: [(String, String)] = []
    ) -> HTTPRequestHead {
        HTTPRequestHead(
            version: version, method: method, uri: target, headers: HTTPHeaders([("Host", "tv.example")] + fields))
    }

    @Test func plainGETQualifies() throws {
        let request = try #require(
            PlainRequest(
                head(fields: [
                    ("User-Agent", "x"), ("Accept", "*/*"), ("ACCEPT-ENCODING", "gzip, br"),
                    ("Connection", "Keep-Alive"),
                    ("If-None-Match", "\"a\""),
                ])))
        #expect(request.target == "/x?y=1")
        #expect(request.acceptsGzip)
        #expect(request.condition == "\"a\"")
    }

    @Test func anyOtherRequestDoesNotQualify() {
        let heads = [
            head(.HEAD), head(.POST), head(version: .http1_0), head(target: "*"), head(target: "http://tv.example/x"),
            HTTPRequestHead(version: .http1_1, method: .GET, uri: "/"), head(fields: [("Host", "other.example")]),
            head(fields: [("Connection", "close")]), head(fields: [("Connection", "keep-alive, upgrade")]),
            head(fields: [("Content-Length", "0")]),
            head(fields: [("Transfer-Encoding", "chunked")]), head(fields: [("Expect", "100-continue")]),
            head(fields: [("Upgrade", "h2c")]),
            head(fields: [("Origin", "https://a.example")]), head(fields: [("Range", "bytes=0-1")]),
            head(fields: [("Authorization", "Bearer x")]),
            head(fields: [("If-None-Match", "\"a\""), ("If-None-Match", "\"b\"")]),
            head(fields: [("If-Match", "*")]),
            head(fields: [("If-Unmodified-Since", "Sun, 06 Nov 1994 08:49:37 GMT")]),
            head(fields: [("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT")]),
        ]
        for head in heads { #expect(PlainRequest(head) == nil, "\(head)") }
    }

    @Test(arguments: [("/p?", ""), ("/p?a=b", "a=b"), ("/p?a?b", "a?b")])
    func queryFollowsThePath(target: String, query: String) throws {
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: target, headers: HTTPHeaders([("Host", "tv.example")]))
        #expect(try #require(PlainRequest(head)).query(ofPath: "/p") == query)
    }

    @Test(arguments: ["/p", "/pp?a", "/q?a", "/"]) func otherPathHasNoQuery(target: String) throws {
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: target, headers: HTTPHeaders([("Host", "tv.example")]))
        #expect(try #require(PlainRequest(head)).query(ofPath: "/p") == nil)
    }
}
