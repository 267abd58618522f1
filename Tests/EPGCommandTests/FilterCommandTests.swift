import Foundation
import TestSupport
import Testing

/// Tests of `epg filter`.
@Suite struct FilterCommandTests {
    private static let guide = """
        <tv><channel id="b"><display-name>B</display-name></channel>
        <programme start="20260329100000 +0000" channel="b"><title>Late</title></programme>
        <programme start="20260329090000 +0000" channel="b"><title>Early</title></programme></tv>
        """

    @Test func filtersReadStandardInput() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("filter", "sort", input: Self.guide)
        let early = #"<programme start="20260329090000 +0000" stop="20260329100000 +0000" channel="b">"#
        run.expect(0, outputContains: ["  \(early)\n    <title>Early</title>"], errors: "")
        let grep = try sandbox.epg(
            "filter", "grep", "-i", "--title", "EARLY", "--or", "--not", "--channel", "b", "-", input: run.output)
        grep.expect(0, outputContains: [early], outputOmits: ["Late"])
        try sandbox.epg("filter", "cat", "-", input: grep.output).expect(output: grep.output)
    }

    @Test func outputFileIsReplacedOnlyWhenComplete() throws {
        let sandbox = try Sandbox()
        let target = try sandbox.write("old", to: "out.xml")
        let broken = try sandbox.write("<tv><programme start='1' channel='a'/><programme", to: "broken.xml")
        let run = try sandbox.epg("filter", "cat", broken, "--output", target)
        run.expect(65)
        #expect(run.errors.hasPrefix("epg: \(broken): line 1: "))
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "old")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path).sorted() == [
                "broken.xml", "out.xml",
            ])
        try sandbox.epg("filter", "cat", "--output", target, input: Self.guide).expect(0)
        #expect(try String(contentsOfFile: target, encoding: .utf8).hasSuffix("</tv>\n"))
    }

    @Test func splitWritesOneFilePerTemplateValue() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("filter", "split", "--output", sandbox.path("%channel-%H.xml"), input: Self.guide)
        run.expect(0, output: "", errors: "")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path).sorted() == [
                "b-09.xml", "b-10.xml",
            ])
        let late = try String(contentsOfFile: sandbox.path("b-10.xml"), encoding: .utf8)
        #expect(late.contains("<display-name>B</display-name>") && late.contains("Late") && !late.contains("Early"))
    }

    @Test func emptyResultIsReported() throws {
        let sandbox = try Sandbox()
        let grep = try sandbox.epg("filter", "grep", "--title", "Never", input: Self.guide)
        grep.expect(0, errors: "epg: No programme matches.\n")
        let split = try sandbox.epg("filter", "split", "--output", sandbox.path("%H.xml"), input: grep.output)
        split.expect(0, errors: "epg: There are no programmes. No file was written.\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path).isEmpty)
    }

    @Test func truncatedGuideLeavesNoFiles() throws {
        let sandbox = try Sandbox()
        let cut = String(Self.guide.dropLast(10))
        try sandbox.epg("filter", "split", "--output", sandbox.path("%H.xml"), input: cut).expect(65)
        #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path).isEmpty)
    }

    /// Invalid bytes are a data error, not an I/O error.
    @Test func damagedOrTruncatedCompressedGuideExitsWith65() throws {
        let sandbox = try Sandbox()
        let noise = (0..<4000).map { "<!-- \($0 &* 2_654_435_761 % 999_983) -->" }.joined()
        let plain = try sandbox.write("<tv>\(noise)</tv>", to: "guide.xml")
        let gzip = Process()
        gzip.executableURL = URL(filePath: "/usr/bin/env")
        gzip.arguments = ["gzip", "-k", plain]
        try gzip.run()
        gzip.waitUntilExit()
        let bytes = try Data(contentsOf: URL(filePath: plain + ".gz"))
        try sandbox.epg("filter", "cat", plain + ".gz").expect(0)

        try bytes.prefix(bytes.count / 2).write(to: URL(filePath: sandbox.path("cut.gz")))
        let cut = try sandbox.epg("filter", "cat", sandbox.path("cut.gz"), "--output", sandbox.path("out.xml"))
        cut.expect(65, errorsContain: ["(gzip). Download the guide again."])

        var damaged = bytes
        for index in bytes.count / 2..<bytes.count / 2 + 40 { damaged[index] ^= 0xFF }
        try damaged.write(to: URL(filePath: sandbox.path("damaged.gz")))
        let broken = try sandbox.epg("filter", "sort", sandbox.path("damaged.gz"))
        broken.expect(65)
        #expect(!FileManager.default.fileExists(atPath: sandbox.path("out.xml")))
    }

    /// 40 MB, several hundred times the compressed size. The ratio applies above 16 MiB. Long comments are read faster than elements.
    @Test func decompressionBombExitsWith65() throws {
        let sandbox = try Sandbox()
        let line =
            TestScope.current >= .integration ? "<a/>" : "<!-- $(head -c 4000 /dev/zero | tr '\\0' x) -->"
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c", "{ echo '<tv>'; yes \"\(line)\" | head -c 40000000; } | gzip >\"$0\"", sandbox.path("big.gz"),
        ]
        try process.run()
        process.waitUntilExit()
        let run = try sandbox.epg("filter", "cat", sandbox.path("big.gz"))
        run.expect(65, errorsContain: ["200 times its size", "decompress it first"])
    }

    /// The system rejects reads of /proc/self/mem at offset 0.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/mem"), "no /proc"))
    func readErrorExitsWith74() throws {
        try Sandbox().epg("filter", "cat", "/proc/self/mem").expect(74)
    }

    @Test(arguments: [
        (["grep"], 64), (["grep", "--nonsense"], 64), (["grep", "--title", "("], 64), (["split", "--output", "x"], 64),
        (["cat", "nothing.xml"], 66), (["sort", "."], 66), (["split", "--output", "nowhere/%Y", "-"], 73),
        (["grep", "--help"], 0),
    ])
    func exitCodeMatchesError(arguments: [String], status: Int) throws {
        let sandbox = try Sandbox()
        let run = try CommandRun(
            ["filter"] + arguments, input: Self.guide, environment: sandbox.variables([:]), folder: sandbox.folder)
        #expect((Int(run.status), run.errors.isEmpty) == (status, status == 0), "\(run.errors)")
    }
}
