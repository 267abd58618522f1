/// Items in a line, or wherever a provider puts them (documented: `NSCollectionLayoutGroup`).
///
/// A group is solved once for its container and repeats through its section. One that takes subitems until it is full,
/// and where these have an estimated length, takes as many as fit by what they were measured to be (observed), if the
/// section repeats it and its own length is no estimate (chosen).
public struct LayoutGroup: Hashable {
    /// Its dimensions refer to what holds it: a group, or its section without the section's insets.
    public var layoutSize: LayoutSize
    /// Taken off the container of its subitems; not along an estimated dimension (documented).
    public var contentInsets: EdgeInsets
    /// Between neighbours along the group's axis; none by default. Custom groups have none.
    public var interItemSpacing: LayoutSpacing?
    /// The room around it; `nil`, the default, for none.
    public var edgeSpacing: LayoutEdgeSpacing?
    /// Anchored to the group's frame.
    public var supplementaryItems: [AnchoredSupplementary]
    let arrangement: Arrangement

    enum Arrangement: Hashable {
        case line(Axis, [LayoutSubitem], Repetition)
        case custom(CustomFrames)
    }

    enum Repetition: Hashable, Sendable {
        /// One subitem after the other, from the first again, until one doesn't fit.
        case untilFull
        /// So many of the first, of equal length.
        case equal(Int)
        /// So many of the first, of their own length.
        case own(Int)
    }

    init(_ layoutSize: LayoutSize, _ arrangement: Arrangement, interItemSpacing: LayoutSpacing? = nil) {
        self.layoutSize = layoutSize
        self.contentInsets = .zero
        self.interItemSpacing = interItemSpacing
        self.supplementaryItems = []
        self.arrangement = arrangement
    }

    /// The greatest number of items and groups in a group, all levels together; no more are placed (chosen).
    public static let greatestCount = 10_000
    /// How deep groups may stand in groups; a deeper one is left empty (chosen).
    public static let greatestDepth = 32
}

// MARK: - Lines

extension LayoutGroup {
    /// Subitems from left to right, from the first again until one doesn't fit (documented). The first is placed
    /// whether it fits or not (chosen).
    public static func horizontal(
        layoutSize: LayoutSize, subitems: [LayoutSubitem], interItemSpacing: LayoutSpacing? = nil
    ) -> LayoutGroup {
        LayoutGroup(layoutSize, .line(.horizontal, subitems, .untilFull), interItemSpacing: interItemSpacing)
    }

    /// So many equal ones: width = (W − s · (count − 1)) / count, whatever the subitem's own width (documented).
    public static func horizontal(
        layoutSize: LayoutSize, subitem: LayoutSubitem, count: Int, interItemSpacing: LayoutSpacing? = nil
    ) -> LayoutGroup {
        LayoutGroup(layoutSize, .line(.horizontal, [subitem], .equal(count)), interItemSpacing: interItemSpacing)
    }

    /// So many, each of the subitem's own width (documented).
    public static func horizontal(
        layoutSize: LayoutSize, repeatingSubitem subitem: LayoutSubitem, count: Int,
        interItemSpacing: LayoutSpacing? = nil
    ) -> LayoutGroup {
        LayoutGroup(layoutSize, .line(.horizontal, [subitem], .own(count)), interItemSpacing: interItemSpacing)
    }

    /// Subitems from the top down, from the first again until one doesn't fit (documented). The first is placed whether
    /// it fits or not (chosen).
    public static func vertical(
        layoutSize: LayoutSize, subitems: [LayoutSubitem], interItemSpacing: LayoutSpacing? = nil
    ) -> LayoutGroup {
        LayoutGroup(layoutSize, .line(.vertical, subitems, .untilFull), interItemSpacing: interItemSpacing)
    }

    /// So many equal ones: height = (H − s · (count − 1)) / count, whatever the subitem's own height (documented).
    public static func vertical(
        layoutSize: LayoutSize, subitem: LayoutSubitem, count: Int, interItemSpacing: LayoutSpacing? = nil
    ) -> LayoutGroup {
        LayoutGroup(layoutSize, .line(.vertical, [subitem], .equal(count)), interItemSpacing: interItemSpacing)
    }

