import CollectionLayout
import EPGModel

/// A day as a list in groups on rounded grounds, one for each part of the day.
struct DayLayout: Sendable {
    let width: ViewWidth

    /// The list, prepared for the width, with the heights of its rows.
    func prepared(_ parts: [DayPart], at now: Instant) -> CompositionalLayout {
        var configuration = ListConfiguration(appearance: .insetGrouped)
        configuration.headerMode = .supplementary
        configuration.estimatedHeaderHeight = DayLayout.headerHeight
        configuration.textLeading = DayLayout.textLeading
        var layout = CompositionalLayout.list(using: configuration)
        layout.prepare(
            in: width.container(
                parts.map(\.rows.count), margins: EdgeInsets(leading: margin, trailing: margin)))
        // Rows are measured here: the style sheet gives each text a number of lines.
        var sizes: [LayoutElement: Size] = [:]
        for (section, part) in parts.enumerated() {
            for (item, row) in part.rows.enumerated() {
                sizes[.item(IndexPath(section: section, item: item))] = Size(
                    width: width.points - 2 * margin, height: row.height(at: now, textWidth: textWidth))
            }
        }
        layout.invalidate(with: InvalidationContext(elements: Set(sizes.keys), preferredSizes: sizes))
        layout.prepare(
            in: width.container(
                parts.map(\.rows.count), margins: EdgeInsets(leading: margin, trailing: margin)))
        return layout
    }

    /// The margins of the page: lines of text stay readable, however wide the window is.
    private var margin: Double {
        switch width {
        case .phone: 12
        case .tablet: 32
        case .desktop: 180
        case .television: 480
        }
    }

    /// What a row's texts have in the narrowest window, behind the time and before the trailing edge.
    var textWidth: Double {
        (width.points - 2 * margin) * width.least / width.points - DayLayout.textLeading - 16
    }

    static let headerHeight = 48.0
    /// From the leading edge of a row to its title: room for the time.
    static let textLeading = 96.0
}
