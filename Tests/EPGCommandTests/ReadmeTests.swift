import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import epg

/// Tests of what `README.md`, `CONTRIBUTING.md` and the guides in `Documentation` show: commands, settings and links.
@Suite struct ReadmeTests {
    /// The paths of the pages, from the root of the package.
    static let pages: [String] = {
        let folder = PackageFiles.root.appending(path: "Documentation").path
        let guides = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return ["README.md", "CONTRIBUTING.md"]
            + guides.filter { $0.hasSuffix(".md") }.sorted().map { "Documentation/" + $0 }
    }()

    /// Subcommands that need a terminal, serve until they are stopped, or contact servers.
    private static let parsedOnlySubcommands: Set<String> = ["browse", "serve", "refresh"]

    @Test func documentationHasGuidesWithCommands() throws {
        let commands = try Self.pages.flatMap { Self.commands(in: try Page($0)) }
        #expect(Self.pages.count > 10 && commands.count > 60)
        #expect(Self.pagesWithRunnableLines.count > 5 && Self.pagesWithSettings.count > 2)
        #expect(Self.pagesWithRunnableLines.contains("README.md"))
    }

    @Test func readmeHasAtMost200Lines() throws {
        #expect(try Page("README.md").lines.count <= 200)
    }

    // MARK: - Commands

    @Test(arguments: pages) func shownCommandsParse(page: String) throws {
        for command in Self.commands(in: try Page(page)) {
            #expect(throws: Never.self, "\(command)") { try EPGCommand.parseAsRoot(command) }
        }
    }

    /// Returns the lines of a page that call `epg`, except those with ``parsedOnlySubcommands``.
    private static func runnableLines(of page: String) throws -> [String] {
        try Page(page).blocks(of: "sh").flatMap(\.self).filter { line in
            let words = line.split(separator: " ")
            return words.first == "epg" && words.count > 1 && !parsedOnlySubcommands.contains(String(words[1]))
        }
    }

    /// A contributor runs the commands of the README, and continuous integration runs the commands of all pages.
    private static let pagesToRun = TestScope.current < .integration ? ["README.md"] : pagesWithRunnableLines

    private static let pagesWithRunnableLines = pages.filter { (try? runnableLines(of: $0).isEmpty) != true }

    /// Runs the commands of a page one after the other, as a reader would.
    @Test(.needs(.programs("gzip")), arguments: pagesToRun) func shownCommandsSucceed(page: String) throws {
        let sandbox = try Self.sandboxForPages()
        let database = try PostgresServer.shared?.makeLocation()
        for line in try Self.runnableLines(of: page) {
            var line = line
            if line.contains("postgresql://") {
                // Without a server, only the other lines are run.
                guard let database else { continue }
                line.replace("postgresql:///guide", with: "'\(database)'")
            }
            let (status, errors) = try Self.run(line, in: sandbox)
            // The sample guide has repairs, which `epg validate` reports with exit code 65.
            let isExpected = status == 0 || status == 65 && line.hasPrefix("epg validate ")
            #expect(isExpected, "\(line)\nexit code \(status): \(errors)")
        }
    }

    @Test func commandsAreFoundInBlocksOnly() {
        let page = Page(
            text: """
                epg outside
                ```sh
                $ epg search 'two words' | head   # a comment
                EPG_DATABASE=a.sqlite epg now && epg stations
                make test
                ```
                """)
        #expect(Self.commands(in: page) == [["search", "two words"], ["now"], ["stations"]])
    }

    // MARK: - Settings and links

    private static let pagesWithSettings = pages.filter { (try? Page($0).blocks(of: "yaml").isEmpty) != true }

