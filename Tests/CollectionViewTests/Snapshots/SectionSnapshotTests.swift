import CollectionLayout
import CollectionView
import TestSupport
import Testing

@Suite struct SectionSnapshotTests {
    typealias Outline = SectionSnapshot<String>
    typealias OutlineError = SnapshotError<Never, String>

    /// Food (Fruit (Apple, Pear), Bread), Drinks. Food is expanded; Fruit is collapsed.
    private func meal() throws -> Outline {
        var outline = Outline()
        try outline.append(["Food", "Drinks"])
        try outline.append(["Fruit", "Bread"], to: "Food")
        try outline.append(["Apple", "Pear"], to: "Fruit")
        try outline.expand(["Food"])
        return outline
    }

    @Test func itemsPrecedeTheirChildren() throws {
        let outline = try meal()
        expectEqual(outline.items, ["Food", "Fruit", "Apple", "Pear", "Bread", "Drinks"])
        expectEqual(outline.rootItems, ["Food", "Drinks"])
        expectEqual(outline.children(of: "Fruit"), ["Apple", "Pear"])
        expectEqual(outline.parent(of: "Pear"), "Fruit")
        expectEqual(outline.parent(of: "Food"), nil)
        expectEqual([outline.level(of: "Food"), outline.level(of: "Bread"), outline.level(of: "Pear")], [0, 1, 2])
        expectEqual(outline.level(of: "Beer"), nil)
    }

    @Test func childrenAreVisibleIfAllAncestorsAreExpanded() throws {
        var outline = try meal()
        expectEqual(outline.visibleItems, ["Food", "Fruit", "Bread", "Drinks"])
        try outline.expand(["Fruit", "Drinks"])
        expectEqual(outline.visibleItems, outline.items)
        try outline.collapse(["Food"])
        expectEqual(outline.visibleItems, ["Food", "Drinks"])
        #expect(outline.isExpanded("Fruit"))
        try outline.append(["Tea"], to: "Drinks")
        try outline.expand(["Food"])
        expectEqual(outline.visibleItems, ["Food", "Fruit", "Apple", "Pear", "Bread", "Drinks", "Tea"])
    }

    struct InvalidOperation: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let error: OutlineError
        let perform: @Sendable (inout Outline) throws -> Void
    }

    @Test(arguments: [
        InvalidOperation(testDescription: "append twice", error: .duplicateItem("Tea")) {
            try $0.append(["Tea", "Tea"])
        },
        InvalidOperation(testDescription: "append an existing item", error: .duplicateItem("Pear")) {
            try $0.append(["Tea", "Pear"], to: "Drinks")
        },
        InvalidOperation(testDescription: "append to unknown", error: .unknownItem("Beer")) {
            try $0.append(["Ale"], to: "Beer")
        },
        InvalidOperation(testDescription: "expand unknown", error: .unknownItem("Beer")) {
            try $0.expand(["Fruit", "Beer"])
        },
        InvalidOperation(testDescription: "collapse unknown", error: .unknownItem("Beer")) {
            try $0.collapse(["Food", "Beer"])
        },
    ])
    func rejectedOperationLeavesOutlineUnchanged(operation: InvalidOperation) throws {
        var outline = try meal()
        #expect(throws: operation.error) { try operation.perform(&outline) }
        try expectEqual(outline, meal())
    }

    @Test func depthIsNotLimited() throws {
        var outline = SectionSnapshot<Int>()
        try outline.append([0])
        for item in 1..<20_000 {
            try outline.append([item], to: item - 1)
        }
        try outline.expand(Array(0..<20_000))
        expectEqual(outline.visibleItems.count, 20_000)
        expectEqual(outline.level(of: 19_999), 19_999)
    }
}
