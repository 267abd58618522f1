import Testing

@testable import EPGRefresh

@Suite struct HeaderFieldTests {
    @Test func valueIsNeverShown() {
        let field = HeaderField.bearer("s3cret")
        let request = FetchRequest(location: .address("http://example.org/"), headers: [field])
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(field)", "\(request)", String(reflecting: request), dumped] {
            #expect(!text.contains("s3cret"))
            #expect(text.contains("Authorization"))
        }
        #expect(field.line == "Authorization: Bearer s3cret")
    }

    @Test(arguments: [
        ("X-Key", "a b", true), ("X-Key", "", true), ("Cookie", "a=ä", true), ("", "a", false), ("X Key", "a", false),
        ("X-Key:", "a", false), ("X-Key", "a\r\nX-Evil: 1", false), ("X-Key\n", "a", false), ("X-Key", "a\0", false),
        ("Range", "bytes=0-1", false), ("if-none-match", "a", false), ("Host", "other.test", false),
        ("Transfer-Encoding", "chunked", false), ("Content-Length", "1", false),
    ])
    func onlyFieldsThatChangeNothingElseAreAllowed(name: String, value: String, expected: Bool) {
        #expect(HeaderField(name: name, value: value).isAllowed == expected)
    }
}
