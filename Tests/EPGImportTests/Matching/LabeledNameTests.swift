import EPGImport
import EPGModel
import Foundation
import TestSupport
import Testing

/// Names labeled by hand, with a fictional guide of confusable stations.
struct LabeledNames {
    /// The precision and recall of matches.
    struct Figures: CustomStringConvertible {
        var correct = 0
        var wrong: [String] = []
        var missed: [String] = []

        /// The part of the matches that are correct.
        var precision: Double { Double(correct) / Double(max(1, correct + wrong.count)) }
        /// The part of the channels with a station that are matched with it.
        var recall: Double { Double(correct) / Double(max(1, correct + missed.count)) }

        mutating func count(_ match: ChannelMatch?, expected: String?, name: String) {
            let station = match?.station.rawValue
            let note = "\(name): \(station ?? "-") by \(match?.rule.rawValue ?? "none") instead of \(expected ?? "-")"
            if station != nil, station == expected { correct += 1 }
            if station != nil, station != expected { wrong.append(note) }
            if expected != nil, station != expected { missed.append(note) }
        }

        var description: String {
            let percentages = [precision, recall].map { String(format: "%.4f", $0) }
            return "precision \(percentages[0]), recall \(percentages[1]): \(correct) correct, \(wrong.count) wrong, "
                + "\(missed.count) missed" + (wrong + missed).map { "\n  \($0)" }.joined()
        }
    }

    let stations: [Station]
    let channels: [Channel]
    let expected: [String?]

    init(_ file: String) throws {
        stations = try Self.rows("stations.tsv").map {
            Station(id: StationID($0[0]), displayNames: [LocalizedText($0[1])])
        }
        let rows = try Self.rows(file).map { $0 + Array(repeating: "", count: 4 - $0.count) }
        channels = rows.map { row in
            Channel(
                name: row[1], guideID: row[2].isEmpty ? nil : row[2], groups: row[3].isEmpty ? [] : [row[3]],
                url: "http://example.test/")
        }
        expected = rows.map { $0[0] == "-" ? nil : $0[0] }
    }

    func figures() -> Figures {
        var figures = Figures()
        let matches = StationMatcher().matches(of: channels, among: stations, mappings: [:])
        for index in channels.indices {
            figures.count(matches[index], expected: expected[index], name: channels[index].name)
        }
        return figures
    }

    private static func rows(_ file: String) throws -> [[String]] {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: file)
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("# ") }
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    }
}

/// The precision and recall of matching over labeled names.
@Suite(.needs(.utf8proc))
struct LabeledNameTests {
    @Test(arguments: ["names.tsv", "names-held-out.tsv"])
    func matchesOfLabeledNamesAreCorrect(_ file: String) throws {
        let names = try LabeledNames(file)
        let figures = names.figures()
        print("\(file): \(names.channels.count) names, \(names.stations.count) stations, \(figures)")
        #expect(figures.precision >= 0.995, "\(figures)")
        #expect(figures.recall >= 0.9, "\(figures)")
    }

    @Test func labeledNamesIncludeHardNegatives() throws {
        let names = try LabeledNames("names.tsv")
        #expect(names.channels.count >= 400)
        #expect(names.stations.count >= 250)
        #expect(names.expected.count { $0 == nil } >= 100)
    }
}
