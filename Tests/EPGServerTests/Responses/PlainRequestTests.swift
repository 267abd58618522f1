import NIOHTTP1
import TestSupport
import Testing

@testable import EPGServer

@Suite struct PlainRequestTests {
    private func head(
        _ method: HTTPMethod = .GET, version: HTTPVersion = .http1_1, target: String = "/x?y=1",
        headers: [(String, String)] = []
    ) -> HTTPRequestHead {
        HTTPRequestHead(
            version: version, method: method, uri: target, headers: HTTPHeaders([("Host", "tv.example")] + headers))
    }

    @Test func plainGETIsAPlainRequest() throws {
        let request = try #require(
            PlainRequest(
                head(headers: [
                    ("User-Agent", "x"), ("Accept", "*/*"), ("ACCEPT-ENCODING", "gzip, br"),
                    ("Connection", "Keep-Alive"),
                    ("If-None-Match", "\"a\""),
                ])))
        expectEqual([request.target, request.condition], ["/x?y=1", "\"a\""])
        expectEqual(request.acceptsGzip, true)
    }

    @Test func otherRequestsAreNotPlainRequests() {
        let heads = [
            head(.HEAD), head(.POST), head(version: .http1_0), head(target: "*"), head(target: "http://tv.example/x"),
            HTTPRequestHead(version: .http1_1, method: .GET, uri: "/"), head(headers: [("Host", "other.example")]),
            head(headers: [("Connection", "close")]), head(headers: [("Connection", "keep-alive, upgrade")]),
            head(headers: [("Content-Length", "0")]),
            head(headers: [("Transfer-Encoding", "chunked")]), head(headers: [("Expect", "100-continue")]),
            head(headers: [("Upgrade", "h2c")]),
            head(headers: [("Origin", "https://a.example")]), head(headers: [("Range", "bytes=0-1")]),
            head(headers: [("Authorization", "Bearer x")]),
            head(headers: [("If-None-Match", "\"a\""), ("If-None-Match", "\"b\"")]),
            head(headers: [("If-Match", "*")]),
            head(headers: [("If-Unmodified-Since", "Sun, 06 Nov 1994 08:49:37 GMT")]),
            head(headers: [("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT")]),
        ]
        for head in heads { expectNil(PlainRequest(head), "\(head)") }
    }

    @Test(
        arguments: [
            ("/p?", ""), ("/p?a=b", "a=b"), ("/p?a?b", "a?b"), ("/p", nil), ("/pp?a", nil), ("/q?a", nil), ("/", nil),
        ] as [(String, String?)])
    func queryFollowsThePathAndAnotherPathHasNone(target: String, query: String?) throws {
        let request = try #require(PlainRequest(head(target: target)))
        expectEqual(request.query(ofPath: "/p").map { String($0) }, query)
    }
}
