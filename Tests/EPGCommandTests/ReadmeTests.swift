import ArgumentParser
import Foundation
import Testing

@testable import epg

/// The commands that README.md shows are ones that the program understands.
@Suite struct ReadmeTests {
    @Test func commandsOfTheReadmeParse() throws {
        let file = Package.root.appending(path: "README.md")
        guard FileManager.default.fileExists(atPath: file.path) else {
            print("skipped: there is no README.md")
            return
        }
        let commands = ReadmeTests.commands(in: String(decoding: try Data(contentsOf: file), as: UTF8.self))
        #expect(!commands.isEmpty)
        for command in commands {
            #expect(throws: Never.self, "\(command)") { try EPGCommand.parseAsRoot(command) }
        }
    }

    @Test func commandsAreFoundInBlocksAlone() {
        let text = """
            epg outside
            ```sh
            $ epg search 'two words' | head   # a remark
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

    /// The words of each command of a line of a shell; quotes are taken off, remarks and redirections left out.
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
