import Foundation
import Testing

/// What reaches a terminal, a pipe, or nobody.
@Suite struct TerminalTests {
    /// CSI in one byte's code point, which terminals obey; a right-to-left override; a soft line.
    private static let hostile = "Clear\u{9B}2JScreen\u{202E}desrever\u{2028}end"

    private func sandboxWithHostileTitles() throws -> Sandbox {
        let sandbox = try Sandbox()
        let guide = """
            <tv><channel id="a\u{9B}31m"><display-name>\(Self.hostile)</display-name></channel>
            <programme start="20261024190000 +0000" stop="20261024200500 +0000" channel="a\u{9B}31m">
            <title>\(Self.hostile)</title><desc>\(Self.hostile)</desc></programme>
            <programme start="20261024200000 +0000" stop="20261024210000 +0000" channel="a\u{9B}31m">
            <title>\(Self.hostile)</title></programme></tv>
            """
        let run = try sandbox.epg("import", "-", "--explain", "--source", Self.hostile, input: guide)
        #expect(run.status == 0)
        try expectHarmless(run)
        return sandbox
    }

    private func expectHarmless(_ run: CommandRun) throws {
        for scalar in (run.output + run.errors).unicodeScalars {
            let isOrder =
                scalar != "\n"
                && (scalar.properties.generalCategory == .control || (0x2028...0x202E).contains(scalar.value))
            #expect(!isOrder, "U+\(String(scalar.value, radix: 16)) in \(run.output.debugDescription)")
            if isOrder { return }
        }
    }

    @Test(arguments: [
        ["now", "--at", "2026-10-24T19:30Z"], ["stations"], ["grid", "--from", "2026-10-24T19:00Z"], ["show", "1"],
        ["search", "clear*"], ["sources"], ["airings", "--station", "clear"],
        ["now", "--station", "\u{9B}2J\u{1B}[2J"],
        ["airings", "--station", "a\u{9B}31m", "--from", "2026-10-24"],
        ["grid", "--json", "--from", "2026-10-24T19:00Z"],
        ["show", "1", "--json"], ["now", "--zone", "Europe\u{9B}2J"], ["now", "--at", "\u{9B}2J"],
    ])
    func controlCharactersOfFeedsAndFlagsAreNotPassedOn(_ arguments: [String]) throws {
        let sandbox = try sandboxWithHostileTitles()
        try expectHarmless(
            CommandRun(arguments, input: nil, environment: sandbox.variables([:]), folder: sandbox.folder))
    }

    @Test func noLineIsWiderThanTheTerminal() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        for arguments in [
            ["now", "--at", "2026-10-24T20:40"], ["airings", "--station", "lantern.example", "--from", "2026-10-25"],
        ] {
            let run = try CommandRun(
                arguments, input: nil, environment: sandbox.variables(["COLUMNS": "60"]), folder: sandbox.folder)
            #expect(run.status == 0)
            // Characters outside ASCII may be wider than one column, so this is the weaker claim.
            for line in run.output.split(separator: "\n") {
                let shown = line.unicodeScalars.filter { $0.properties.generalCategory != .format }
                #expect(String(shown).count <= 60, "\(line)")
            }
        }
    }

    @Test func outputThatIsNoTerminalHasNoColours() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        #expect(!(try sandbox.epg("grid", "--from", "2026-10-24T19:00").output.contains("\u{1B}")))
    }

    @Test(arguments: [("", true), ("1", false)])
    func terminalGetsColoursUnlessNO_COLORForbids(_ noColor: String, _ hasColours: Bool) throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let arguments = "now --at 2026-10-24T20:40"
        guard let run = try TerminalRun(arguments, in: sandbox, environment: ["NO_COLOR": noColor]) else { return }
        #expect(run.text.contains("Kerbside"))
        #expect(run.text.contains("\u{1B}[1m") == hasColours)
    }

    @Test func readerThatGoesAwayEndsTheProgramQuietly() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let process = CommandRun.process(["stations"], environment: sandbox.variables([:]), folder: sandbox.folder)
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output.fileHandleForWriting
        process.standardError = errors
        try output.fileHandleForReading.close()
        try process.run()
        try output.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
        #expect(try errors.fileHandleForReading.readToEnd() ?? Data() == Data())
    }

    @Test func fullDiskUnderTheOutputIs74() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let process = CommandRun.process(["stations"], environment: sandbox.variables([:]), folder: sandbox.folder)
        process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 74)
    }
}
