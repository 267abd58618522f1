import CollectionLayout
import CollectionView
import EPGCalendar
import EPGLayout
import EPGModel

@testable import EPGRender

/// A picture of the documentation: what is drawn of which layout.
struct Picture: CustomStringConvertible, Sendable {
    let name: String
    let draw: @Sendable (SVGTheme) throws -> String

    init(_ name: String, _ draw: @escaping @Sendable (SVGTheme) throws -> String) {
        self.name = name
        self.draw = draw
    }

    var description: String { name }

    /// A layout as it stands in a view of 320 points.
    ///
    /// - Parameters:
    ///   - counts: The items of each section.
    ///   - scrolledTo: The place of the view in the content; its frame is drawn. All of the content is drawn where it
    ///     is `nil`.
    init(
        _ name: String, _ title: String, _ counts: ItemCounts, width: Double = 320, scrolledTo bounds: Rect? = nil,
        drawn rect: Rect? = nil, layout: @escaping @Sendable () -> any CollectionViewLayout
    ) {
        self.init(name) { theme in
            var layout = layout()
            layout.prepare(
                in: LayoutContainer(
                    bounds: bounds ?? Rect(x: 0, y: 0, width: width, height: 480), counts: counts))
            let drawn = rect ?? Rect(origin: .zero, size: layout.contentSize)
            return LayoutSVG(title: title, theme: theme, viewport: bounds)
                .text(of: layout.attributes(in: drawn), in: drawn)
        }
    }
}

// MARK: - All of them

extension Picture {
    static let all = flow + compositional + own + lists + [guide]

    static let flow = [
        Picture("flow-justified", "Two sections of a flow layout", [8, 2]) { FlowSamples.justified() },
        Picture("flow-leading", "Rows that begin at the leading edge", [8, 2]) { FlowSamples.leading() },
        Picture("flow-varied", "Items of several sizes", [9]) { FlowSamples.varied() },
        Picture(
            "flow-pinned", "A pinned header in a view that is scrolled", [8, 8],
            scrolledTo: Rect(x: 0, y: 90, width: 320, height: 200)
        ) { FlowSamples.pinned() },
    ]

    static let compositional = [
        Picture("compositional-nested", "A group in a group", [6]) {
            CompositionalLayout(section: CompositionalSamples.nested())
        },
        Picture("compositional-badge", "Items with badges", [7]) {
            CompositionalLayout(section: CompositionalSamples.badges())
        },
        Picture(
            "compositional-orthogonal", "A section that scrolls by itself", [5, 3],
            scrolledTo: Rect(x: 0, y: 0, width: 320, height: 210),
            drawn: Rect(x: -140, y: 0, width: 680, height: 210)
        ) {
            var layout = CompositionalSamples.shelves()
            layout.setOrthogonalOffset(130, section: 0)
            return layout
        },
        Picture(
            "compositional-boundary", "Pinned headers and backgrounds", [8, 5],
            scrolledTo: Rect(x: 0, y: 70, width: 320, height: 200)
        ) { CompositionalLayout(section: CompositionalSamples.chapter()) },
    ]

    static let own = [
        Picture("waterfall", "Columns that are filled evenly", [14], width: 316) {
            WaterfallLayout { path, width in [1.2, 0.6, 0.9, 0.5, 0.75][path.item % 5] * width }
        }
    ]
}

// MARK: - Golden files

extension SVGTheme {
    /// The ending that DocC knows pictures for dark surroundings by.
    static let byEnding = [("", SVGTheme.light), ("~dark", SVGTheme.dark)]
}
