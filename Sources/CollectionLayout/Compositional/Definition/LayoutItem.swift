/// The position of one item in a group, like UIKit's `NSCollectionLayoutItem`.
public struct LayoutItem: Hashable, Sendable {
    /// The size. Its fractions refer to the group that contains the item.
    public var layoutSize: LayoutSize
    /// Insets applied to the frame last, in points. As in UIKit, they are ignored along estimated dimensions.
    public var contentInsets: EdgeInsets
    /// The space around the item; none by default.
    public var edgeSpacing: LayoutEdgeSpacing?
    /// Supplementary elements anchored to the frame of the item inside its content insets; none by default.
    public var supplementaryItems: [AnchoredSupplementary]

    /// Creates an item of a size, by default without insets, spacing or supplementary elements.
    public init(
        layoutSize: LayoutSize, contentInsets: EdgeInsets = .zero, edgeSpacing: LayoutEdgeSpacing? = nil,
        supplementaryItems: [AnchoredSupplementary] = []
    ) {
        self.layoutSize = layoutSize
        self.contentInsets = contentInsets
        self.edgeSpacing = edgeSpacing
        self.supplementaryItems = supplementaryItems
    }
}

/// A member of a group: an item or a nested group.
public enum LayoutSubitem: Hashable {
    /// One item of the data.
    case item(LayoutItem)
    /// A nested group with its own arrangement.
    case group(LayoutGroup)

    /// The size of the item or group.
    package var layoutSize: LayoutSize {
        switch self {
        case .item(let item): item.layoutSize
        case .group(let group): group.layoutSize
        }
    }

    /// The edge spacing of the item or group.
    package var edgeSpacing: LayoutEdgeSpacing? {
        switch self {
        case .item(let item): item.edgeSpacing
        case .group(let group): group.edgeSpacing
        }
    }
}

/// A type that can be a member of a group: ``LayoutItem``, ``LayoutGroup`` or ``LayoutSubitem``.
public protocol LayoutGroupMember {
    /// The member as a subitem.
    var subitem: LayoutSubitem { get }
}

extension LayoutItem: LayoutGroupMember {
    public var subitem: LayoutSubitem { .item(self) }
}

extension LayoutGroup: LayoutGroupMember {
    public var subitem: LayoutSubitem { .group(self) }
}

extension LayoutSubitem: LayoutGroupMember {
    public var subitem: LayoutSubitem { self }
}

/// Items in a line, or at positions that a closure returns, like UIKit's `NSCollectionLayoutGroup`.
///
/// A group is solved once for its container and repeats through its section. A group that takes subitems until it is
/// full, and whose subitems have an estimated length, takes as many as fit by their measured lengths, as observed in
/// UIKit. This requires that the section repeats the group directly and that the group's own length is not an estimate.
public struct LayoutGroup: Hashable {
    /// The size. Its fractions refer to the enclosing group, or to the section inside its insets.
    public var layoutSize: LayoutSize
    /// Insets applied to the container of the subitems. As in UIKit, they are ignored along estimated dimensions.
    public var contentInsets: EdgeInsets
    /// The spacing between subitems along the group's axis; none by default. Custom groups have none.
    public var interItemSpacing: LayoutSpacing?
    /// The space around the group; none by default.
    public var edgeSpacing: LayoutEdgeSpacing?
    /// Supplementary elements anchored to the frame of the group.
    public var supplementaryItems: [AnchoredSupplementary]
    let arrangement: Arrangement

    enum Arrangement: Hashable {
        case line(Axis, [LayoutSubitem], Repetition)
        case custom(CustomFrames)
    }

    enum Repetition: Hashable, Sendable {
        /// Repeats the list of subitems until one doesn't fit.
        case untilFull
        /// Repeats the first subitem this number of times, with equal lengths.
        case equal(Int)
        /// Repeats the first subitem this number of times, with its own length.
        case own(Int)
    }

    init(_ layoutSize: LayoutSize, _ arrangement: Arrangement, interItemSpacing: LayoutSpacing? = nil) {
        self.layoutSize = layoutSize
        self.contentInsets = .zero
        self.interItemSpacing = interItemSpacing
        self.supplementaryItems = []
        self.arrangement = arrangement
    }

