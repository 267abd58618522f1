import ArgumentParser
import Foundation
import Testing

@testable import epg

/// Commands in README.md are valid.
@Suite struct ReadmeTests {
    private static let readme = Package.root.appending(path: "README.md")

    @Test(.enabled(if: FileManager.default.fileExists(atPath: readme.path), "README.md is missing"))
    func readmeCommandsParse() throws {
        let commands = ReadmeTests.commands(in: String(decoding: try Data(contentsOf: Self.readme), as: UTF8.self))
        #expect(!commands.isEmpty)
        for command in commands {
            #expect(throws: Never.self, "\(command)") { try EPGCommand.parseAsRoot(command) }
        }
    }

    @Test func commandsAreExtractedFromCodeBlocksOnly() {
        let text = """
            epg outside
            ```sh
            $ epg search 'two words' | head   # a comment
            EPG_DATABASE=a.sqlite epg now && epg stations
            make test
            ```
            """
        #expect(ReadmeTests.commands(in: text) == [["search", "two words"], ["now"], ["stations"]])
    }

    /// The arguments of each call of `epg` in the code blocks of a page.
    static func commands(in page: String) -> [[String]] {
        var commands: [[String]] = []
        var isInBlock = false
        for line in page.split(separator: "\n") {
            if line.hasPrefix("```") {
                isInBlock.toggle()
            } else if isInBlock {
                commands += words(of: String(line)).compactMap { words in
                    guard let place = words.firstIndex(of: "epg"),
                        words[..<place].allSatisfy({ $0 == "$" || $0.contains("=") })
                    else { return nil }
                    return Array(words[(place + 1)...])
                }
            }
        }
        return commands
    }

    /// The words of each command in a shell line, without quotes, comments and redirections.
    private static func words(of line: String) -> [[String]] {
        var commands: [[String]] = [[]]
        var word: String?
        var quote: Character?
        for character in line + " " {
            if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character == " " {
                if word == "#" { break }
                if let ended = word {
                    if ["|", "&&", ";", "||", ">", "<"].contains(ended) {
                        commands.append([])
                    } else {
                        commands[commands.count - 1].append(ended)
                    }
                }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return commands.filter { !$0.isEmpty }
    }
}
