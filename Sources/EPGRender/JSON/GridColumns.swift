import CollectionLayout
package import EPGLayout
package import EPGModel

/// The cells of a grid as JSON, an array for each property: a third of the size of ``GridJSON``, for screens of many cells
/// and for tiles that are put together.
///
/// ```json
/// {"generation":42,"from":1700000000,"to":1700021600,"rows":[0,1],
///  "cells":{"row":[0],"id":[7],"start":[…],"stop":[…],"x":[0],"w":[240],"title":["News"],"sub":[""],"genre":[1],
///           "flags":[1]},
///  "genres":["","news",…]}
/// ```
///
/// `row` is a place in `rows`; `id` is 0 for a gap and −n for a cluster of n airings; `start` and `stop` are the range in
/// full, in seconds since 1970; `x` counts along the axis of time.
package struct GridColumns: JSONValue {
    /// The bits of `flags`.
    private struct Flags: OptionSet {
        let rawValue: Int

        static let isStartClipped = Flags(rawValue: 1)
        static let isEndClipped = Flags(rawValue: 2)
        static let isStopInferred = Flags(rawValue: 4)
        static let isNew = Flags(rawValue: 8)
        static let isPremiere = Flags(rawValue: 16)
        static let isLive = Flags(rawValue: 32)
        static let isInClump = Flags(rawValue: 64)
    }

    private let layout: GuideLayout
    private let origin: Instant
    private let generation: Generation
    private let rows: [Int]
    private let firstRow: Int
    private let cells: [GuideCell]
    private let content: GuideContent
    private let stations: [StationRow]?

    /// - Parameters:
    ///   - layout: One whose time runs to the right, without columns before it.
    ///   - origin: Where `x` is 0.
    ///   - rows: The guide's rows that are seen.
    ///   - firstRow: The layout's row of the first of them.
    ///   - content: What the cells were made of.
    ///   - cells: See ``EPGLayout/GuideLayout/cells(in:of:)``.
    ///   - stations: Those of the rows, if they are to be told.
    package init(
        layout: GuideLayout, origin: Instant, generation: Generation, rows: [Int], firstRow: Int,
        cells: [GuideCell], of content: GuideContent, stations: [StationRow]?
    ) {
        self.layout = layout
        self.origin = origin
        self.generation = generation
        self.rows = rows
        self.firstRow = firstRow
        self.cells = cells
        self.content = content
        self.stations = stations
    }

    package func write(to json: inout JSONWriter) {
        json.reserveCapacity(1000 + cells.count * 100 + (stations?.count ?? 0) * 120)
        json.object { json in
            json.member("generation", generation.rawValue)
            json.member("from", layout.window.start.secondsSince1970)
            json.member("to", layout.window.end.secondsSince1970)
            json.member("rows", rows)
            json.member("cells", object: { writeCells(to: &$0) })
            json.member("genres", [""] + Genre.allCases.map(\.rawValue))
            if let stations { json.member("stations", array: { json in stations.forEach { write($0, to: &json) } }) }
        }
    }

    private func writeCells(to json: inout JSONWriter) {
        let airings = airings()
        json.member("row", integers: cells.count) { Int64(cells[$0].row - firstRow) }
        json.member("id", integers: cells.count) { airings[$0]?.id.rawValue ?? -Int64(cells[$0].airingCount) }
        json.member("start", integers: cells.count) { cells[$0].window.start.secondsSince1970 }
        json.member("stop", integers: cells.count) { cells[$0].window.end.secondsSince1970 }
        writeEdges(to: &json)
        json.member("title", array: { json in for airing in airings { json.string(airing?.title ?? "") } })
        json.member("sub", array: { json in for airing in airings { json.string(airing?.subtitle ?? "") } })
        json.member("genre", integers: cells.count) {
            Int64(GenreTable.shared.number(of: airings[$0]?.categories ?? []))
        }
        json.member("flags", integers: cells.count) { Int64(flags(of: cells[$0], airings[$0]).rawValue) }
    }

    /// Writes where cells begin, and how wide they are.
    private func writeEdges(to json: inout JSONWriter) {
        let edges = cells.map { (start: edge(at: $0.shown.start), end: edge(at: $0.shown.end)) }
        // At a scale of 1 all edges are whole numbers, which are quicker to write; a Double has all of them up to 2⁵³.
        let greatest = 9_007_199_254_740_992.0
        if layout.metrics.scale == 1, edges.allSatisfy({ $0.start.magnitude < greatest && $0.end.magnitude < greatest })
        {
            json.member("x", integers: edges.count) { Int64(edges[$0].start) }
            json.member("w", integers: edges.count) { Int64(edges[$0].end - edges[$0].start) }
        } else {
            json.member("x", array: { json in for edge in edges { json.write(edge.start) } })
            json.member("w", array: { json in for edge in edges { json.write(edge.end - edge.start) } })
        }
    }

    /// The airing of each cell; `nil` for gaps and clusters.
    private func airings() -> [Airing?] {
        var next = 0
        return cells.map { cell in
            // Both go by row.
            while content.schedules[next].row < cell.row { next += 1 }
            guard case .airing(let index) = cell.kind else { return nil }
            return content.schedules[next].schedule.airings[index]
        }
    }

    /// Where an instant stands, counted from the origin and snapped as the layout does.
    private func edge(at instant: Instant) -> Double {
        let points = Double(origin.seconds(to: instant)) * layout.metrics.pointsPerHour / 3600
        return PixelGrid(scale: layout.metrics.scale).snapped(points)
    }

    private func flags(of cell: GuideCell, _ airing: Airing?) -> Flags {
        var flags: Flags = []
        if cell.isStartClipped { flags.insert(.isStartClipped) }
        if cell.isEndClipped { flags.insert(.isEndClipped) }
        guard let airing else { return flags }
        if airing.isStopInferred { flags.insert(.isStopInferred) }
        if airing.marks.contains(.new) { flags.insert(.isNew) }
        if airing.marks.contains(.premiere) { flags.insert(.isPremiere) }
        if airing.marks.contains(.live) { flags.insert(.isLive) }
        if airing.clump != nil { flags.insert(.isInClump) }
        return flags
    }

    /// `{"id", "name", "number", "icon"}`; the number is the lineup's, else the feed's.
    private func write(_ row: StationRow, to json: inout JSONWriter) {
        json.object { json in
            json.member("id", row.station.id)
            json.member("name", row.station.name)
            json.member("number", (row.channelNumber ?? row.station.number)?.description)
            json.member("icon", row.station.icons.lazy.compactMap { HTTPAddress($0.source)?.text }.first)
        }
    }
}

extension GuideCell {
    /// Airings that a cluster stands for; 0 for all else.
    fileprivate var airingCount: Int {
        if case .cluster(let count) = kind { count } else { 0 }
    }
}
