/// The supplementary elements at the boundary of a section or of the whole layout, with their sizes (LayoutRules.md, layout
/// 4.7).
struct BoundaryPlan {
    /// A boundary element with its frame.
    struct Placed {
        let element: LayoutElement
        let item: BoundarySupplementary
        let frame: Rect
    }

    private struct Sized {
        let element: LayoutElement
        let item: BoundarySupplementary
        let size: Size
        let offset: Point
        let side: Side
    }

    /// The position of an element relative to the content.
    private enum Side {
        case start(Axis)
        case end(Axis)
        case over
    }

    private var sized: [Sized] = []
    private let axis: Axis
    /// The lengths by which boundary elements move the start of the content and extend its end along the axis.
    private(set) var start = 0.0
    private(set) var end = 0.0
    /// The same lengths across the axis.
    private(set) var crossStart = 0.0
    private(set) var crossEnd = 0.0

    /// - Parameters:
    ///   - axis: The axis along which the layout scrolls.
    ///   - container: The container of fractional dimensions.
    ///   - section: The section, or -1 for the whole layout.
    init(
        _ items: [BoundarySupplementary], axis: Axis, container: Size, section: Int, measures: ElementMeasures,
        diagnostics: inout LayoutDiagnostics
    ) {
        self.axis = axis
        var counts: [ElementKind: Int] = [:]
        for item in items {
            let path = IndexPath(section: section, item: counts[item.elementKind, default: 0])
            counts[item.elementKind, default: 0] += 1
            let element = LayoutElement.supplementary(item.elementKind, path)
            var size = item.layoutSize.resolved(
                in: container, name: "boundary \(item.elementKind.rawValue)", section: section,
                diagnostics: &diagnostics)
            if let measured = measures[element] {
                let estimated = item.layoutSize.estimatedAxes
                for axis in Axis.allCases where estimated.contains(axis) { size[axis] = measured[axis] }
            }
            let offset = Point(x: item.absoluteOffset.x.asDistance, y: item.absoluteOffset.y.asDistance)
            if offset != item.absoluteOffset {
                diagnostics.add(
                    LayoutDiagnostic(
                        .unusableLength, element: element, section: section,
                        detail: "absoluteOffset is \(item.absoluteOffset.x), \(item.absoluteOffset.y)"))
            }
            let side = Self.side(item, axis)
            sized.append(Sized(element: element, item: item, size: size, offset: offset, side: side))
            switch side {
            case .start(let edge):
                let extent = size[edge] - offset[edge]
                if edge == axis { start = max(start, extent) } else { crossStart = max(crossStart, extent) }
            case .end(let edge):
                let extent = size[edge] + offset[edge]
                if edge == axis { end = max(end, extent) } else { crossEnd = max(crossEnd, extent) }
            case .over:
                break
            }
        }
    }

    private static func side(_ item: BoundarySupplementary, _ axis: Axis) -> Side {
        guard item.extendsBoundary else { return .over }
        for edge in [axis, axis.perpendicular] {
            let part = item.alignment.edges.part(edge)
            if part == 0 { return .start(edge) }
            if part == 1 { return .end(edge) }
        }
        return .over
    }

    /// Returns the frames of the elements around, beside and over the content.
    ///
    /// - Parameters:
    ///   - content: The frame of the content with its insets.
    ///   - span: The range across the axis in which elements before and after the content are aligned.
    func frames(around content: Rect, span: (Double, Double)) -> [Placed] {
        sized.map { sized in
            let host =
                switch sized.side {
                case .start(axis), .end(axis), .over:
                    Rect(along: axis, (content.start(axis), content.end(axis)), across: span)
                case .start, .end: content
                }
            var origin = Point.zero
            for axis in Axis.allCases {
                let length = sized.size[axis]
                switch sized.side {
                case .start(axis): origin[axis] = content.start(axis) - length
                case .end(axis): origin[axis] = content.end(axis)
                case .start, .end, .over:
                    origin[axis] =
                        host.start(axis) + (host.length(axis) - length) * sized.item.alignment.edges.part(axis)
                }
                origin[axis] += sized.offset[axis]
            }
            return Placed(
                element: sized.element, item: sized.item, frame: Rect(origin: origin, size: sized.size))
        }
    }
}

extension BoundarySupplementary {
    /// Returns the frame of a pinned element. The rule along the scroll axis is UIKit's; pinning on both axes is
    /// our extension.
    ///
    /// Each axis is computed independently, so a corner is pinned twice. On each axis:
    ///
    /// 1. An element at the start edge moves to max(natural start, visible start), one at the end edge to min(natural
    ///    start, visible end − length). An element at neither edge is moved into the visible range, or to cover it if
    ///    the element is longer.
    /// 2. The result is clamped to the host. An element that naturally extends beyond the host moves no farther out.
    ///
    /// - Parameters:
    ///   - natural: The frame without pinning.
    ///   - visible: The visible rectangle inside the content insets.
    ///   - host: The frame of the section, or of the whole content.
    package func pinned(_ natural: Rect, visible: Rect, host: Rect) -> Rect {
        let x = place(natural, visible, host, .horizontal)
        let y = place(natural, visible, host, .vertical)
        guard x != natural.minX || y != natural.minY else { return natural }
        return Rect(origin: Point(x: x, y: y), size: natural.size)
    }

    private func place(_ natural: Rect, _ visible: Rect, _ host: Rect, _ axis: Axis) -> Double {
        let own = natural.start(axis)
        let length = natural.length(axis)
        let first = visible.start(axis)
        let last = visible.end(axis) - length
        let requested =
            switch alignment.edges.part(axis) {
            case 0: max(own, first)
            case 1: min(own, last)
            default: own.clamped(to: min(first, last)...max(first, last))
            }
        let lowest = min(host.start(axis), own)
        let highest = max(host.end(axis) - length, own)
        return requested.clamped(to: lowest...highest)
    }
}