    /// The maximum number of items and groups in a group, including nested groups. Further ones are not placed.
    public static let maximumCount = 10_000
    /// The maximum nesting depth. Deeper groups remain empty.
    public static let maximumDepth = 32
}

// MARK: - Lines

extension LayoutGroup {
    /// Returns a group that places subitems from left to right and repeats the list until one doesn't fit. The first
    /// subitem is always placed.
    public static func horizontal(
        layoutSize: LayoutSize, subitems: [any LayoutGroupMember], interItemSpacing: LayoutSpacing? = nil
    ) -> LayoutGroup {
        LayoutGroup(
            layoutSize, .line(.horizontal, subitems.map(\.subitem), .untilFull), interItemSpacing: interItemSpacing)
    }

    /// Returns a group of `count` subitems of equal width (W − s · (count − 1)) / count, ignoring the subitem's own
    /// width.
    public static func horizontal(
        layoutSize: LayoutSize, subitem: any LayoutGroupMember, count: Int, interItemSpacing: LayoutSpacing? = nil
    ) -> LayoutGroup {
        LayoutGroup(
            layoutSize, .line(.horizontal, [subitem.subitem], .equal(count)), interItemSpacing: interItemSpacing)
    }

    /// Returns a group of `count` subitems that keep their own width.
    public static func horizontal(
        layoutSize: LayoutSize, repeatingSubitem subitem: any LayoutGroupMember, count: Int,
        interItemSpacing: LayoutSpacing? = nil
    ) -> LayoutGroup {
        LayoutGroup(layoutSize, .line(.horizontal, [subitem.subitem], .own(count)), interItemSpacing: interItemSpacing)
    }

    /// Returns a group that places subitems from top to bottom and repeats the list until one doesn't fit. The first
    /// subitem is always placed.
    public static func vertical(
        layoutSize: LayoutSize, subitems: [any LayoutGroupMember], interItemSpacing: LayoutSpacing? = nil
    ) -> LayoutGroup {
        LayoutGroup(
            layoutSize, .line(.vertical, subitems.map(\.subitem), .untilFull), interItemSpacing: interItemSpacing)
    }

    /// Returns a group of `count` subitems of equal height (H − s · (count − 1)) / count, ignoring the subitem's own
    /// height.
    public static func vertical(
        layoutSize: LayoutSize, subitem: any LayoutGroupMember, count: Int, interItemSpacing: LayoutSpacing? = nil
    ) -> LayoutGroup {
        LayoutGroup(layoutSize, .line(.vertical, [subitem.subitem], .equal(count)), interItemSpacing: interItemSpacing)
    }

    /// Returns a group of `count` subitems that keep their own height.
    public static func vertical(
        layoutSize: LayoutSize, repeatingSubitem subitem: any LayoutGroupMember, count: Int,
        interItemSpacing: LayoutSpacing? = nil
    ) -> LayoutGroup {
        LayoutGroup(layoutSize, .line(.vertical, [subitem.subitem], .own(count)), interItemSpacing: interItemSpacing)
    }
}

// MARK: - Custom groups

extension LayoutGroup {
    /// One item of a custom group, like UIKit's `NSCollectionLayoutGroupCustomItem`.
    public struct CustomItem: Hashable, Sendable {
        /// The frame, relative to the group's upper leading corner.
        public var frame: Rect
        /// The stacking order: higher values are drawn on top. 0 by default.
        public var zIndex: Int

        /// Creates an item with a frame relative to the group's upper leading corner.
        public init(frame: Rect, zIndex: Int = 0) {
            self.frame = frame
            self.zIndex = zIndex
        }
    }

    /// Returns a group whose items have the frames that a closure returns. The container of its environment has the
    /// size of the group.
    ///
    /// - Parameter itemProvider: Returns the frames. It must return the same result for the same environment, and is
    ///   called again when the group was measured.
    public static func custom(
        layoutSize: LayoutSize, itemProvider: @escaping (LayoutEnvironment) -> [CustomItem]
    ) -> LayoutGroup {
        LayoutGroup(layoutSize, .custom(CustomFrames(itemProvider)))
    }

    /// A closure that provides frames, compared by identity.
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
