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
        #expect(!outline.isVisible("Apple"))
        try outline.expand(["Fruit", "Drinks"])
        expectEqual(outline.visibleItems, outline.items)
        try outline.collapse(["Food"])
        expectEqual(outline.visibleItems, ["Food", "Drinks"])
        #expect(outline.isExpanded("Fruit"))
        #expect(!outline.isVisible("Apple"))
        #expect(outline.isVisible("Drinks"))
        try outline.append(["Tea"], to: "Drinks")
        #expect(outline.isVisible("Tea"))
        try outline.expand(["Food"])
        expectEqual(outline.visibleItems, ["Food", "Fruit", "Apple", "Pear", "Bread", "Drinks", "Tea"])
    }

    @Test func insertedItemsAreSiblings() throws {
        var outline = try meal()
        try outline.insert(["Cheese"], after: "Fruit")
        try outline.insert(["Plum", "Fig"], before: "Pear")
        try outline.insert(["Games"], after: "Food")
        expectEqual(
            outline.items, ["Food", "Fruit", "Apple", "Plum", "Fig", "Pear", "Cheese", "Bread", "Games", "Drinks"])
        expectEqual(outline.parent(of: "Cheese"), "Food")
    }

    @Test func deletingItemsDeletesTheirChildren() throws {
        var outline = try meal()
        try outline.delete(["Fruit", "Apple", "Fruit"])
        expectEqual(outline.items, ["Food", "Bread", "Drinks"])
        #expect(!outline.contains("Pear"))
        try outline.delete(["Food"])
        expectEqual(outline.items, ["Drinks"])
    }

    @Test func partsCanBeExtractedAndInsertedAgain() throws {
        var outline = try meal()
        let fruit = try outline.snapshot(of: "Fruit", includingParent: true)
        expectEqual(fruit.items, ["Fruit", "Apple", "Pear"])
        expectEqual(fruit.parent(of: "Fruit"), nil)
        try expectEqual(outline.snapshot(of: "Food").rootItems, ["Fruit", "Bread"])
        try expectEqual(outline.snapshot(of: "Food").level(of: "Pear"), 1)
        let below = try outline.snapshot(of: "Fruit")
        try outline.delete(["Fruit"])
        try outline.insert(["Fruit"], before: "Bread")
        try outline.replace(childrenOf: "Fruit", using: below)
        try expectEqual(outline, meal())
    }

    @Test func replacedChildrenCanBeInNewOutline() throws {
        var outline = try meal()
        var other = Outline()
        try other.append(["Pear", "Nut"])
        try other.append(["Apple"], to: "Nut")
        try outline.replace(childrenOf: "Fruit", using: other)
        expectEqual(outline.items, ["Food", "Fruit", "Pear", "Nut", "Apple", "Bread", "Drinks"])
        expectEqual(outline.parent(of: "Pear"), "Fruit")
        expectEqual(outline.parent(of: "Apple"), "Nut")
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
        InvalidOperation(testDescription: "insert before unknown", error: .unknownItem("Beer")) {
            try $0.insert(["Ale"], before: "Beer")
        },
        InvalidOperation(testDescription: "insert after unknown", error: .unknownItem("Beer")) {
            try $0.insert(["Ale"], after: "Beer")
        },
        InvalidOperation(testDescription: "delete unknown", error: .unknownItem("Beer")) {
            try $0.delete(["Pear", "Beer"])
        },
        InvalidOperation(testDescription: "expand unknown", error: .unknownItem("Beer")) {
            try $0.expand(["Fruit", "Beer"])
        },
        InvalidOperation(testDescription: "collapse unknown", error: .unknownItem("Beer")) {
            try $0.collapse(["Food", "Beer"])
        },
        InvalidOperation(testDescription: "part of unknown", error: .unknownItem("Beer")) {
            _ = try $0.snapshot(of: "Beer")
        },
        InvalidOperation(testDescription: "put a part into itself", error: .duplicateItem("Food")) {
            try $0.replace(childrenOf: "Fruit", using: $0)
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
        try outline.delete([1])
        expectEqual(outline.items, [0])
    }
}
