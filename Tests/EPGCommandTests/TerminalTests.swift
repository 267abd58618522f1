import Foundation
import TestSupport
import Testing

/// Tests of the output to a terminal, a pipe and a closed pipe.
@Suite struct TerminalTests {
    /// CSI as a single C1 control character, a right-to-left override, and a line separator.
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
        run.expect(0)
        try expectNoControls(run)
        return sandbox
    }

    private func expectNoControls(_ run: CommandRun) throws {
        for scalar in (run.output + run.errors).unicodeScalars {
            let isControl =
                scalar != "\n"
                && (scalar.properties.generalCategory == .control || (0x2028...0x202E).contains(scalar.value))
            #expect(!isControl, "U+\(String(scalar.value, radix: 16)) in \(run.output.debugDescription)")
            if isControl { return }
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
    func controlCharactersAreNotPrinted(_ arguments: [String]) throws {
        let sandbox = try sandboxWithHostileTitles()
        try expectNoControls(
            CommandRun(arguments, input: nil, environment: sandbox.variables([:]), folder: sandbox.folder))
    }

    @Test func noLineIsWiderThanTheTerminal() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        for arguments in [
            ["now", "--at", "2026-10-24T20:40"], ["airings", "--station", "lantern.example", "--from", "2026-10-25"],
        ] {
            let run = try CommandRun(
                arguments, input: nil, environment: sandbox.variables(["COLUMNS": "60"]), folder: sandbox.folder)
            run.expect(0)
            // Non-ASCII characters may be wider than one column, so this is a lower bound.
            for line in run.output.split(separator: "\n") {
                let shown = line.unicodeScalars.filter { $0.properties.generalCategory != .format }
                #expect(String(shown).count <= 60, "\(line)")
            }
        }
    }

    @Test func pipedOutputHasNoColor() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        #expect(!(try sandbox.epg("grid", "--from", "2026-10-24T19:00").output.contains("\u{1B}")))
    }

    @Test(
        .needs(.programs("script")),
        arguments: [("", true), ("1", false)])
    func terminalOutputHasColorUnlessNO_COLORIsSet(_ noColor: String, _ hasColors: Bool) throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let arguments = "now --at 2026-10-24T20:40"
        let run = try TerminalRun(arguments, in: sandbox, environment: ["NO_COLOR": noColor])
        #expect(run.text.contains("Kerbside"))
        #expect(run.text.contains("\u{1B}[1m") == hasColors)
    }

    @Test func closedPipeEndsProgramSilently() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let process = CommandRun.process(["stations"], environment: sandbox.variables([:]), folder: sandbox.folder)
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output.fileHandleForWriting
        process.standardError = errors
        try output.fileHandleForReading.close()
        try process.run()
        try output.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect((process.terminationReason, process.terminationStatus) == (.exit, 0))
        #expect(try errors.fileHandleForReading.readToEnd() ?? Data() == Data())
    }

    @Test func fullDiskForStandardOutputExitsWith74() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let process = CommandRun.process(["stations"], environment: sandbox.variables([:]), folder: sandbox.folder)
        process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 74)
    }
}
