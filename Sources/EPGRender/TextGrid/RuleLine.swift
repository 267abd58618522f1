/// How a vertical line meets a horizontal one.
package enum Stroke: Hashable, Sendable {
    case none, light, heavy
}

/// The horizontal line between two rows, which joins the cell borders above and below.
package enum RuleLine {
    /// The box-drawing character for a horizontal line with what comes from above and from below.
    package static func sign(above: Stroke, below: Stroke) -> String {
        switch (above, below) {
        case (.none, .none): "─"
        case (.none, .light): "┬"
        case (.light, .none): "┴"
        case (.light, .light): "┼"
        case (.none, .heavy): "┰"
        case (.heavy, .none): "┸"
        case (.light, .heavy): "╁"
        case (.heavy, .light): "╀"
        case (.heavy, .heavy): "╂"
        }
    }
}
