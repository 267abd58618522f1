import CollectionLayout
import LayoutTestSupport
import Testing

/// Runs the corpus, whose numbers were calculated by hand.
@Suite struct CompositionalCorpusTests {
    @Test(arguments: try CorpusCase.all(in: "compositional-groups.json"))
    func groups(_ sample: CorpusCase) throws { try sample.check() }

    @Test(arguments: try CorpusCase.all(in: "compositional-sections.json"))
    func sections(_ sample: CorpusCase) throws { try sample.check() }

    @Test(arguments: try CorpusCase.all(in: "compositional-boundary.json"))
    func boundaries(_ sample: CorpusCase) throws { try sample.check() }

    @Test(arguments: try CorpusJSON.corpus("compositional-snapping.json").member("snapping").array)
    func snapping(_ sample: CorpusJSON) throws {
        let behavior = try #require(OrthogonalScrollingBehavior(rawValue: try sample.member("behavior").string))
        let metrics = OrthogonalMetrics(
            viewport: try sample.member("viewport").number, container: try sample.member("container").number,
            group: try sample.member("group").number, pitch: try sample.member("pitch").number,
            content: try sample.member("content").number)
        let target = behavior.targetOffset(
            proposed: try sample.member("proposed").number, velocity: try sample.member("velocity").number,
            metrics: metrics)
        let expected = try sample.member("offset").number
        let name = try sample.member("name").string
        #expect(abs(target - expected) < 1e-6, "\(name): \(target), not \(expected)")
    }
}
