import Testing

@testable import EPGRefresh

@Suite struct ResponseHeadersTests {
    private func headers(_ lines: String...) -> ResponseHeaders {
        var headers = ResponseHeaders()
        for line in lines { Array(line.utf8).withUnsafeBytes { headers.take(line: $0) } }
        return headers
    }

    @Test func fieldNamesHaveNoCaseAndValuesAreTrimmed() {
        let headers = headers("HTTP/2 200\r\n", "ETAG:\t W/\"a b\" \r\n", "last-modified:x\r\n", "\r\n")
        #expect(headers.entityTag == "W/\"a b\"")
        #expect(headers.lastModified == "x")
    }

    @Test(arguments: [
        "ETag:", "ETag: \u{1}", "ETag: ä", "X-ETag: \"a\"", "ETag \"a\"", ":", "",
        "ETag: " + String(repeating: "x", count: 1025),
    ])
    func valueThatCannotBeSentBackIsLeftOut(line: String) {
        #expect(headers("HTTP/1.1 200 OK", line).entityTag == nil)
    }

    @Test func nextResponseBeginsAnew() {
        let headers = headers("HTTP/1.1 301 Moved", "ETag: \"a\"", "HTTP/1.1 200 OK", "Last-Modified: x")
        #expect(headers.entityTag == nil)
        #expect(headers.lastModified == "x")
    }
}
