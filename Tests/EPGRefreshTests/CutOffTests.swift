import Testing

@testable import EPGRefresh

/// A server that closes the connection at each of a hundred places of its answer, in each way that HTTP/1.1 has to say
/// where a body ends: what is fetched is the whole guide or nothing.
@Suite struct CutOffTests {
    enum Framing: String, CaseIterable, Sendable {
        case length, chunked, closed
    }

    private static let guide =
        "<?xml version=\"1.0\"?>\n<!DOCTYPE tv SYSTEM \"xmltv.dtd\">\n<tv>"
        + (0..<40).map { "<programme channel=\"a\" start=\"202603290\($0)\"><title>\($0)</title></programme>" }.joined()
        + "</tv>\n"

    private static func answer(_ framing: Framing) -> [UInt8] {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\n"
        let rest =
            switch framing {
            case .length: "Content-Length: \(guide.utf8.count)\r\n\r\n" + guide
            case .closed: "Connection: close\r\n\r\n" + guide
            case .chunked: "Transfer-Encoding: chunked\r\n\r\n" + chunks() + "0\r\n\r\n"
            }
        return Array((head + rest).utf8)
    }

    /// The guide in chunks of 77 bytes.
    private static func chunks() -> String {
        let bytes = Array(guide.utf8)
        return stride(from: 0, to: bytes.count, by: 77).map { start in
            let chunk = bytes[start..<min(start + 77, bytes.count)]
            return String(chunk.count, radix: 16) + "\r\n" + String(decoding: chunk, as: UTF8.self) + "\r\n"
        }.joined()
    }

    @Test(arguments: Framing.allCases)
    func guideIsWholeOrThereIsNone(framing: Framing) throws {
        let answer = Self.answer(framing)
        let places = (0..<100).map { $0 * answer.count / 100 } + [answer.count]
        var whole = 0
        for place in places {
            let server = try LoopbackServer(replies: [.init(bytes: Array(answer[..<place]))])
            defer { server.stop() }
            let fetcher = CurlFetcher(.test())
            do throws(FetchError) {
                guard case .body(let body) = try fetcher.fetch(FetchRequest(location: .address(server.address())))
                else { continue }
                let text = try? TestFolder.contents(of: body.path)
                #expect(text == Self.guide, "cut at \(place) of \(answer.count)")
                whole += 1
            } catch {
                #expect(error.reason == .cutShort, "cut at \(place) of \(answer.count)")
            }
        }
        // The complete answer, and nothing that a hundredth of it is missing from.
        #expect(whole == 1)
    }

    @Test(arguments: Framing.allCases)
    func nextAttemptBringsTheGuide(framing: Framing) throws {
        let answer = Self.answer(framing)
        for place in stride(from: 0, to: answer.count, by: answer.count / 20) {
            let server = try LoopbackServer(replies: [.init(bytes: Array(answer[..<place])), .init(bytes: answer)])
            defer { server.stop() }
            #expect(try CurlFetcher(.test(attempts: 2)).text(server.address()) == Self.guide)
        }
    }
}
