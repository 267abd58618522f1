/// How a section scrolls across the layout's own direction
/// (documented: `UICollectionLayoutSectionOrthogonalScrollingBehavior`).
public enum OrthogonalScrollingBehavior: String, Hashable, Sendable, CaseIterable {
    /// Not at all: its groups follow each other along the scroll direction.
    case none
    /// It comes to rest anywhere.
    case continuous
    /// At the leading edge of a group.
    case continuousGroupLeadingBoundary
    /// At multiples of the visible length.
    case paging
    /// At the nearest group.
    case groupPaging
    /// At the nearest group, which then stands in the middle.
    case groupPagingCentered
}

/// The lengths that decide where a section comes to rest, in points along its own scroll direction; finite and at least
/// 0, whatever they are made of.
public struct OrthogonalMetrics: Hashable, Sendable {
    /// Of what is visible.
    public let viewport: Double
    /// Of what is visible without the section's insets.
    public let container: Double
    /// Of one group.
    public let group: Double
    /// From the start of a group to the start of the next: the group and the spacing.
    public let pitch: Double
    /// Of all groups, without the section's insets.
    public let content: Double

    /// Lengths as they come: one that can't be used becomes the nearest that can, an infinite content 0.
    public init(viewport: Double, container: Double, group: Double, pitch: Double, content: Double) {
        self.viewport = viewport.asLength
        self.container = container.asLength
        self.group = group.asLength
        self.pitch = pitch.asLength
        self.content = content > 0 && content < .infinity ? content : 0
    }
}

extension OrthogonalScrollingBehavior {
    /// The offsets that a section may have; the lower bound is the one it begins with.
    ///
    /// 0 to content + insets − viewport. Where groups stand in the middle, from that of the first group to that of the
    /// last: additional insets make room for them (documented).
    public func offsets(for metrics: OrthogonalMetrics) -> ClosedRange<Double> {
        switch self {
        case .none: return 0...0
        case .continuous, .continuousGroupLeadingBoundary, .paging, .groupPaging:
            let insets = metrics.viewport - metrics.container
            return 0...max(0, metrics.content + insets - metrics.viewport)
        case .groupPagingCentered:
            let margin = (metrics.container - metrics.group) / 2
            return -margin...max(-margin, metrics.content - metrics.group - margin)
        }
    }

    /// Where scrolling comes to rest (observed; that it is clamped is chosen).
    ///
    /// | behaviour | offset |
    /// |---|---|
    /// | continuous | as proposed |
    /// | continuousGroupLeadingBoundary | (floor(proposed / pitch) + 1 while moving forwards, else + 0) · pitch |
    /// | paging | the nearest multiple of the viewport |
    /// | groupPaging | the nearest multiple of the pitch |
    /// | groupPagingCentered | the nearest multiple of the pitch − (container − group) / 2 |
    ///
    /// All are clamped to ``offsets(for:)``; halves go forwards.
    ///
    /// - Parameters:
    ///   - proposed: The offset at which scrolling would end by itself; no number counts as the first offset.
    ///   - velocity: Positive while the offset grows.
    public func targetOffset(proposed: Double, velocity: Double, metrics: OrthogonalMetrics) -> Double {
        let range = offsets(for: metrics)
        guard !proposed.isNaN else { return range.lowerBound }
        let target: Double
        switch self {
        case .none, .continuous:
            target = proposed
        case .continuousGroupLeadingBoundary:
            // A thousandth of a point: what rests on a boundary isn't thrown back by a rounding error.
            let boundary = ((proposed + 0.001) / metrics.pitch).floored + (velocity > 0 ? 1 : 0)
            target = metrics.pitch > 0 ? boundary * metrics.pitch : proposed
        case .paging:
            target = Self.nearest(proposed, multipleOf: metrics.viewport)
        case .groupPaging:
            target = Self.nearest(proposed, multipleOf: metrics.pitch)
        case .groupPagingCentered:
            let margin = (metrics.container - metrics.group) / 2
            target = Self.nearest(proposed + margin, multipleOf: metrics.pitch) - margin
        }
        return target.isNaN ? range.lowerBound : target.clamped(to: range)
    }

    private static func nearest(_ value: Double, multipleOf step: Double) -> Double {
        step > 0 ? (value / step + 0.5).floored * step : value
    }
}
