package import EPGLayout
package import EPGModel

extension GuideGroup {
    /// Returns the groups of consecutive stations in a grid; stations without a group are “Other stations”.
    ///
    /// - Parameters:
    ///   - rows: The rows of the guide in the order of the grid.
    ///   - titles: The groups by rows of the guide.
    package static func groups(ofRows rows: [Int], titled titles: [Int: String]) -> [GuideGroup] {
        runs(of: rows.map { titles[$0] }, other: "Other stations")
    }
}

/// What is on now in the rows of a grid, which the thumbnails show.
package struct CurrentPictures: Sendable {
    /// The airing that is on, and the URL of its picture; `nil` if the programme has none.
    package struct Entry: Sendable {
        package let airing: Airing
        package let url: String?
    }

    private let entries: [Int: Entry]

    /// Creates the pictures of airings.
    ///
    /// - Parameters:
    ///   - airings: The airings that are on, by row of the grid; none by default.
    ///   - languages: The languages of titles in order of preference.
    ///   - artwork: The URLs of pictures.
    package init(
        of airings: [Int: AiringDetail] = [:], languages: [String] = [], artwork: ArtworkLinks = .direct
    ) {
        entries = airings.mapValues { detail in
            Entry(
                airing: detail.airing.localized(by: detail.programme, in: languages),
                url: artwork.poster(of: detail.programme, in: detail.airing.id))
        }
    }

    /// Returns what is on in a row of the grid; `nil` for a gap.
    package subscript(row: Int?) -> Entry? { row.flatMap { entries[$0] } }
}

/// How a grid shows the pictures of what is on now: in a column after the stations.
package enum ThumbnailStyle: String, Hashable, Sendable, CaseIterable {
    case none
    /// The column scrolls away with the airings.
    case scrolling
    /// The column stays beside the stations.
    case sticky

    /// Returns the column for pictures of 16:9.
    ///
    /// - Parameter rowHeight: The height of a row, or the width of a station's column on a vertical time axis.
    package func column(rowHeight: Double, isVertical: Bool) -> GuideMetrics.ThumbnailColumn {
        let width = (isVertical ? rowHeight * 9 / 16 : rowHeight * 16 / 9).rounded()
        return switch self {
        case .none: .none
        case .scrolling: .scrolling(width: width)
        case .sticky: .sticky(width: width)
        }
    }
}
