import Foundation
import Testing

/// `epg filter`: streams in, streams out, and files that are replaced only when complete.
@Suite struct FilterCommandTests {
    private static let guide = """
        <tv><channel id="b"><display-name>B</display-name></channel>
        <programme start="20260329100000 +0000" channel="b"><title>Late</title></programme>
        <programme start="20260329090000 +0000" channel="b"><title>Early</title></programme></tv>
        """

    @Test func guidesGoThroughAPipe() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("filter", "sort", input: Self.guide)
        #expect(run.status == 0 && run.errors.isEmpty)
        let early = #"<programme start="20260329090000 +0000" stop="20260329100000 +0000" channel="b">"#
        #expect(run.output.contains("  \(early)\n    <title>Early</title>"))
        let grep = try sandbox.epg(
            "filter", "grep", "-i", "--title", "EARLY", "--or", "--not", "--channel", "b", "-", input: run.output)
        #expect(grep.status == 0 && grep.output.contains(early) && !grep.output.contains("Late"))
        #expect(try sandbox.epg("filter", "cat", "-", input: grep.output).output == grep.output)
    }

    @Test func aFileIsReplacedOnlyWhenTheResultIsComplete() throws {
        let sandbox = try Sandbox()
        let target = try sandbox.write("old", to: "out.xml")
        let broken = try sandbox.write("<tv><programme start='1' channel='a'/><programme", to: "broken.xml")
        let run = try sandbox.epg("filter", "cat", broken, "--output", target)
        #expect(run.status == 65)
        #expect(run.errors.hasPrefix("epg: \(broken): line 1: "))
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "old")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path).sorted() == [
                "broken.xml", "out.xml",
            ])
        #expect(try sandbox.epg("filter", "cat", "--output", target, input: Self.guide).status == 0)
        #expect(try String(contentsOfFile: target, encoding: .utf8).hasSuffix("</tv>\n"))
    }

    @Test func aGuideIsSplitIntoFiles() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("filter", "split", "--output", sandbox.path("%channel-%H.xml"), input: Self.guide)
        #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path).sorted() == [
                "b-09.xml", "b-10.xml",
            ])
        let late = try String(contentsOfFile: sandbox.path("b-10.xml"), encoding: .utf8)
        #expect(late.contains("<display-name>B</display-name>") && late.contains("Late") && !late.contains("Early"))
    }

    @Test func aGuideThatBreaksOffLeavesNoFiles() throws {
        let sandbox = try Sandbox()
        let cut = String(Self.guide.dropLast(10))
        #expect(try sandbox.epg("filter", "split", "--output", sandbox.path("%H.xml"), input: cut).status == 65)
        #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path).isEmpty)
    }

    @Test(arguments: [
        (["grep"], 64), (["grep", "--nonsense"], 64), (["grep", "--title", "("], 64), (["split", "--output", "x"], 64),
        (["cat", "nothing.xml"], 66), (["sort", "."], 66), (["split", "--output", "nowhere/%Y", "-"], 73),
        (["grep", "--help"], 0),
    ])
    func theExitCodeTellsWhatWasWrong(arguments: [String], status: Int) throws {
        let sandbox = try Sandbox()
        let run = try CommandRun(
            ["filter"] + arguments, input: Self.guide, environment: sandbox.variables([:]), folder: sandbox.folder)
        #expect(Int(run.status) == status)
        #expect(run.errors.isEmpty == (status == 0))
    }
}
