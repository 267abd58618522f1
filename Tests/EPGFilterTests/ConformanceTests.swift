import Foundation
import TestSupport
import Testing
import XMLTV

/// Runs the XMLTV project's own tests of `tv_cat`, `tv_sort`, and `tv_grep`. The filters must produce the same output.
@Suite struct ConformanceTests {
    /// A known difference in a case.
    private enum Difference {
        /// Only `clumpidx` differs. `tv_grep` keeps all programmes until the end of the last guide and numbers those that
        /// start together as one clump, so that `0/2` may denote either of two equal halves. Our filter settles a clump
        /// when it is complete, and a single remaining part is not a clump.
        case clumpIndexes
        /// The file is the output of `tv_sort --by-channel` for an older version of the guide, and not a case of the test.
        case outdated(guide: String)
    }

    private static let differences: [String: Difference] = [
        // The name of the actual case ends in `_channel_xml`.
        "tv_sort_by_channel_test_sort_by_channel.expected": .outdated(guide: "test_sort_by_channel.xml"),
        "tv_grep_category_b_clump_xml_clump_xml.expected": .clumpIndexes,
        "tv_grep_category_g_or_title_h_clump_xml_clump_xml.expected": .clumpIndexes,
    ]

    /// Debug builds, which are fifty times slower, run one of this many cases.
    private static var step: Int {
        #if DEBUG
            8
        #else
            1
        #endif
    }

    private func guides(_ filterCase: FilterCase) throws -> (ours: CanonicalGuide, theirs: CanonicalGuide) {
        let run = try FilterRun(filterCase.command, filterCase.guides.map { try filterCase.bytes(of: $0) })
        return (try CanonicalGuide(run.bytes), try CanonicalGuide(try filterCase.bytes(of: filterCase.expected)))
    }

    @Test(.needs(.sharedData(FilterCase.folder)))
    func filtersMatchOutputOfXMLTVProject() throws {
        var passed = 0
        var failed = 0
        let all = try FilterCase.all().filter { Self.differences[$0.expected] == nil }
        let cases = stride(from: 0, to: all.count, by: Self.step).map { all[$0] }
        for filterCase in cases {
            guard !filterCase.command.isEmpty else {
                failed += 1
                Issue.record("\(filterCase): no command has the prefix of the file name")
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
        #expect(passed > 800 / Self.step, "too few cases were found")
        print("\(passed) passed, \(failed) failed")
    }

    /// If the outputs of a listed case become equal, remove it from the list.
    @Test(.needs(.sharedData(FilterCase.folder)))
    func listedCasesDifferOnlyAsListed() throws {
        let cases = try FilterCase.all().filter { Self.differences[$0.expected] != nil }
        #expect(cases.count == Self.differences.count, "a listed case is missing")
        for filterCase in cases {
            let (ours, theirs): (CanonicalGuide, CanonicalGuide)
            switch Self.differences[filterCase.expected] {
            case .clumpIndexes:
                (ours, theirs) = try guides(filterCase)
                let rest = CanonicalGuide.difference(ours.withoutClumps, theirs.withoutClumps)
                #expect(rest == nil, "\(filterCase): more than clumpidx differs")
            case .outdated(let guide):
                (ours, theirs) = try guides(
                    FilterCase(command: ["sort", "--by-channel"], guides: [guide], expected: filterCase.expected))
            case nil: continue
            }
            let difference = CanonicalGuide.difference(ours, theirs)
            #expect(difference != nil, "\(filterCase): no difference, so remove the case from the list")
            print("differs as listed: \(filterCase): \(difference ?? "no difference")")
        }
    }
}

/// A canonical form of a guide, so that equivalent guides are equal: records in order, attributes sorted, without
/// DOCTYPE, generator name, and white space between elements.
///
/// Order, times, and texts are not normalized.
struct CanonicalGuide {
    let lines: [String]

    init(_ bytes: [UInt8]) throws {
        var reader = XMLTVReader(ChunkSource(bytes))
        var lines: [String] = []
        while let record = try reader.next() {
            var element = reader.element
            if record == .guide {
                element.attributes.removeAll { $0.name == "generator-info-name" }
            }
            CanonicalGuide.append(element, depth: record == .guide ? 0 : 1, to: &lines)
        }
        self.lines = lines
    }

    private init(lines: [String]) {
        self.lines = lines
    }

    /// The guide without clumps.
    var withoutClumps: CanonicalGuide {
        CanonicalGuide(
            lines: lines.map { line in
                line.hasPrefix(" <programme ") ? line.replacing(/\ clumpidx="[^"]*"/, with: "") : line
            })
    }

    private static func append(_ element: XMLTVElement, depth: Int, to lines: inout [String]) {
        let attributes = element.attributes.sorted { $0.name < $1.name }.map { " \($0.name)=\"\($0.value)\"" }
        let blanks = String(repeating: " ", count: depth)
        lines.append(blanks + "<" + element.name + attributes.joined() + ">")
        let hasElements = element.children.contains { if case .element = $0 { true } else { false } }
        for child in element.children {
            switch child {
            case .element(let inner): append(inner, depth: depth + 1, to: &lines)
            case .text(let text):
                // In mixed content, white space at the ends of a text separates it from an element.
                let shown = hasElements ? XMLTVElement("a", text: text).text : text
                if !shown.isEmpty { lines.append(blanks + " \"" + shown + "\"") }
            }
        }
    }

    /// Returns the first lines that differ, or `nil` if there are none.
    static func difference(_ ours: CanonicalGuide, _ theirs: CanonicalGuide) -> String? {
        guard ours.lines != theirs.lines else { return nil }
        var place = 0
        while place < ours.lines.count, place < theirs.lines.count, ours.lines[place] == theirs.lines[place] {
            place += 1
        }
        let our = ours.lines.dropFirst(place).first ?? "the end"
        let their = theirs.lines.dropFirst(place).first ?? "the end"
        return "line \(place + 1): \(our) instead of \(their)"
    }
}
