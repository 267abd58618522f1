import CollectionLayout
import LayoutTestSupport
import Testing

extension CorpusCase {
    /// Lays the case out and compares it with what the corpus expects.
    ///
    /// Without measures it is compared after one preparation and after a second one, which finds nothing to do.
    func check() throws {
        var layout = try makeLayout()
        layout.prepare(in: container)
        if measures.isEmpty { try compare(&layout) } else { try measure(&layout) }
        layout.prepare(in: container)
        try compare(&layout)
    }

    /// Asks for the sizes that elements want, as a view does.
    private func measure(_ layout: inout CompositionalLayout) throws {
        for (element, size) in measures {
            let original = try #require(layout.attributes(of: element))
            var preferred = original
            preferred.layoutFrame = Rect(origin: original.layoutFrame.origin, size: size)
            #expect(layout.shouldInvalidate(forPreferred: preferred, original: original))
            layout.invalidate(with: layout.invalidationContext(forPreferred: preferred, original: original))
        }
    }

    private func compare(_ layout: inout CompositionalLayout) throws {
        for (section, offset) in orthogonalOffsets { layout.setOrthogonalOffset(offset, section: section) }
        for (element, expected) in frames {
            let found = try #require(layout.attributes(of: element), "\(element) has no place")
            #expect(found.layoutFrame.isClose(to: expected), "\(element): \(found.layoutFrame), not \(expected)")
            let around = expected.inset(by: EdgeInsets(all: -1))
            #expect(layout.attributes(in: around).contains(found), "\(element) is not found where it stands")
        }
        let everywhere = Set(
            layout.attributes(in: Rect(minX: -1e6, minY: -1e6, maxX: 1e6, maxY: 1e6)).map(\.element))
        for element in absent {
            #expect(layout.attributes(of: element) == nil, "\(element) has a place")
            #expect(!everywhere.contains(element), "\(element) is found")
        }
        if let contentSize {
            let found = Rect(origin: .zero, size: layout.contentSize)
            #expect(found.isClose(to: Rect(origin: .zero, size: contentSize)), "\(layout.contentSize)")
        }
        for problem in diagnostics {
            #expect(layout.diagnostics.contains { "\($0.problem)" == problem }, "\(layout.diagnostics)")
        }
        if diagnostics.isEmpty { #expect(layout.diagnostics.isEmpty) }
    }
}
