/// A side or a corner of a rectangle, by the direction of reading (documented: `NSRectAlignment`).
public enum RectAlignment: String, Hashable, Sendable, CaseIterable {
    /// The middle.
    case none
    /// Sides and corners.
    case top, topLeading, leading, bottomLeading, bottom, bottomTrailing, trailing, topTrailing

    /// The edges that it touches.
    public var edges: RectEdges {
        switch self {
        case .none: []
        case .top: .top
        case .topLeading: [.top, .leading]
        case .leading: .leading
        case .bottomLeading: [.bottom, .leading]
        case .bottom: .bottom
        case .bottomTrailing: [.bottom, .trailing]
        case .trailing: .trailing
        case .topTrailing: [.top, .trailing]
        }
    }
}
