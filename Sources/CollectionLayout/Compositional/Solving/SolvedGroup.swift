/// A group whose items have their frames, from its upper leading corner.
struct SolvedGroup {
    /// The place of one item.
    struct Leaf {
        var frame: Rect
        var zIndex = 0
        /// The axes along which its length is an estimate or a measure.
        var estimatedAxes = AxisSet()
    }

    /// A supplementary element at an item or a group.
    struct Anchored {
        /// The item that gives it its index path.
        var leaf: Int
        var supplementary: AnchoredSupplementary
        var frame: Rect
    }

    var size: Size
    var leaves: [Leaf]
    /// By their leaves.
    var anchored: [Anchored]
    /// Holds all frames and the group itself.
    var reach: Rect
    /// Whether what the group holds decides its size: a group with fewer items is then solved by itself.
    var isElastic: Bool

    init(
        size: Size, leaves: [Leaf] = [], anchored: [Anchored] = [], isElastic: Bool = false
    ) {
        self.size = size
        self.leaves = leaves
        self.anchored = anchored
        self.isElastic = isElastic
        var reach = Rect(origin: .zero, size: size)
        for leaf in leaves { reach = reach.union(leaf.frame) }
        for element in anchored { reach = reach.union(element.frame) }
        self.reach = reach
    }

    /// The supplementary elements of one item.
    func anchored(at leaf: Int) -> ArraySlice<Anchored> {
        let first = anchored.partitioningIndex { $0.leaf >= leaf }
        return anchored[first...].prefix { $0.leaf == leaf }
    }
}