    @Test(arguments: pagesWithSettings) func shownSettingsAreValid(page: String) throws {
        for block in try Page(page).blocks(of: "yaml") {
            let sandbox = try Sandbox()
            let settings = block.joined(separator: "\n")
            try FileManager.default.createDirectory(atPath: sandbox.path("secrets"), withIntermediateDirectories: true)
            for match in settings.matches(of: /file: (secrets\/[^}\s]+)/) {
                let file = try sandbox.write("secret\n", to: String(match.output.1))
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            }
            let file = try sandbox.write(settings, to: "epg.yml")
            let run = try sandbox.epg("config", "check", "--config", file, environment: ["API_KEY": "key"])
            run.expect(0)
        }
    }

    @Test(arguments: pages) func linksLeadToFilesAndHeadings(page: String) throws {
        let folder = PackageFiles.root.appending(path: page).deletingLastPathComponent()
        for link in try Page(page).links where !link.contains("://") {
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let file = parts[0].isEmpty ? PackageFiles.root.appending(path: page) : folder.appending(path: parts[0])
            #expect(FileManager.default.fileExists(atPath: file.path), "\(link)")
            guard parts.count > 1, file.pathExtension == "md" else { continue }
            let target = Page(text: try String(contentsOf: file, encoding: .utf8))
            #expect(target.anchors.contains(String(parts[1])), "\(link)")
        }
    }

    // MARK: - Running commands

    /// Creates a folder with the sample guide in the database and under the names that the pages use.
    private static func sandboxForPages() throws -> Sandbox {
        let sandbox = try Sandbox(importing: "evening.xml")
        try FileManager.default.createSymbolicLink(
            atPath: sandbox.path("sample-data"),
            withDestinationPath: PackageFiles.root.appending(path: "sample-data").path)
        for name in ["guide.xml", "a.xml", "b.xml", "one.xml", "two.xml", "kitchen.xml"] {
            try FileManager.default.copyItem(atPath: PackageFiles.sample("evening.xml"), toPath: sandbox.path(name))
        }
        try FileManager.default.copyItem(
            atPath: PackageFiles.sample("evening.m3u"), toPath: sandbox.path("channels.m3u"))
        let (status, errors) = try run(
            "gzip --keep guide.xml && gzip two.xml && mkdir -p .config/epg && : > .config/epg/epg.yml", in: sandbox)
        guard status == 0 else { throw SandboxError(message: errors) }
        return sandbox
    }

    /// Runs a line in a shell.
    private static func run(_ line: String, in sandbox: Sandbox) throws -> (status: Int32, errors: String) {
        let path = CommandRun.program.deletingLastPathComponent().path + ":/usr/bin:/bin"
        let process = CommandRun.process(
            ["-c", line], environment: sandbox.variables(["PATH": path]), folder: sandbox.folder)
        process.executableURL = URL(filePath: "/bin/sh")
        let errors = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    // MARK: - Parsing commands

    /// Returns the arguments of each call of `epg` in the code blocks of a page.
    private static func commands(in page: Page) -> [[String]] {
        page.blocks().flatMap(\.self).flatMap(Self.words(of:)).compactMap { words in
            guard let index = words.firstIndex(of: "epg"),
                words[..<index].allSatisfy({ $0 == "$" || $0.contains("=") })
            else { return nil }
            return Array(words[(index + 1)...])
        }
    }

    /// Returns the words of each command in a line of a shell, without quotation marks, comments and redirections.
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
                if let finished = word {
                    if ["|", "&", "&&", ";", "||", ">", "<"].contains(finished) {
                        commands.append([])
                    } else {
                        commands[commands.count - 1].append(finished)
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

/// A Markdown page.
private struct Page {
    let lines: [String]

    init(text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// - Parameter path: A path from the root of the package.
    init(_ path: String) throws {
        let text = try String(contentsOf: PackageFiles.root.appending(path: path), encoding: .utf8)
        self.init(text: text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }

    /// Returns the lines of each code block.
    ///
    /// - Parameter language: The language of the blocks; `nil` for all.
    func blocks(of language: String? = nil) -> [[String]] {
        var blocks: [[String]] = []
        var open: (language: String, lines: [String])?
        for line in lines {
            if line.hasPrefix("```") {
                if let block = open.take() {
                    if language == nil || language == block.language { blocks.append(block.lines) }
                } else {
                    open = (String(line.dropFirst(3)), [])
                }
            } else {
                open?.lines.append(line)
            }
        }
        return blocks
    }

    /// The lines outside of code blocks.
    private var prose: [String] {
        var isInBlock = false
        return lines.filter { line in
            guard line.hasPrefix("```") else { return !isInBlock }
            isInBlock.toggle()
            return false
        }
    }

    /// The targets of all links and pictures.
    var links: [String] {
        let text = prose.joined(separator: "\n")
        return text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) }
            + text.matches(of: /(?:src|srcset)="([^"]+)"/).map { String($0.output.1) }
    }

    /// The anchors of the headings, as GitHub generates them.
    var anchors: Set<String> {
        Set(
            prose.filter { $0.hasPrefix("#") }.map { heading in
                let title = heading.drop { $0 == "#" }.dropFirst().lowercased()
                let kept = title.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
                return kept.replacing(" ", with: "-")
            })
    }
}
