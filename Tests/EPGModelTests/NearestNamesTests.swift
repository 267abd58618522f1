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

    @Test func atMostTheWantedNumberIsReturnedInOrder() {
        expectEqual(
            NearestNames(to: "channel").nearest(2, among: ["channel 1", "channel 2", "channel"]) { [$0] },
            [
                "channel", "channel 1",
            ])
    }
}
