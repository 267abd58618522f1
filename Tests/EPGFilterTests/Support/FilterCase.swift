import Foundation
import TestSupport

/// A case of the XMLTV project's filter tests: a command, the guides, and the file with the expected output.
struct FilterCase: Sendable, CustomStringConvertible {
    /// The test data of the XMLTV project's programs, in ``PackageFiles/sharedData``.
    static let folder = "XMLTV_xmltv/t/data"
    private static let folderURL = PackageFiles.sharedData.appending(path: folder)

    let command: [String]
    let guides: [String]
    let expected: String

    var description: String { expected }

    /// The commands of those tests, by the prefix of their file names.
    private static let commands: [(String, [String])] = [
        ("tv_cat", ["cat"]),
        ("tv_sort_by_channel", ["sort", "--by-channel"]),
        ("tv_sort", ["sort"]),
        ("tv_grep_a", ["grep", "a"]),
        ("tv_grep_category_b", ["grep", "--category", "b"]),
        ("tv_grep_category_e_and_title_f", ["grep", "--category", "e", "--and", "--title", "f"]),
        ("tv_grep_category_g_or_title_h", ["grep", "--category", "g", "--or", "--title", "h"]),
        ("tv_grep_channel_id_channel4_com", ["grep", "--channel-id", "channel4.com"]),
        ("tv_grep_channel_id_exp_sat", ["grep", "--channel-id-exp", "sat"]),
        ("tv_grep_channel_name_d", ["grep", "--channel-name", "d"]),
        ("tv_grep_channel_xyz_or_channel_b", ["grep", "--channel", "xyz", "--or", "--channel", "b"]),
        ("tv_grep_channel_xyz_or_not_channel_b", ["grep", "--channel", "xyz", "--or", "--not", "--channel", "b"]),
        ("tv_grep_eval_scalar_keys_5", ["grep", "--eval", "scalar keys %$_ > 5"]),
        ("tv_grep_i_category_i_title_h", ["grep", "-i", "--category", "i", "--title", "h"]),
        ("tv_grep_i_category_i_title_j", ["grep", "-i", "--category", "i", "--title", "j"]),
        ("tv_grep_i_last_chance_c", ["grep", "-i", "--last-chance", "c"]),
        ("tv_grep_new", ["grep", "--new"]),
        ("tv_grep_not_channel_id_channel4_com", ["grep", "--not", "--channel-id", "channel4.com"]),
        ("tv_grep_not_channel_name_d", ["grep", "--not", "--channel-name", "d"]),
        ("tv_grep_on_after_2002_02_05_UTC", ["grep", "--on-after", "2002-02-05 UTC"]),
        ("tv_grep_on_after_200302161330_UTC", ["grep", "--on-after", "200302161330 UTC"]),
        ("tv_grep_on_before_200302161330_UTC", ["grep", "--on-before", "200302161330 UTC"]),
        ("tv_grep_premiere", ["grep", "--premiere", ""]),
        ("tv_grep_previously_shown", ["grep", "--previously-shown", ""]),
    ]

    /// Returns all cases of `tv_cat`, `tv_sort`, and `tv_grep`, by name. A file whose name has no prefix from the table
    /// gives a case without a command.
    static func all() throws -> [FilterCase] {
        let names = try FileManager.default.contentsOfDirectory(atPath: FilterCase.folderURL.path()).sorted()
        let guides = names.filter { $0.hasSuffix(".xml") }
        return names.filter { name in
            name.hasSuffix(".expected") && ["tv_cat", "tv_sort", "tv_grep"].contains { name.hasPrefix($0) }
        }.map { name in
            let stem = String(name.dropLast(".expected".count))
            // Try the longest prefix first, because one may be a prefix of another.
            for (prefix, command) in commands.sorted(by: { $0.0.count > $1.0.count })
            where stem.hasPrefix(prefix + "_") {
                let inputs = stem.dropFirst(prefix.count + 1)
                if let found = split(String(inputs), guides) {
                    return FilterCase(command: command, guides: found, expected: name)
                }
            }
            return FilterCase(command: [], guides: [], expected: name)
        }
    }

    /// Returns the guides whose names, with `_` for every special character, make up a text.
    private static func split(_ text: String, _ guides: [String]) -> [String]? {
        // The case "all in UTF-8" starts with some guides "for historical reasons", and omits one that isn't UTF-8.
        if text == "all_UTF8" {
            let front = ["empty.xml", "amp.xml", "clump.xml", "dups.xml"]
            return front + guides.filter { !front.contains($0) && $0 != "test_livre.xml" }
        }
        if text.isEmpty { return [] }
        for guide in guides.sorted(by: { $0.count > $1.count }) {
            let name = String(guide.map { $0.isLetter || $0.isNumber ? $0 : "_" })
            // The name of one file still has a hyphen.
            for form in [name, guide.replacing(".", with: "_")] where text == form || text.hasPrefix(form + "_") {
                if let rest = split(String(text.dropFirst(form.count + 1)), guides) { return [guide] + rest }
            }
        }
        return nil
    }

    func bytes(of name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: FilterCase.folderURL.appending(path: name)))
    }
}
