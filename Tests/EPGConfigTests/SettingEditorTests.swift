import TestSupport
import EPGModel
import Foundation
import Testing

@testable import EPGConfig

/// Changing one value in the text of a settings file.
@Suite struct SettingEditorTests {
    private func edited(_ text: String, _ key: String, _ value: String?) throws -> String {
        var editor = SettingEditor(path: "epg.yml", text: text)
        try editor.set(key, to: value)
        return editor.text
    }

    /// The text, the new value of `refresh`, and the result. Without a value, the line becomes a comment.
    @Test(
        arguments: [
            ("", "@daily", "refresh: \"@daily\"\n"),
            ("# Only comments.\n", "@daily", "# Only comments.\nrefresh: \"@daily\"\n"),
            ("retention: 7", "30 3 * * *", "retention: 7\nrefresh: \"30 3 * * *\"\n"),
            ("refresh: \"@daily\"\n", "@hourly", "refresh: \"@hourly\"\n"),
            ("refresh: '@daily' # nightly\n", "it's", "refresh: 'it''s' # nightly\n"),
            ("refresh:   \"a \\\" # b\"   # c\nzone: UTC\n", "x", "refresh:   \"x\"   # c\nzone: UTC\n"),
            ("refresh: 'a '' # b' # c\n", "x", "refresh: 'x' # c\n"),
            ("refresh: a#b # c\n", "x", "refresh: x # c\n"),
            (
                "zone: UTC\n#refresh: \"@daily\"\n\nretention: 7\n", "x",
                "zone: UTC\n#refresh: \"@daily\"\nrefresh: x\n\nretention: 7\n"
            ),
            ("a:\r\n  - 1\r\n", "x", "a:\r\n  - 1\r\nrefresh: x\r\n"),
            ("  zone: UTC\n  refresh: a\n", "x", "  zone: UTC\n  refresh: x\n"),
            ("  zone: UTC\n", "x", "  zone: UTC\n  refresh: x\n"),
            ("zone: Zürich # Bär\nrefresh: a\n", "x", "zone: Zürich # Bär\nrefresh: x\n"),
            ("---\nrefresh: a\n", "x", "---\nrefresh: x\n"),
            ("refresh:\nzone: UTC\n", "x", "refresh: x\nzone: UTC\n"),
            ("log:\n  refresh: inner\nrefresh: outer\n", "x", "log:\n  refresh: inner\nrefresh: x\n"),
            (
                "sources: [{name: a, url: \"http://a/*\"}]\nrefresh: \"1 2 * * *\"\n", "3 4 * * *",
                "sources: [{name: a, url: \"http://a/*\"}]\nrefresh: \"3 4 * * *\"\n"
            ),
            ("refresh: a # b\nzone: UTC\n", nil, "#refresh: a # b\nzone: UTC\n"), ("zone: UTC\n", nil, "zone: UTC\n"),
            ("", nil, ""), ("  zone: UTC\n  refresh: a\n", nil, "  zone: UTC\n#  refresh: a\n"),
        ] as [(String, String?, String)])
    func onlyTheValueChanges(text: String, value: String?, expected: String) throws {
        #expect(try edited(text, "refresh", value) == expected)
    }

    /// A source follows the last one, with its indentation, and comments before the next key stay there.
    @Test(arguments: [
        ("", "sources:\n  - name: x\n    url: \"u\"\n"),
        ("zone: UTC", "zone: UTC\nsources:\n  - name: x\n    url: \"u\"\n"),
        ("sources:\n", "sources:\n  - name: x\n    url: \"u\"\n"),
        ("sources:\nzone: UTC\n", "sources:\n  - name: x\n    url: \"u\"\nzone: UTC\n"),
        (
            "sources:\n- name: a # A\n  url: b\n# The zone.\n\nzone: UTC\n",
            "sources:\n- name: a # A\n  url: b\n- name: x\n  url: \"u\"\n# The zone.\n\nzone: UTC\n"
        ),
        (
            "# S\r\nsources:\r\n    - name: a\r\n      headers: {A: b}",
            "# S\r\nsources:\r\n    - name: a\r\n      headers: {A: b}\r\n    - name: x\r\n      url: \"u\"\r\n"
        ),
        (
            "  zone: UTC\n  sources:\n    - name: a\n",
            "  zone: UTC\n  sources:\n    - name: a\n    - name: x\n      url: \"u\"\n"
        ),
        ("#sources:\n#  - name: a\n", "#sources:\n#  - name: a\nsources:\n  - name: x\n    url: \"u\"\n"),
    ])
    func sourceIsAddedAfterTheLastOne(text: String, expected: String) throws {
        var editor = SettingEditor(path: "epg.yml", text: text)
        try editor.addSource(["- name: x", "  url: \"u\""])
        #expect(editor.text == expected)
    }

    @Test(arguments: [
        "sources: []\n", "sources: [{name: a}]\n", "sources: text\n", "{sources: [a]}\n", "sources: {a: b}\n", "- a\n",
        "zone: [\n", "sources:\n  - |\n    # text\n\n",
    ])
    func listThatCannotBeEditedStays(text: String) {
        var editor = SettingEditor(path: "epg.yml", text: text)
        #expect(throws: ConfigurationError.self) { try editor.addSource(["- name: x"]) }
        #expect(editor.text == text)
    }

