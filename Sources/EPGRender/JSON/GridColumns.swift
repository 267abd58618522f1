package import EPGJSON
import CollectionLayout
package import EPGLayout
package import EPGModel

/// The cells of a grid as JSON with an array for each property: a third of the size of ``GridJSON``, for screens of many cells
/// and for tiles that adjoin.
///
/// ```json
/// {"from":1700000000,"to":1700021600,"rows":[0,1],
///  "cells":{"row":[0],"id":[7],"start":[…],"stop":[…],"x":[0],"w":[240],"title":["News"],"sub":[""],"genre":[1],
///           "flags":[1]},
///  "genres":["","news",…]}
/// ```
///
/// `row` is an index into `rows`; `id` is 0 for a gap and −n for a cluster of n airings; `start` and `stop` are the full range
/// in seconds since 1970; `x` counts along the time axis.
package struct GridColumns: JSONValue {
    private let layout: GuideLayout
    private let origin: Instant
    private let rows: [Int]
    private let firstRow: Int
    private let cells: [GuideCell]
    private let airings: [GridRow]
    /// The place of the airing of each cell.
    private let places: [Place]
    private let stations: [StationRow]?

    /// The index of a row in `airings`, and that of an airing in the row, which is -1 for a cell without an airing.
    private struct Place {
        let row: Int32
        let airing: Int32
    }

    /// - Parameters:
    ///   - layout: A layout with time from left to right, and without a station column.
    ///   - origin: The instant at which `x` is 0.
    ///   - rows: The visible rows of the guide.
    ///   - firstRow: The first of them as a row of the layout.
    ///   - cells: See ``EPGLayout/GuideLayout/cells(in:of:coverage:)``.
    ///   - airings: The airings of the cells, by row.
    ///   - stations: The stations of the rows; `nil` to leave them out.
    package init(
        layout: GuideLayout, origin: Instant, rows: [Int], firstRow: Int, cells: [GuideCell],
        of airings: [GridRow], stations: [StationRow]?
    ) {
        self.layout = layout
        self.origin = origin
        self.rows = rows
        self.firstRow = firstRow
        self.cells = cells
        self.airings = airings
        self.stations = stations
        var next = 0
        places = cells.map { cell in
            // Both are in order of row.
            while airings[next].row < cell.row { next += 1 }
            guard case .airing(let index) = cell.kind else { return Place(row: Int32(next), airing: -1) }
            return Place(row: Int32(next), airing: Int32(index))
        }
    }

    package func write(to json: inout JSONWriter) {
        json.reserveCapacity(1000 + cells.count * 100 + (stations?.count ?? 0) * 120)
        json.object { json in
            json.member("from", layout.window.start.secondsSince1970)
            json.member("to", layout.window.end.secondsSince1970)
            json.member("rows", rows)
            json.member("cells", object: { writeCells(to: &$0) })
            json.member("genres", [""] + Genre.allCases.map(\.rawValue))
            if let stations { json.member("stations", array: { json in stations.forEach { write($0, to: &json) } }) }
        }
    }

    private func writeCells(to json: inout JSONWriter) {
        json.member("row", integers: cells.count) { Int64(cells[$0].row - firstRow) }
        json.member("id", integers: cells.count) { index in
            airing(index) { $0.id.rawValue } ?? -Int64(cells[index].airingCount)
        }
        json.member("start", integers: cells.count) { cells[$0].window.start.secondsSince1970 }
        json.member("stop", integers: cells.count) { cells[$0].window.end.secondsSince1970 }
        writeEdges(to: &json)
        json.member("title", texts: cells.count) { index, bytes in
            if airing(index, { $0.text.withTitle { bytes.append(contentsOf: $0) } }) == nil { bytes.appendEmptyText() }
        }
        json.member("sub", texts: cells.count) { index, bytes in
            if airing(index, { $0.text.withSubtitle { bytes.append(contentsOf: $0) } }) == nil {
                bytes.appendEmptyText()
            }
        }
        json.member("genre", integers: cells.count) { airing($0) { Int64($0.text.genre) } ?? 0 }
        json.member("flags", integers: cells.count) { Int64(flags(at: $0).rawValue) }
    }

    /// Looks at the airing of a cell; `nil` for gaps and clusters.
    private func airing<Value>(_ index: Int, _ body: (borrowing GridAiring) -> Value) -> Value? {
        let place = places[index]
        guard place.airing >= 0 else { return nil }
        let row = airings[Int(place.row)].airings
        return body(row[row.startIndex + Int(place.airing)])
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

    /// Where an instant stands, counted from the origin and snapped as the layout does.
    private func edge(at instant: Instant) -> Double {
        let points = Double(origin.seconds(to: instant)) * layout.metrics.pointsPerHour / 3600
        return PixelGrid(scale: layout.metrics.scale).snapped(points)
    }

    private func flags(at index: Int) -> GridFlags {
        var flags = airing(index) { $0.flags } ?? []
        if cells[index].isStartClipped { flags.insert(.isStartClipped) }
        if cells[index].isEndClipped { flags.insert(.isEndClipped) }
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

extension [UInt8] {
    fileprivate mutating func appendEmptyText() {
        append(UInt8(ascii: "\""))
        append(UInt8(ascii: "\""))
    }
}

/// The airings of a row that ``GridColumns`` may have to write.
package struct GridRow: Sendable {
    /// The layout's row, from 0.
    package let row: Int
    /// In order of start; those of a clump share a window.
    package let airings: ArraySlice<GridAiring>

    package init(row: Int, airings: ArraySlice<GridAiring>) {
        self.row = row
        self.airings = airings
    }

    /// What the layout wants to know of it.
    package var times: RowTimes { RowTimes(row: row, windows: airings.map(\.window)) }
}
