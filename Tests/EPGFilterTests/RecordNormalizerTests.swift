import EPGFilter
import Testing
import XMLTV

/// The output form of records, as in the XMLTV project's programs, their tests, and the DTD.
@Suite struct RecordNormalizerTests {
    private func part(_ xml: String) throws -> String {
        let run = try FilterRun(["cat"], "<tv><programme start=\"1\" channel=\"c\">\(xml)</programme></tv>")
        return run.text.split(separator: "\n").dropFirst(4).dropLast(2).map { $0.dropFirst(4) }.joined(separator: "\n")
    }

    @Test(arguments: [
        ("<title>  a \n</title>", "<title>a</title>"),
        ("<title>a\nb\r\n  c</title>", "<title>a b  c</title>"),
        ("<desc>\n a\n      b \n</desc>", "<desc>a\n  b</desc>"),
        ("<title lang=' en '>a</title>", #"<title lang="en">a</title>"#),
        ("<desc/><title>a</title>", "<title>a</title>"),
        ("<sub-title> </sub-title>", ""),
        ("<title/>", "<title />"),
        ("<x-a>1</x-a><new x-b='1'>t</new>", "<new />"),
        ("<credits/><video> </video><audio><x-a/></audio>", ""),
        (
            "<credits><actor>B</actor><director>A</director></credits>",
            "<credits>\n  <director>A</director>\n  <actor>B</actor>\n</credits>"
        ),
        ("<length units='minutes'>60</length>", #"<length units="hours">1</length>"#),
        ("<length units='seconds'>5400</length>", #"<length units="minutes">90</length>"#),
        ("<length units='hours'>2</length>", #"<length units="hours">2</length>"#),
        ("<length units='seconds'>61</length>", #"<length units="seconds">61</length>"#),
        ("<length units='hours'>9223372036854775807</length>", #"<length units="hours">9223372036854775807</length>"#),
        ("<length units='minutes'>an hour</length>", #"<length units="minutes">an hour</length>"#),
        (
            "<episode-num system='xmltv_ns'> 1/2 .3.0 /1</episode-num>",
            #"<episode-num system="xmltv_ns">1/2 . 3 . 0/1</episode-num>"#
        ),
        ("<episode-num>S1 E2</episode-num>", #"<episode-num system="onscreen">S1 E2</episode-num>"#),
        ("<last-chance lang='en'/>", "<last-chance />"),
        ("<premiere>\nFirst\n</premiere>", "<premiere>First</premiere>"),
        ("<url system=''>u</url>", "<url>u</url>"),
        (
            "<audio><stereo>mono</stereo><present>yes</present></audio>",
            "<audio>\n  <present>yes</present>\n  <stereo>mono</stereo>\n</audio>"
        ),
        ("<unknown a='1'>b</unknown><title>a</title>", "<title>a</title>\n<unknown a=\"1\">b</unknown>"),
        ("<desc>a <b>bold</b> word</desc>", "<desc>a <b>bold</b> word</desc>"),
        (
            "<rating><icon src='i'/><value>PG</value></rating>",
            "<rating>\n  <value>PG</value>\n  <icon src=\"i\" />\n</rating>"
        ),
    ])
    func partsAreNormalized(xml: String, expected: String) throws {
        #expect(try part(xml) == expected)
    }

    @Test func attributesAreInDTDOrder() throws {
        let run = try FilterRun(
            ["cat"], #"<tv x-a="1"><programme extra="e" channel="c" x-b="2" clumpidx="0/1" stop="2" start="1"/></tv>"#)
        #expect(run.text.contains(#"<programme start="1" stop="2" channel="c" clumpidx="0/1" extra="e" />"#))
        #expect(run.text.contains("<tv>"))
    }

    @Test func normalizingRecordsIsIdempotent() throws {
        for seed in UInt64(0)..<30 {
            let once = try FilterRun(["cat"], [RandomGuide.bytes(seed: seed)])
            #expect(try FilterRun(["cat"], [once.bytes]).text == once.text)
        }
    }
}
