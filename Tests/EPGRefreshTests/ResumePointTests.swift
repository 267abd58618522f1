import Testing

@testable import EPGRefresh

/// When the rest of a body may be asked for alone, and what counts as that rest (RFC 9110, 13.1.5, 14.4, 15.3.7).
@Suite struct ResumePointTests {
    private let address: WebAddress

    init() throws { address = try WebAddress("http://example.org/") }

    private func headers(_ lines: [String]) -> ResponseHeaders {
        var headers = ResponseHeaders()
        for line in lines { Array(line.utf8).withUnsafeBytes { headers.take(line: $0) } }
        return headers
    }

    @Test(arguments: [
        (["HTTP/1.1 200 OK", "ETag: \"a\"", "Accept-Ranges: bytes", "Content-Length: 100"], true),
        (["HTTP/1.1 200 OK", "ETag: \"a\"", "Accept-Ranges: Bytes"], true),
        (["HTTP/1.1 206 Partial", "ETag: \"a\"", "Content-Range: bytes 10-99/100"], true),
        (["HTTP/1.1 200 OK", "ETag: W/\"a\"", "Accept-Ranges: bytes"], false),
        (["HTTP/1.1 200 OK", "ETag: a", "Accept-Ranges: bytes"], false),
        (["HTTP/1.1 200 OK", "ETag: \"", "Accept-Ranges: bytes"], false),
        (["HTTP/1.1 200 OK", "Accept-Ranges: bytes", "Last-Modified: today"], false),
        (["HTTP/1.1 200 OK", "ETag: \"a\""], false),
        (["HTTP/1.1 200 OK", "ETag: \"a\"", "Accept-Ranges: none"], false),
        (["HTTP/1.1 200 OK", "ETag: \"a\"", "Accept-Ranges: bytes", "Content-Encoding: gzip"], false),
        (["HTTP/1.1 200 OK", "ETag: \"a\"", "Accept-Ranges: bytes", "Content-Encoding: identity"], true),
        (["HTTP/1.1 200 OK", "ETag: \"a\"", "Accept-Ranges: bytes", "Content-Length: 50"], false),
    ])
    func onlyPartsOfAStrongTagAreResumed(lines: [String], expected: Bool) {
        #expect((ResumePoint(after: headers(lines), from: address, offset: 50, earlier: nil) != nil) == expected)
    }

    @Test func nothingIsNoBeginning() {
        let headers = headers(["HTTP/1.1 200 OK", "ETag: \"a\"", "Accept-Ranges: bytes"])
        #expect(ResumePoint(after: headers, from: address, offset: 0, earlier: nil) == nil)
    }

    @Test(arguments: [
        (["HTTP/1.1 206 Partial", "ETag: \"a\"", "Content-Range: bytes 50-99/100"], true),
        (["HTTP/1.1 206 Partial", "ETag: \"a\"", "Content-Range: bytes 50-99/*"], true),
        (["HTTP/1.1 200 OK", "ETag: \"a\"", "Content-Range: bytes 50-99/100"], false),
        (["HTTP/1.1 206 Partial", "ETag: \"b\"", "Content-Range: bytes 50-99/100"], false),
        (["HTTP/1.1 206 Partial", "ETag: W/\"a\"", "Content-Range: bytes 50-99/100"], false),
        (["HTTP/1.1 206 Partial", "Content-Range: bytes 50-99/100"], false),
        (["HTTP/1.1 206 Partial", "ETag: \"a\"", "Content-Range: bytes 0-99/100"], false),
        (["HTTP/1.1 206 Partial", "ETag: \"a\"", "Content-Range: bytes 51-99/100"], false),
        (["HTTP/1.1 206 Partial", "ETag: \"a\"", "Content-Range: bytes 50-98/100"], false),
        (["HTTP/1.1 206 Partial", "ETag: \"a\"", "Content-Range: bytes 50-199/200"], false),
        (["HTTP/1.1 206 Partial", "ETag: \"a\"", "Content-Type: multipart/byteranges"], false),
        (["HTTP/1.1 206 Partial", "ETag: \"a\"", "Content-Range: bytes 50-99/100", "Content-Encoding: br"], false),
    ])
    func restMustFit(lines: [String], expected: Bool) throws {
        let first = headers(["HTTP/1.1 200 OK", "ETag: \"a\"", "Accept-Ranges: bytes", "Content-Length: 100"])
        let point = try #require(ResumePoint(after: first, from: address, offset: 50, earlier: nil))
        #expect(point.fields == ["Range: bytes=50-", "If-Range: \"a\""])
        #expect(point.isContinued(by: headers(lines)) == expected)
    }

    @Test func endOfAnUnknownWholeIsNone() throws {
        let first = headers(["HTTP/1.1 200 OK", "ETag: \"a\"", "Accept-Ranges: bytes"])
        let point = try #require(ResumePoint(after: first, from: address, offset: 50, earlier: nil))
        let answer = ["HTTP/1.1 206 Partial", "ETag: \"a\""]
        #expect(!point.isContinued(by: headers(answer + ["Content-Range: bytes 50-99/*"])))
        #expect(point.isContinued(by: headers(answer + ["Content-Range: bytes 50-99/100"])))
    }

    @Test(arguments: [
        "", "bytes", "bytes 1-2", "bytes 2-1/3", "bytes 0-3/3", "bytes -1-2/3", "lines 0-1/2", "bytes */100",
        "bytes 0-1/2/3", "bytes 0-99999999999999999999/*", "bytes 0x1-2/3", "bytes 0-1 /2",
    ])
    func contradictoryRangeIsNone(text: String) {
        #expect(ContentRange(text) == nil)
    }
}
