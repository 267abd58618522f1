import TestSupport
import Testing

@testable import EPGHTTP

/// Forms of browsers.
@Suite struct FormReaderTests {
    @Test func fieldsAreDecoded() throws {
        let form = try Form(urlEncoded: Array("a=1+2&b=%C3%A4%26&a=3&c&=d".utf8))
        expectEqual(["a", "b", "c", "", "e"].map { form[$0] }, ["1 2", "ä&", "", "d", nil])
        expectEqual(form.values(of: "a"), ["1 2", "3"])
    }

    /// The last form has too many fields.
    @Test(arguments: ["a=%", "a=%GG", "a=%FF", "%C3=1", String(repeating: "a=1&", count: Form.maximumCount + 1)])
    func malformedFormIsRejected(text: String) {
        #expect(throws: Problem.self) { try Form(urlEncoded: Array(text.utf8)) }
    }

    // MARK: - Multipart

    private static let type = "multipart/form-data; boundary=\"XbX\""

    private static let body = Array(
        """
        --XbX\r
        Content-Disposition: form-data; name="form-token"\r
        \r
        t\r
        --XbX\r
        content-disposition: form-data; filename="gui\u{e4}de.xml"; name="file"\r
        Content-Type: text/xml\r
        \r
        one\r
        --Xb\r
        --XbY\r\n\r
        two\r
        --XbX\r
        Content-Disposition: form-data; name="note"\r
        \r
        two\r
        lines\r
        --XbX--\r\n
        """.utf8)

    /// Returns the events, with the bytes of files put together.
    private func events(_ pieces: [ArraySlice<UInt8>]) throws -> [MultipartReader.Event] {
        var reader = try MultipartReader(contentType: Self.type)
        var events: [MultipartReader.Event] = []
        for piece in pieces {
            try reader.append(piece) { event in
                if case .bytes(let more) = event, case .bytes(let known)? = events.last {
                    events[events.count - 1] = .bytes(known + more)
                } else {
                    events.append(event)
                }
            }
        }
        #expect(reader.isComplete)
        return events
    }

    private static let expected: [MultipartReader.Event] = [
        .field(name: "form-token", value: "t"), .file(name: "file", fileName: "gui\u{e4}de.xml"),
        .bytes(Array("one\r\n--Xb\r\n--XbY\r\n\r\ntwo".utf8)[...]), .field(name: "note", value: "two\r\nlines"),
    ]

    @Test func bodyIsReadInPiecesOfAnySize() throws {
        let body = Self.body
        expectEqual(try events([body[...]]), Self.expected)
        for split in 1..<body.count { expectEqual(try events([body[..<split], body[split...]]), Self.expected) }
        expectEqual(try events(body.indices.map { body[$0...$0] }), Self.expected)
    }

    @Test(arguments: [
        "", "text/plain", "multipart/form-data", "multipart/form-data; boundary=", "multipart/mixed; boundary=a",
        "multipart/form-data; boundary=" + String(repeating: "a", count: 71),
    ])
    func otherTypeIsRejected(type: String) {
        #expect(throws: Problem.self) { try MultipartReader(contentType: type) }
    }

    @Test(arguments: [
        "text before\r\n--XbX\r\n", "--XbX\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\n",
        "--XbX\r\nContent-Type: text/plain\r\n\r\n", "--XbX\r\nContent-Disposition: form-data\r\n\r\n",
        "--XbX!\r\n", "--XbX\r\n" + String(repeating: "a", count: 9000),
    ])
    func malformedBodyIsRejected(text: String) throws {
        var reader = try MultipartReader(contentType: Self.type)
        #expect(throws: Problem.self) { try reader.append(Array(text.utf8)) { _ in } }
    }

    @Test func longFieldIsRejected() throws {
        var reader = try MultipartReader(contentType: Self.type)
        try reader.append(Array("--XbX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n".utf8)) { _ in }
        #expect(throws: Problem.self) { try reader.append([UInt8](repeating: 0x61, count: 70_000)) { _ in } }
    }

    @Test func truncatedBodyIsNotComplete() throws {
        for end in 0..<Self.body.count - 4 {
            var reader = try MultipartReader(contentType: Self.type)
            try reader.append(Self.body[..<end]) { _ in }
            #expect(!reader.isComplete)
        }
    }
}
