import Foundation
import Testing

/// The XMLTV project's own test of `tv_cat`, `tv_sort` and `tv_grep`: what our filters print is what theirs print.
@Suite struct ConformanceTests {
    /// What is known to differ in a case.
    private enum Difference {
        /// `tv_grep` holds everything back to the end of the last guide and numbers all programmes that start together as
        /// one clump: `0/2` stands for both of two equal halves. We let a clump go when it is whole, and what is left of it
        /// is none. Nothing but `clumpidx` differs.
        case twiceTheSameClump
        /// No case of the test: what `tv_sort --by-channel` printed of a guide before it was corrected.
        case beforeItWasCorrected(guide: String)
    }

    private static let differences: [String: Difference] = [
        // The case is …_channel_xml.
        "tv_sort_by_channel_test_sort_by_channel.expected": .beforeItWasCorrected(guide: "test_sort_by_channel.xml"),
        "tv_grep_category_b_clump_xml_clump_xml.expected": .twiceTheSameClump,
        "tv_grep_category_g_or_title_h_clump_xml_clump_xml.expected": .twiceTheSameClump,
    ]

    private func guides(_ filterCase: FilterCase) throws -> (ours: CanonicalGuide, theirs: CanonicalGuide) {
        let run = try FilterRun(filterCase.command, filterCase.guides.map { try filterCase.bytes(of: $0) })
        return (try CanonicalGuide(run.bytes), try CanonicalGuide(try filterCase.bytes(of: filterCase.expected)))
    }

    @Test(.enabled(if: SharedFolder.hasFilterCases, "no ../shared/data"))
    func ourFiltersPrintWhatTheXMLTVProjectsPrint() throws {
        var passed = 0
        var failed = 0
        let cases = try FilterCase.all().filter { Self.differences[$0.expected] == nil }
        for filterCase in cases {
            guard !filterCase.command.isEmpty else {
                failed += 1
                Issue.record("\(filterCase): the name of the file tells no command")
                continue
            }
            let (ours, theirs) = try guides(filterCase)
            if let difference = CanonicalGuide.difference(ours, theirs) {
                failed += 1
                Issue.record("\(filterCase): \(difference)")
            } else {
                passed += 1
            }
        }
        #expect(passed + failed == cases.count)
        #expect(passed > 800, "the cases are there")
        print("\(passed) passed, \(failed) failed")
    }

    /// A case that has become equal belongs to the others: it is to be taken from the list.
    @Test(.enabled(if: SharedFolder.hasFilterCases, "no ../shared/data"))
    func listedCasesDifferInWhatTheListSaysAndInNothingElse() throws {
        let cases = try FilterCase.all().filter { Self.differences[$0.expected] != nil }
        #expect(cases.count == Self.differences.count, "each listed case is there")
        for filterCase in cases {
            let (ours, theirs): (CanonicalGuide, CanonicalGuide)
            switch Self.differences[filterCase.expected] {
            case .twiceTheSameClump:
                (ours, theirs) = try guides(filterCase)
                let rest = CanonicalGuide.difference(ours.withoutClumps, theirs.withoutClumps)
                #expect(rest == nil, "\(filterCase): more than clumpidx differs")
            case .beforeItWasCorrected(let guide):
                (ours, theirs) = try guides(
                    FilterCase(command: ["sort", "--by-channel"], guides: [guide], expected: filterCase.expected))
            case nil: continue
            }
            let difference = CanonicalGuide.difference(ours, theirs)
            #expect(difference != nil, "\(filterCase): nothing differs, so it doesn't belong into the list")
            print("differs as listed: \(filterCase): \(difference ?? "not at all")")
        }
    }
}
