import CollectionLayout
import Testing

/// Runs the corpus, whose numbers were calculated by hand.
@Suite struct CompositionalCorpusTests {
    @Test(arguments: try CorpusCase.all(in: "compositional-groups.json"))
    func groups(_ sample: CorpusCase) throws { try check(sample) }

    @Test(arguments: try CorpusCase.all(in: "compositional-sections.json"))
    func sections(_ sample: CorpusCase) throws { try check(sample) }

    @Test(arguments: try CorpusCase.all(in: "compositional-boundary.json"))
    func boundaries(_ sample: CorpusCase) throws { try check(sample) }

    private func check(_ sample: CorpusCase) throws {
        var layout = sample.layout
        layout.prepare(in: sample.container)
        if !sample.measures.isEmpty {
            for (element, size) in sample.measures {
                let original = try #require(layout.attributes(of: element))
                var preferred = original
                preferred.layoutFrame = Rect(origin: original.layoutFrame.origin, size: size)
                #expect(layout.shouldInvalidate(forPreferred: preferred, original: original))
                layout.invalidate(with: layout.invalidationContext(forPreferred: preferred, original: original))
            }
            layout.prepare(in: sample.container)
        }
        for (section, offset) in sample.orthogonalOffsets { layout.setOrthogonalOffset(offset, section: section) }

        for (element, expected) in sample.frames {
            let found = try #require(layout.attributes(of: element), "\(element) has no place")
            #expect(found.layoutFrame.isClose(to: expected), "\(element): \(found.layoutFrame), not \(expected)")
            let around = expected.inset(by: EdgeInsets(all: -1))
            #expect(layout.attributes(in: around).contains(found), "\(element) is not found where it stands")
        }
        for element in sample.absent { #expect(layout.attributes(of: element) == nil) }
        if let size = sample.contentSize {
            #expect(Rect(origin: .zero, size: layout.contentSize).isClose(to: Rect(origin: .zero, size: size)))
        }
        for problem in sample.diagnostics {
            #expect(layout.diagnostics.contains { "\($0.problem)" == problem }, "\(layout.diagnostics)")
        }
        if sample.diagnostics.isEmpty { #expect(layout.diagnostics.isEmpty) }
    }

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

extension Rect {
    fileprivate func isClose(to other: Rect) -> Bool {
        zip([minX, minY, maxX, maxY], [other.minX, other.minY, other.maxX, other.maxY])
            .allSatisfy { abs($0 - $1) < 1e-6 }
    }
}
