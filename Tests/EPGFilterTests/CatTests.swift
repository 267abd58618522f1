import EPGFilter
import Testing
import XMLTV

/// The rules of `tv_cat`, from the tests and the manual page of the XMLTV project.
@Suite struct CatTests {
    @Test func programmesKeepTheOrderOfTheGuides() throws {
        let run = try FilterRun(["cat"], SmallGuide.guide("10 11 a A"), SmallGuide.guide("09 10 a B"))
        #expect(try SmallGuide.programmes(run) == ["10 11 a A", "09 10 a B"])
    }

    @Test func programmeWithSameChannelStartAndTitleIsWrittenOnce() throws {
        let run = try FilterRun(["cat"], SmallGuide.guide("10 11 a A", "10 12 a A", "10 11 b A", "10 11 a B"))
        #expect(try SmallGuide.programmes(run) == ["10 11 a A", "10 11 b A", "10 11 a B"])
    }

    @Test func headerAndChannelsOfLastGuideWin() throws {
        let run = try FilterRun(
            ["cat"], #"<tv date="1"><channel id="a"><url>1</url></channel><channel id="b"/></tv>"#,
            #"<tv date="2"><channel id="a"><url>2</url></channel></tv>"#)
        #expect(run.text.contains(#"<tv date="2">"#))
        #expect(
            try run.elements("channel").map { "\($0[attribute: "id"] ?? "") \($0.child("url")?.text ?? "")" } == [
                "a 2", "b ",
            ])
        #expect(run.warnings == [.differingHeaders, .differingChannels("a")])
    }

    @Test func equalChannelsAreWrittenOnceWithoutWarning() throws {
        let guide = #"<tv><channel id="a"><display-name>A</display-name></channel></tv>"#
        let run = try FilterRun(["cat"], guide, guide)
        #expect(try (run.elements("channel").count, run.warnings) == (1, []))
    }

    @Test func channelAfterProgrammesKeepsItsPosition() throws {
        let run = try FilterRun(["cat"], #"<tv><programme start="2026" channel="a"/><channel id="a"/></tv>"#)
        #expect(try run.elements("channel").count == 1)
    }

    @Test func recordsWithoutMandatoryAttributesAreDroppedWithWarning() throws {
        let run = try FilterRun(
            ["cat"], #"<tv><channel/><programme start="2026"/><programme channel="a"/><other/><x-other/></tv>"#)
        #expect(try run.elements("programme").isEmpty)
        #expect(
            run.warnings == [
                .missingAttribute(record: "channel", attribute: "id"),
                .missingAttribute(record: "programme", attribute: "channel"),
                .missingAttribute(record: "programme", attribute: "start"), .unknownElement("other"),
            ])
    }

    @Test func errorForTruncatedGuideHasItsNameAndLine() throws {
        let error = #expect(throws: FilterError.self) { try FilterRun(["cat"], "<tv></tv>", "<tv>\n<programme") }
        #expect(error?.description.hasPrefix("guide 2: line 2:") == true)
    }
}
