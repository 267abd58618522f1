import EPGModel
import Foundation
import TestSupport
import Testing

/// Measures rule 22 of Rules.md on labeled pairs of listings, which are not part of the package.
///
/// `EPG_PAIR_LABELS` is the path of a file with a JSON object per line: `{"id", "label": "same" or "different", "a", "b"}`, each
/// listing with `start`, `stop`, `title`, `subtitle`, `description`, `episode` (pairs of system and text), `date`, `directors`.
struct BroadcastPairTests {
    private static let path = ProcessInfo.processInfo.environment["EPG_PAIR_LABELS"]

    private struct Pair: Decodable {
        struct Side: Decodable {
            let start: Int64
            let stop: Int64?
            let title: String?
            let subtitle: String?
            let description: String?
            let episode: [[String]]?
            let date: String?
            let directors: [String]?

            var listing: ListedBroadcast {
                ListedBroadcast(
                    window: TimeWindow(
                        start: Instant(secondsSince1970: start),
                        end: Instant(secondsSince1970: max(start, stop ?? start))),
                    title: title ?? "", subtitle: subtitle, description: description,
                    episodes: (episode ?? []).filter { $0.count == 2 }.map {
                        EpisodeNumber(value: $0[1], system: $0[0])
                    },
                    date: date, directors: directors ?? [])
            }
        }

        let id: Int
        let label: String
        let a: Side
        let b: Side
    }

    @Test(.enabled(if: path != nil, "EPG_PAIR_LABELS is not set"))
    func pairsAreRecognizedPrecisely() throws {
        let lines = try String(contentsOfFile: #require(Self.path), encoding: .utf8).split(separator: "\n")
        let pairs = try lines.map { try JSONDecoder().decode(Pair.self, from: Data($0.utf8)) }
        var (hits, errors, misses): (Int, [Int], [Int]) = (0, [], [])
        for pair in pairs {
            let (one, two) = (pair.a.listing, pair.b.listing)
            let isSame = one.isSame(as: two)
            expectEqual(two.isSame(as: one), isSame, "pair \(pair.id)")
            switch (isSame, pair.label == "same") {
            case (true, true): hits += 1
            case (true, false): errors.append(pair.id)
            case (false, true): misses.append(pair.id)
            case (false, false): break
            }
        }
        let precision = Double(hits) / Double(max(1, hits + errors.count))
        let recall = Double(hits) / Double(max(1, hits + misses.count))
        print("\(pairs.count) pairs, \(hits) recognized, precision \(precision), recall \(recall)")
        print("errors: \(errors)\nmisses: \(misses)")
        #expect(precision >= 0.995)
    }
}
