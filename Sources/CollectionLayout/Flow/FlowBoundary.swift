/// Header or footer of a section.
enum FlowBoundary: Int, CaseIterable {
    case header, footer

    /// `nil` for an element that is neither; the item of their index paths is 0.
    init?(_ element: LayoutElement) {
        guard case .supplementary(let kind, let path) = element, path.item == 0 else { return nil }
        switch kind {
        case .header: self = .header
        case .footer: self = .footer
        default: return nil
        }
    }

    func element(inSection section: Int) -> LayoutElement {
        .supplementary(self == .header ? .header : .footer, IndexPath(section: section, item: 0))
    }
}

extension FlowSection {
    /// The length along the scroll axis; 0 for none.
    func length(of boundary: FlowBoundary) -> Double { boundary == .header ? header : footer }

    /// Keeps the size that the view of its header or footer asks for, of which only the length along the scroll axis counts.
    mutating func measure(_ boundary: FlowBoundary, _ size: Size) {
        measuredBoundaries.set(size, of: boundary.rawValue)
        takeMeasuredBoundaries()
    }

    /// Gives header and footer the lengths that their views asked for; those that the section doesn't have stay away.
    mutating func takeMeasuredBoundaries() {
        if header > 0, let size = measuredBoundaries[FlowBoundary.header.rawValue] { header = size[axis] }
        if footer > 0, let size = measuredBoundaries[FlowBoundary.footer.rawValue] { footer = size[axis] }
    }
}
