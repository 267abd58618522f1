import Logging
import Synchronization
import TestSupport
import Testing

@testable import epgd
@testable import ServiceTestSupport

@Suite("Log lines")
struct LogLineTests {
    private let time = Duration.seconds(1_774_807_200) + .milliseconds(7)

    private func line(_ message: String, _ pairs: [(key: String, value: String)] = []) -> LogLine {
        LogLine(time: time, level: .info, message: message, pairs: pairs)
    }

    @Test func textLineQuotesValuesWithSpaces() {
        let bytes = line("a request", [("path", "/a"), ("reason", "not \"there\""), ("none", "")]).text
        expectEqual(
            String(decoding: bytes, as: UTF8.self),
            "2026-03-29T18:00:00.007Z info a request path=/a reason=\"not \\\"there\\\"\" none=\"\"\n")
    }

    @Test func jsonLineRenamesReservedKeys() {
        let bytes = line("a request", [("path", "/a\"b"), ("time", "noon")]).json
        expectEqual(
            String(decoding: bytes, as: UTF8.self),
            #"{"time":"2026-03-29T18:00:00.007Z","level":"info","message":"a request","path":"/a\"b","_time":"noon"}"#
                + "\n")
    }

    @Test(arguments: ["a\nb", "a\r\nb", "a\u{1B}[2Jb", "a\0b", "a\u{85}b", "a\u{2028}b", "a\u{202E}b", "a\tb"])
    func controlCharactersAreEscaped(text: String) {
        for bytes in [line(text, [("k", text)]).text, line(text, [("k", text)]).json] {
            let written = String(decoding: bytes, as: UTF8.self)
            #expect(written.hasSuffix("\n"))
            for scalar in written.dropLast().unicodeScalars {
                #expect(scalar.properties.generalCategory != .control)
                #expect(scalar.properties.generalCategory != .format && scalar != "\u{2028}")
            }
        }
    }

    @Test func metadataOfTheMessageTakesPrecedence() {
        let lines = Lines()
        var logger = Logger(label: "t") { _ in
            LineLogHandler(format: .text, level: .notice) { lines.add(String(decoding: $0, as: UTF8.self)) }
        }
        logger[metadataKey: "a"] = "1"
        logger[metadataKey: "b"] = "1"
        logger.info("below the level")
        logger.notice("message", metadata: ["b": "2"])
        expectEqual(lines.all.count, 1)
        #expect(lines.all.first?.hasSuffix(" notice message a=1 b=2\n") == true)
    }
}

/// The written lines.
private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    var all: [String] { lines.withLock { $0 } }
}
