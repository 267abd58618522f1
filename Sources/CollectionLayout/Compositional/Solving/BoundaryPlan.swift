/// The supplementary elements at the boundary of a section or of the whole layout, with their sizes (facts, layout
/// 4.7).
struct BoundaryPlan {
    /// One of them with its place.
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

    /// Where one stands to the content.
    private enum Side {
        case start(Axis)
        case end(Axis)
        case over
    }

    private var sized: [Sized] = []
    private let axis: Axis
    /// By how much the content is pushed on from the start along the axis, and by how much it is extended.
    private(set) var start = 0.0
    private(set) var end = 0.0
    /// The same across the axis.
    private(set) var crossStart = 0.0
    private(set) var crossEnd = 0.0

    /// - Parameters:
    ///   - axis: The axis along which the layout scrolls.
    ///   - container: What fractional dimensions refer to.
    ///   - section: The section, -1 for the whole layout.
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
        for edge in [axis, axis.crossing] {
            let part = item.alignment.edges.part(edge)
            if part == 0 { return .start(edge) }
            if part == 1 { return .end(edge) }
        }
        return .over
    }

    /// Their frames around, beside and over the content.
    ///
    /// - Parameters:
    ///   - content: What they are the boundary of, with its insets.
    ///   - span: The stretch across the axis that those before and behind the content are aligned in.
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