    /// Files in forms that the editor does not know are left alone.
    @Test(arguments: [
        "{refresh: a, zone: UTC}\n", "refresh: >\n  a\n  b\n", "refresh: |\n  a\n", "refresh: a\n  b\n",
        "refresh: [a]\n",
        "\"refresh\": a\n", "? refresh\n: a\n", "- a\n", "refresh: !!str a\n", "zone: UTC\n...\n", "zone: [\n",
        "refresh: &x a\n",
    ])
    func unusualFileIsRefusedOrStaysEquivalent(text: String) {
        // Either the edit is verified, or it is refused.
        guard let new = try? edited(text, "refresh", "x y") else { return }
        let removed = try? edited(text, "refresh", nil)
        #expect(new.contains("x y") && new.hasPrefix(String(text.prefix(9))) && removed?.contains("x y") != true)
    }

    /// Random files with comments, blanks, quotes and line breaks of all kinds: an edit changes one line, or adds one, and the
    /// reader finds the new value and all others.
    @Test(arguments: 0..<400)
    func everythingElseStaysInRandomFiles(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let lineBreak = Bool.random(using: &random) ? "\n" : "\r\n"
        let keys = ["zone", "retention", "refresh", "title", "database"].shuffled(using: &random)
            .prefix(Int.random(in: 0...5, using: &random))
        let values = [
            "UTC", "7", "7 d", "a b", "it's", "#x", "say \"hi\"", "ü *", "@daily", "1 2 * * *", "x: y", "\\", "- a",
        ]
        func written(_ value: String) -> String {
            let isPlain =
                value.utf8.allSatisfy { $0 != 0x22 && $0 != 0x27 && $0 != 0x5C && $0 != 0x3A }
                && value.first != "#" && value.first != "@" && value.first != "-" && !value.contains("*")
            switch Int.random(in: 0...2, using: &random) {
            case 0 where isPlain: return value
            case 1: return "'" + value.replacing("'", with: "''") + "'"
            default: return "\"" + value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
            }
        }
        var lines: [String] = []
        for key in keys {
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                lines.append(
                    ["", "# A comment: of ours", "   ", "#zone: UTC", "# refresh: \"@daily\""].randomElement(
                        using: &random) ?? "")
            }
            let blanks = String(repeating: " ", count: Int.random(in: 1...3, using: &random))
            let comment = Bool.random(using: &random) ? "  # why: it's \"so\"" : ""
            lines.append("\(key):\(blanks)\(written(values.randomElement(using: &random) ?? ""))\(comment)")
        }
        if Bool.random(using: &random) { lines.append("# The end") }
        var text = lines.joined(separator: lineBreak)
        if Bool.random(using: &random) { text += lineBreak }
        let key = ["zone", "retention", "refresh"].randomElement(using: &random) ?? "zone"
        let value = Int.random(in: 0...5, using: &random) == 0 ? nil : values.randomElement(using: &random)

        let result = try edited(text, key, value)
        let (old, new) = (try Self.values(of: text), try Self.values(of: result))
        var expected = old
        expected[key] = value
        #expect(new == expected)
        // Every comment is still there, in the same order, and every other line is the same.
        let before = text.split(separator: lineBreak, omittingEmptySubsequences: false)
        let after = result.split(separator: lineBreak, omittingEmptySubsequences: false)
        let difference = after.difference(from: before)
        let removed = difference.removals.count
        #expect(removed <= 1 && difference.insertions.count - removed <= 2)
        if removed == 1, case .remove(_, let line, _) = difference.removals[0],
            case .insert(_, let changed, _) = difference.insertions[0], let comment = line.firstRange(of: "  # why")
        {
            #expect(changed.hasSuffix(line[comment.lowerBound...]))
        }
    }

    private static func values(of text: String) throws -> [String: String] {
        var document = SettingDocument(path: "a", text: text)
        guard case .mapping(let members)? = try document.root()?.content else { return [:] }
        return Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value.text ?? "?") })
    }

    // MARK: - Files

    private static func folder() throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "edit-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test func invalidValueLeavesTheFile() throws {
        let path = try Self.folder() + "/epg.yml"
        let text = "retention: 7 # days\n"
        try Data(text.utf8).write(to: URL(filePath: path))
        let reader = ConfigurationReader(environment: ["HOME": "/nonexistent", "EPG_DATABASE": "/g"])
        for (key, value) in [("refresh", "at midnight"), ("retention", "forever"), ("zone", "Mars")] {
            _ = try refusal { try reader.change([key: value], in: path) }
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        #expect(try reader.change(["retention": "8", "refresh": "@daily"], in: path) == path)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "retention: 8 # days\nrefresh: \"@daily\"\n")
    }

    @Test func modeOfTheFileAndASymbolicLinkStay() throws {
        let folder = try Self.folder()
        let (path, link) = (folder + "/real.yml", folder + "/epg.yml")
        try Data("retention: 7\n".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let reader = ConfigurationReader(environment: ["HOME": "/nonexistent", "EPG_DATABASE": "/g"])
        _ = try reader.change(["retention": "8"], in: link)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "retention: 8\n")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(try (FileManager.default.destinationOfSymbolicLink(atPath: link), mode) == (path, 0o640))
    }
}