    /// So many, each of the subitem's own height (documented).
    public static func vertical(
        layoutSize: LayoutSize, repeatingSubitem subitem: LayoutSubitem, count: Int,
        interItemSpacing: LayoutSpacing? = nil
    ) -> LayoutGroup {
        LayoutGroup(layoutSize, .line(.vertical, [subitem], .own(count)), interItemSpacing: interItemSpacing)
    }
}

// MARK: - Lines of items and groups

/// The same with items and groups as they are, side by side in one list, as in UIKit: `subitems: [item, group]`.
extension LayoutGroup {
    /// Subitems from left to right, from the first again until one doesn't fit.
    public static func horizontal(
        layoutSize: LayoutSize, subitems: [any LayoutGroupMember], interItemSpacing: LayoutSpacing? = nil
    ) -> LayoutGroup {
        .horizontal(
            layoutSize: layoutSize, subitems: subitems.map { $0.subitem } as [LayoutSubitem],
            interItemSpacing: interItemSpacing)
    }

    /// So many equal ones, whatever the subitem's own length.
    public static func horizontal(
        layoutSize: LayoutSize, subitem: any LayoutGroupMember, count: Int, interItemSpacing: LayoutSpacing? = nil
    ) -> LayoutGroup {
        .horizontal(
            layoutSize: layoutSize, subitem: subitem.subitem as LayoutSubitem, count: count,
            interItemSpacing: interItemSpacing)
    }

    /// So many, each of the subitem's own length.
    public static func horizontal(
        layoutSize: LayoutSize, repeatingSubitem subitem: any LayoutGroupMember, count: Int,
        interItemSpacing: LayoutSpacing? = nil
    ) -> LayoutGroup {
        .horizontal(
            layoutSize: layoutSize, repeatingSubitem: subitem.subitem as LayoutSubitem, count: count,
            interItemSpacing: interItemSpacing)
    }

    /// Subitems from the top down, from the first again until one doesn't fit.
    public static func vertical(
        layoutSize: LayoutSize, subitems: [any LayoutGroupMember], interItemSpacing: LayoutSpacing? = nil
    ) -> LayoutGroup {
        .vertical(
            layoutSize: layoutSize, subitems: subitems.map { $0.subitem } as [LayoutSubitem],
            interItemSpacing: interItemSpacing)
    }

    /// So many equal ones, whatever the subitem's own length.
    public static func vertical(
        layoutSize: LayoutSize, subitem: any LayoutGroupMember, count: Int, interItemSpacing: LayoutSpacing? = nil
    ) -> LayoutGroup {
        .vertical(
            layoutSize: layoutSize, subitem: subitem.subitem as LayoutSubitem, count: count,
            interItemSpacing: interItemSpacing)
    }

    /// So many, each of the subitem's own length.
    public static func vertical(
        layoutSize: LayoutSize, repeatingSubitem subitem: any LayoutGroupMember, count: Int,
        interItemSpacing: LayoutSpacing? = nil
    ) -> LayoutGroup {
        .vertical(
            layoutSize: layoutSize, repeatingSubitem: subitem.subitem as LayoutSubitem, count: count,
            interItemSpacing: interItemSpacing)
    }
}

// MARK: - Custom

extension LayoutGroup {
    /// One item of a custom group (documented: `NSCollectionLayoutGroupCustomItem`).
    public struct CustomItem: Hashable, Sendable {
        /// From the group's upper leading corner.
        public var frame: Rect
        /// The higher one covers the lower one; 0 by default.
        public var zIndex: Int

        public init(frame: Rect, zIndex: Int = 0) {
            self.frame = frame
            self.zIndex = zIndex
        }
    }

    /// Items where a provider puts them; it is handed the group's size as the container (documented).
    ///
    /// - Parameter itemProvider: Has to give the same for the same environment. It is asked again for a group that was
    ///   measured.
    public static func custom(
        layoutSize: LayoutSize, itemProvider: @escaping (LayoutEnvironment) -> [CustomItem]
    ) -> LayoutGroup {
        LayoutGroup(layoutSize, .custom(CustomFrames(itemProvider)))
    }

    /// A provider of frames, equal to itself alone.
    final class CustomFrames: Hashable {
        let provide: (LayoutEnvironment) -> [CustomItem]

        init(_ provide: @escaping (LayoutEnvironment) -> [CustomItem]) {
            self.provide = provide
        }

        static func == (lhs: CustomFrames, rhs: CustomFrames) -> Bool { lhs === rhs }

        func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(self))
        }
    }
}
