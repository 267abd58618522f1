package import EPGLayout
package import EPGModel

/// What is on now in the rows of a grid, which the thumbnails show.
package struct CurrentPictures: Sendable {
    /// The airing that is on, and the URL of its picture; `nil` if the programme has none.
    package struct Entry: Sendable {
        package let airing: Airing
        package let url: String?
    }

    private var entries: [Int: Entry] = [:]

    /// Creates pictures of no row.
    package init() {}

    /// Reads what is on now, one read for each run of consecutive rows.
    ///
    /// - Parameters:
    ///   - rows: The rows of the guide in the order of the grid.
    ///   - first: The row of the grid that shows the first of them.
    ///   - languages: The languages of titles in order of preference.
    /// - Throws: An error of the store.
    package init(
        of guide: any GuideReading, inRows rows: [Int], first: Int, at now: Instant, languages: [String] = [],
        artwork: ArtworkLinks = .direct
    ) throws {
        var index = 0
        while index < rows.count {
            let start = index
            repeat { index += 1 } while index < rows.count && rows[index] == rows[index - 1] + 1
            for station in try guide.nowAndNext(at: now, inRows: rows[start]..<rows[start] + index - start) {
                guard let id = station.now.first?.id, let detail = try guide.airing(id) else { continue }
                entries[first + start + station.row - rows[start]] = Entry(
                    airing: detail.airing.localized(by: detail.programme, in: languages),
                    url: artwork.poster(of: detail.programme, in: id))
            }
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
