import EPGModel
import StoreConformance
import TestSupport
import Testing

/// Changes of several generations are combined into one step, here in the notation of ``ChangeText``.
@Suite struct ChangeFoldingTests {
    @Test(
        arguments: [
            ("+ 4 20:00-21:00", "- 4 20:00-21:00", nil),
            ("+ 4 20:00-21:00", "~ 4 20:00-21:00 20:00-21:30", "+ 4 20:00-21:30"),
            ("+ 4 20:00-21:00", "> 4 20:00-21:00 20:05-21:00", "+ 4 20:05-21:00"),
            ("~ 4 20:00-21:00 20:00-21:30", "~ 4 20:00-21:30 20:00-22:00", "~ 4 20:00-21:00 20:00-22:00"),
            ("~ 4 20:00-21:00 20:00-21:30", "> 4 20:00-21:30 20:05-21:30", "> 4 20:00-21:00 20:05-21:30"),
            ("> 4 20:00-21:00 20:05-21:00", "~ 4 20:05-21:00 20:05-21:30", "> 4 20:00-21:00 20:05-21:30"),
            ("> 4 20:00-21:00 20:05-21:00", "> 4 20:05-21:00 20:10-21:00", "> 4 20:00-21:00 20:10-21:00"),
            // Moved and moved back. The content may have changed in between.
            ("> 4 20:00-21:00 20:05-21:00", "> 4 20:05-21:00 20:00-21:00", "~ 4 20:00-21:00 20:00-21:00"),
            ("~ 4 20:00-21:00 20:00-21:30", "- 4 20:00-21:30", "- 4 20:00-21:00"),
            ("> 4 20:00-21:00 20:05-21:00", "- 4 20:05-21:00", "- 4 20:00-21:00"),
            // Identifiers are never reused, except in a damaged log.
            ("- 4 20:00-21:00", "+ 4 20:00-21:30", "~ 4 20:00-21:00 20:00-21:30"),
        ] as [(String, String, String?)])
    func successiveChangesOfAiringAreCombined(first: String, second: String, folded: String?) throws {
        let earlier = try #require(ChangeText.change(first))
        let later = try #require(ChangeText.change(second))
        expectEqual(earlier.followed(by: later).map(ChangeText.line), folded)
    }

    @Test func changeWithoutWindowIsInvalid() {
        expectEqual(AiringChange(AiringID(1), from: nil, to: nil), nil)
    }

    /// Returns the combined changes of several generations; `*` is the complete schedule.
    private func folded(_ generations: [[String]]) throws -> [String]? {
        var folded = FoldedChanges()
        for lines in generations {
            if lines == ["*"] {
                folded.setWhole()
                continue
            }
            for line in lines { folded.add(try #require(ChangeText.change(line))) }
        }
        return folded.extent.map { extent in
            switch extent {
            case .whole: ["*"]
            case .airings(let changes): changes.map(ChangeText.line)
            }
        }
    }

    @Test func completeScheduleTakesPrecedence() throws {
        try expectEqual(folded([["+ 1 20:00-21:00"], ["*"]]), ["*"])
        try expectEqual(folded([["*"], ["+ 1 20:00-21:00"]]), ["*"])
        try expectEqual(folded([["*"], ["*"]]), ["*"])
    }

    @Test func oppositeChangesCancelEachOther() throws {
        try expectEqual(folded([["+ 1 20:00-21:00"], ["- 1 20:00-21:00"]]), nil)
        try expectEqual(folded([]), nil)
    }

    @Test func changesAreSortedByTime() throws {
        try expectEqual(
            folded([["- 9 22:00-23:00", "+ 12 19:00-20:00"], ["~ 3 21:00-22:00 21:00-22:30", "+ 13 20:00-21:00"]]),
            ["+ 12 19:00-20:00", "+ 13 20:00-21:00", "~ 3 21:00-22:00 21:00-22:30", "- 9 22:00-23:00"])
    }
}
