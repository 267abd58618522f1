import EPGModel
import TestSupport
import Testing

/// Tests of suggesting the names that a user may have meant.
@Suite struct NearestNamesTests {
    @Test(arguments: [
        ("bbcnoe.test", ["bbcone.test"]), ("ITB", ["itv.test"]), ("beeb", ["bbcone.test"]),
        ("completely different", []), ("", []),
    ])
    func suggestionsAreTheMostSimilarNames(text: String, expected: [String]) {
        let stations = [("bbcone.test", "Beeb One"), ("itv.test", "ITV")]
        let nearest = NearestNames(to: text).nearest(5, among: stations) { [$0.0, $0.1] }
        expectEqual(nearest.map(\.0), expected)
    }

    /// The distances are counted by hand: a letter too many, another letter, two swapped letters, and as many as the length allows.
    @Test(
        arguments: [
            ("housewifes", "housewives", 1), ("huosewives", "housewives", 1), ("nwes", "news", 1), ("newz", "news", 1),
            ("newz", "knew", nil), ("violni", "violins", 2), ("violins", "violins", nil), ("abcdefghi", "abcdefxyz", 3),
            ("abcdefgh", "abcdexyz", nil), ("bc", "bd", nil), ("", "a", nil), ("Ömer", "ömr", 1), ("新闻", "新文", nil),
        ] as [(String, String, Int?)])
    func mistakesOfAWordAreCountedUpToItsLimit(typed: String, word: String, mistakes: Int?) {
        expectEqual(NearestNames(toWord: typed).mistakes(in: word), mistakes)
    }

    @Test func atMostTheWantedNumberIsReturnedInOrder() {
        expectEqual(
            NearestNames(to: "channel").nearest(2, among: ["channel 1", "channel 2", "channel"]) { [$0] },
            [
                "channel", "channel 1",
            ])
    }
}
