import CollectionLayout

/// A width that pages are laid out for, in points; a point is a sixteenth of the root font's size.
///
/// The engine solves a page for each of them, and the page carries all solutions. The style sheet takes the one for the
/// window (from 40, 67.5 and 110 em on) and stretches it in width, so that nothing is laid out in the browser.
package enum ViewWidth: Int, CaseIterable, Hashable, Sendable {
    case phone = 360
    case tablet = 720
    case desktop = 1200
    case television = 1920

    var points: Double { Double(rawValue) }

    /// The narrowest window that the style sheet uses it for, in points; phones have at least 320.
    var least: Double {
        switch self {
        case .phone: 320
        case .tablet: 640
        case .desktop: 1080
        case .television: 1760
        }
    }

    /// What content keeps at both sides of the page, in points.
    var margin: Double {
        switch self {
        case .phone: 16
        case .tablet: 24
        case .desktop: 32
        case .television: 48
        }
    }

    /// Between neighbours, in points.
    var spacing: Double { self == .phone ? 10 : 14 }

    /// A room of this width for a layout, high enough that nothing depends on it.
    ///
    /// The grid is a hundred times finer than points, because browsers stretch what comes out.
    func container(_ counts: [Int], margins: EdgeInsets = .zero) -> LayoutContainer {
        LayoutContainer(
            bounds: Rect(x: 0, y: 0, width: points, height: 1000), counts: ItemCounts(counts), layoutMargins: margins,
            scale: 100)
    }
}
