import Foundation
import Testing

/// The XMLTV project's own test of `tv_cat`, `tv_sort` and `tv_grep`: what our filters print is what theirs print.
@Suite struct ConformanceTests {
    /// `tv_grep` holds everything back to the end of the last guide and numbers all programmes that start together as one
    /// clump: `0/2` stands for both of two equal halves. We let a clump go when it is whole, and what is left of it is none.
    private static let twiceTheSameClump = "the clump comes twice; only clumpidx differs"

    /// Cases in which we differ, each with the reason.
    private static let differences: [String: String] = [
        "tv_sort_by_channel_test_sort_by_channel.expected":
            "no case of the test: what tv_sort printed before it was corrected (the case is …_channel_xml)",
        "tv_grep_category_b_clump_xml_clump_xml.expected": twiceTheSameClump,
        "tv_grep_category_g_or_title_h_clump_xml_clump_xml.expected": twiceTheSameClump,
    ]

    @Test(.enabled(if: SharedFolder.hasFilterCases, "no ../shared/data"))
    func ourFiltersPrintWhatTheXMLTVProjectsPrint() throws {
        var passed = 0
        var failed = 0
        var differing = 0
        let cases = try FilterCase.all()
        for filterCase in cases {
            if let reason = Self.differences[filterCase.expected] {
                differing += 1
                print("differs: \(filterCase): \(reason)")
                continue
            }
            guard !filterCase.command.isEmpty else {
                failed += 1
                Issue.record("\(filterCase): the name of the file tells no command")
                continue
            }
            let run = try FilterRun(filterCase.command, filterCase.guides.map { try filterCase.bytes(of: $0) })
            let ours = try CanonicalGuide(run.bytes)
            let theirs = try CanonicalGuide(try filterCase.bytes(of: filterCase.expected))
            if let difference = CanonicalGuide.difference(ours, theirs) {
                failed += 1
                Issue.record("\(filterCase): \(difference)")
            } else {
                passed += 1
            }
        }
        #expect(differing * 50 <= cases.count, "at most 2 % may differ")
        #expect(passed + failed + differing == cases.count)
        #expect(passed > 800, "the cases are there")
        print("\(passed) passed, \(failed) failed")
    }
}
