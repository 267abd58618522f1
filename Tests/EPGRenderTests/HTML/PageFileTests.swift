import Testing

@testable import EPGRender

@Suite struct PageFileTests {
    @Test(arguments: [
        ("// a\nlet x = 1; // b\n  // c\n\n  y();", "let x = 1; // b\n  y();\n"),
        ("/** a */\nf();\n  /*\n   * b\n   c\n   */\ng();\n", "f();\ng();\n"),
        ("/*/\nstill a comment */\nf();\n", "f();\n"),
        ("try { f(); } catch { /* none */ }\nconst url = 'http://a.example/';\n", nil),
        ("", ""),
    ])
    func linesWithOnlyACommentAreRemoved(script: String, expected: String?) {
        let bytes = PageFile.removingCommentLines(Array(script.utf8))
        #expect(String(decoding: bytes, as: UTF8.self) == expected ?? script)
    }

    @Test func servedScriptsHaveNoCommentLines() throws {
        for name in ["guide.js", "page.js"] {
            let file = try #require(PageFile.all[name])
            let lines = String(decoding: file.bytes, as: UTF8.self).split(separator: "\n")
            #expect(lines.count > 20)
            #expect(!lines.contains { $0.drop { $0 == " " }.hasPrefix("//") || $0.drop { $0 == " " }.hasPrefix("/*") })
        }
    }
}
