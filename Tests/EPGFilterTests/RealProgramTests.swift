import EPGFilter
import Foundation
import TestSupport
import Testing
import XMLTV

/// Compares the filters with the XMLTV project's programs (Debian's `xmltv-util`) for random guides.
@Suite(.needs(.xmltvPrograms))
struct RealProgramTests {
    private static let allCommands: [[String]] = [
        ["cat"], ["sort"], ["sort", "--by-channel"],
        ["grep", "News"], ["grep", "-i", "news"], ["grep", "--title", "^b|it's"], ["grep", "--category", "[A-Z].*c$"],
        ["grep", "--not", "--category", ""], ["grep", "--sub-title", "b", "--or", "--desc", "more", "--not", "--new"],
        ["grep", "--channel-name", "one"], ["grep", "--not", "--channel-id", "b"], ["grep", "--channel", "^.$"],
        ["grep", "--on-after", "2026-03-29 12:00 UTC"], ["grep", "--on-before", "20260329120000 +0100"],
        ["grep", "--last-chance", "Last", "-o", "--premiere", ""], ["grep", "--credits", ""],
        ["grep", "--clumpidx", "^0"],
        ["grep", "--eval", "scalar keys %$_ >= 7"], ["grep", "!", "--stop", ""], ["grep", "--episode", ""],
    ]

    /// A contributor runs a few commands, because each one starts the original program.
    private static let commands =
        TestScope.current >= .integration
        ? allCommands : [["sort"], ["grep", "-i", "news"], ["grep", "--not", "--channel-id", "b"]]
    private static let seeds = UInt64(1)...(TestScope.current >= .integration ? 2 : 1)

    @Test(arguments: RealProgramTests.commands)
    func randomGuideMatchesOriginalProgram(command: [String]) throws {
        try XMLTVProgram.withFolder { folder in
            for seed in Self.seeds {
                let guide = RandomGuide.bytes(seed: seed)
                try Data(guide).write(to: folder.appending(path: "guide.xml"))
                let theirs = try XMLTVProgram.output(
                    of: "tv_" + command[0], Array(command.dropFirst()) + ["guide.xml"], in: folder)
                let ours = try FilterRun(command, [guide])
                let difference = CanonicalGuide.difference(
                    try CanonicalGuide(ours.bytes), try CanonicalGuide(theirs))
                #expect(difference == nil, "\(command), seed \(seed)")
            }
        }
    }

    @Test(arguments: [["cat"], ["sort"], ["grep", "--title", "b"]])
    func severalGuidesMatchOriginalProgram(command: [String]) throws {
        try XMLTVProgram.withFolder { folder in
            let guides = (UInt64(20)...22).map { RandomGuide.bytes(seed: $0, programmes: 15) }
            for (number, guide) in guides.enumerated() {
                try Data(guide).write(to: folder.appending(path: "\(number).xml"))
            }
            let theirs = try XMLTVProgram.output(
                of: "tv_" + command[0], Array(command.dropFirst()) + ["0.xml", "1.xml", "2.xml"], in: folder)
            let ours = try FilterRun(command, guides)
            #expect(CanonicalGuide.difference(try CanonicalGuide(ours.bytes), try CanonicalGuide(theirs)) == nil)
        }
    }
}

extension Requirement {
    /// The package `xmltv-util` of Debian.
    static let xmltvPrograms = Requirement.programs("tv_cat", "tv_sort", "tv_grep", "tv_split")
}

/// The XMLTV project's programs.
enum XMLTVProgram {
    struct Failure: Error {
        let program: String
        let status: Int32
    }

    /// Returns the standard output of a program. The arguments end with the guides.
    ///
    /// - Parameter folder: The working directory.
    static func output(of program: String, _ arguments: [String], in folder: URL) throws -> [UInt8] {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: TestProgram.path(of: program) ?? program)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ["LC_ALL": "C", "TZ": "UTC", "PATH": "/usr/bin:/bin"]
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(program: program, status: process.terminationStatus)
        }
        return [UInt8](output)
    }

    /// Calls a closure with a temporary folder.
    static func withFolder<Result>(_ work: (URL) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "epg-filter-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try work(folder)
    }
}

/// Tests that no guide crashes a filter: it finishes or reports an error.
@Suite struct RobustnessTests {
    private static let commands = [
        ["cat"], ["sort"], ["sort", "--by-channel"], ["grep", "[ab]"],
        ["grep", "--title", "b", "--or", "--on-after", "2026"],
        ["grep", "--not", "--channel-name", "e", "--clumpidx", "1"],
    ]

    private static let oddValues = [
        "", " ", "0/0", "1/1", "9/2", "-1/3", "999999999/999999999", "2026", "20260229", "99999999999999", "00000101",
        "20260329093000 XYZ", "20260329093000 +9999", "../../x", "\u{0}", "é", "e\u{301}", "\"", "%", "0/3", "1/3",
        "2/3",
    ]

    @Test(arguments: 0..<UInt64(TestScope.cases(60)))
    func oddValuesAreRead(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var reader = XMLTVReader(ChunkSource(RandomGuide.bytes(seed: seed, programmes: 30)))
        var writer = XMLTVWriter()
        writer.begin()
        while let record = try reader.next() {
            guard record != .guide else { continue }
            var element = reader.element
            for index in element.attributes.indices where Int.random(in: 0..<4, using: &random) == 0 {
                element.attributes[index].value = Self.oddValues.randomElement(using: &random) ?? ""
            }
            if Int.random(in: 0..<5, using: &random) == 0 { element.attributes.removeFirst() }
            if Int.random(in: 0..<5, using: &random) == 0 { element.children.removeFirst() }
            writer.write(element)
        }
        writer.end()
        let guide = writer.takeBytes()
        for command in Self.commands {
            let run = try FilterRun(command, [guide])
            // Check that the output is a guide.
            _ = try FilterRun(["cat"], [run.bytes])
        }
    }

    @Test(arguments: 0..<UInt64(TestScope.cases(60)))
    func malformedBytesStopTheFilter(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var guide = RandomGuide.bytes(seed: seed, programmes: 10)
        for _ in 0...Int.random(in: 0...3, using: &random) {
            guide[Int.random(in: guide.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        for command in Self.commands {
            do {
                _ = try FilterRun(command, [guide])
            } catch is FilterError {
                // The filter reported the fault.
            }
        }
    }
}
