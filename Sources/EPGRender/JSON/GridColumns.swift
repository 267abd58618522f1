import CollectionLayout
import EPGCalendar
package import EPGJSON
package import EPGLayout
package import EPGModel

/// The cells of a grid as JSON with an array per property.
///
/// It has a third of the size of ``GridJSON``, and suits screens with many cells and adjoining tiles.
///
/// ```json
/// {"from":1700000000,"to":1700021600,"rows":[0,1],
///  "cells":{"row":[0],"id":[7],"start":[…],"stop":[…],"x":[0],"w":[240],"title":["News"],"sub":[""],"genre":[1],
///           "flags":[1]},
///  "genres":["","news",…]}
/// ```
///
/// `row` is an index into `rows`; `id` is 0 for a gap and −n for a cluster of n airings; `start` and `stop` are the full range
/// in seconds since 1970; `x` counts along the time axis. If cells share a window, `shares` has their indexes, and the exact start and
/// stop of the visible part of each.
package struct GridColumns: JSONValue {
    private let layout: GuideLayout
    private let origin: Instant
    private let rows: [Int]
    private let firstRow: Int
    private let cells: [GuideCell]
    private let airings: [GridRow]
    /// The airing of each cell.
    private let places: [Place]
    private let stations: [StationRow]?
    private let artwork: ArtworkLinks

    /// The index of a row in `airings`, and of an airing in the row; the latter is -1 for a cell without an airing.
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
    ///   - artwork: The URLs of logos.
    package init(
        layout: GuideLayout, origin: Instant, rows: [Int], firstRow: Int, cells: [GuideCell],
        of airings: [GridRow], stations: [StationRow]?, artwork: ArtworkLinks = .direct
    ) {
        self.layout = layout
        self.origin = origin
        self.rows = rows
        self.firstRow = firstRow
        self.cells = cells
        self.airings = airings
        self.stations = stations
        self.artwork = artwork
        var next = 0
        places = cells.map { cell in
            // Cells and airings are sorted by row.
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
            writeShares(to: &json)
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
        json.member("genre", integers: cells.count) { airing($0) { $0.genreNumber } ?? 0 }
        json.member("flags", integers: cells.count) { Int64(flags(at: $0).rawValue) }
    }

    /// Calls a closure with the airing of a cell; returns `nil` for gaps and clusters.
    private func airing<Value>(_ index: Int, _ body: (borrowing GridAiring) -> Value) -> Value? {
        let place = places[index]
        guard place.airing >= 0 else { return nil }
        let row = airings[Int(place.row)].airings
        return body(row[row.startIndex + Int(place.airing)])
    }

    /// Writes the positions and widths of cells.
    private func writeEdges(to json: inout JSONWriter) {
        let edges = cells.map { (start: edge(at: $0.shown.start), end: edge(at: $0.shown.end)) }
        // At scale 1 all edges are integers, which are faster to write. A Double is exact below 2⁵³.
        let limit = 9_007_199_254_740_992.0
        if layout.metrics.scale == 1, edges.allSatisfy({ $0.start.magnitude < limit && $0.end.magnitude < limit }) {
            json.member("x", integers: edges.count) { Int64(edges[$0].start) }
            json.member("w", integers: edges.count) { Int64(edges[$0].end - edges[$0].start) }
        } else {
            json.member("x", array: { json in for edge in edges { json.write(edge.start) } })
            json.member("w", array: { json in for edge in edges { json.write(edge.end - edge.start) } })
        }
    }

    private func writeShares(to json: inout JSONWriter) {
        let shares = cells.indices.filter { airing($0) { $0.flags.contains(.isInClump) } ?? false }
        guard !shares.isEmpty else { return }
        json.member(
            "shares",
            object: { json in
                json.member("cell", integers: shares.count) { Int64(shares[$0]) }
                json.member("start", integers: shares.count) { cells[shares[$0]].shown.start.secondsSince1970 }
                json.member("stop", integers: shares.count) { cells[shares[$0]].shown.end.secondsSince1970 }
            })
    }

    /// Returns the position of an instant relative to the origin, snapped like the layout's edges.
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

    /// Writes `{"id", "name", "number", "icon", "logo"}`; the lineup's number takes precedence over the feed's.
    private func write(_ row: StationRow, to json: inout JSONWriter) {
        json.object { json in
            json.member("id", row.station.id)
            json.member("name", row.station.name)
            json.member("number", (row.channelNumber ?? row.station.number)?.description)
            json.member("icon", row.station.icons.lazy.compactMap { HTTPURL($0.source)?.text }.first)
            json.member("logo", artwork.logo(of: row.station))
        }
    }
}

extension GuideCell {
    /// The number of airings in a cluster; 0 for other cells.
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

/// The airings of a row for ``GridColumns``.
package struct GridRow: Sendable {
    /// The layout's row, from 0.
    package let row: Int
    /// The airings, sorted by start; airings of a clump share a window.
    package let airings: ArraySlice<GridAiring>

    package init(row: Int, airings: ArraySlice<GridAiring>) {
        self.row = row
        self.airings = airings
    }

    /// The times, for the layout.
    package var times: RowWindows { RowWindows(row: row, windows: airings.map(\.window)) }
}

/// The properties of an airing that ``GridColumns`` writes, in 32 bytes.
package struct GridAiring: Sendable {
    package let id: AiringID
    package let start: Instant
    /// The duration in seconds.
    private let seconds: UInt32
    /// The flags that do not depend on the viewport.
    fileprivate let flags: GridFlags
    package let text: GridText

    /// - Parameters:
    ///   - window: The time; clamped to 136 years.
    ///   - isInClump: Whether the airing shares its window with others.
    package init(id: AiringID, window: TimeWindow, isStopInferred: Bool, isInClump: Bool, text: GridText) {
        self.id = id
        start = window.start
        seconds = UInt32(clamping: window.seconds)
        var flags = text.flags
        if isStopInferred { flags.insert(.isStopInferred) }
        if isInClump { flags.insert(.isInClump) }
        self.flags = flags
        self.text = text
    }

    package init(_ outline: AiringOutline, text: GridText) {
        self.init(
            id: outline.id, window: outline.window, isStopInferred: outline.isStopInferred,
            isInClump: outline.isInClump, text: text)
    }

    /// Creates an airing of a schedule, whose texts are not shared.
    package init(_ airing: Airing) {
        self.init(
            id: airing.id, window: airing.window, isStopInferred: airing.isStopInferred,
            isInClump: airing.clump != nil,
            text: GridText(
                title: airing.title, subtitle: airing.subtitle, marks: airing.marks, genre: airing.genre))
    }

    package var window: TimeWindow { TimeWindow(start: start, end: end) }

    package var end: Instant { start.advanced(by: Int64(seconds)) }

    /// The genre in which the airing is drawn; `nil` for none.
    package var genre: Genre? { Genre(text.genre, duration: Int64(seconds)) }

    /// Whether the airing is marked as new or as a premiere.
    package var isNew: Bool { !flags.isDisjoint(with: [.isNew, .isPremiere]) }

    /// The 1-based index of the genre in `Genre.allCases`; 0 for none.
    fileprivate var genreNumber: Int64 {
        genre.flatMap { Genre.allCases.firstIndex(of: $0) }.map { Int64($0) + 1 } ?? 0
    }
}

/// The texts and flags of a programme in a grid, encoded once and shared by its airings.
package final class GridText: Sendable {
    /// Title and subtitle as consecutive JSON strings with quotation marks.
    private let json: [UInt8]
    private let titleCount: Int
    fileprivate let genre: ProgrammeGenre
    fileprivate let flags: GridFlags

    /// Encodes the texts and marks of a programme.
    package init(title: String, subtitle: String?, marks: AiringMarks, genre: ProgrammeGenre) {
        var json: [UInt8] = []
        json.reserveCapacity(title.utf8.count + (subtitle?.utf8.count ?? 0) + 4)
        JSONText.append(quoted: title, to: &json)
        titleCount = json.count
        JSONText.append(quoted: AiringText.subtitle(subtitle, of: title) ?? "", to: &json)
        self.json = json
        self.genre = genre
        var flags: GridFlags = []
        if marks.contains(.new) { flags.insert(.isNew) }
        if marks.contains(.premiere) { flags.insert(.isPremiere) }
        if marks.contains(.live) { flags.insert(.isLive) }
        if marks.contains(.derived) { flags.insert(.isDerived) }
        if marks.contains(.repeated) { flags.insert(.isRepeat) }
        self.flags = flags
    }

    package convenience init(_ brief: ProgrammeBrief) {
        self.init(
            title: brief.title, subtitle: brief.subtitle, marks: brief.marks, genre: brief.genre)
    }

    /// The approximate size in memory in bytes.
    package var size: Int { json.count + 96 }

    /// Calls a closure with the title as a JSON string.
    fileprivate func withTitle(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        json.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[..<titleCount])) }
    }

    /// Calls a closure with the subtitle as a JSON string, which is empty without a subtitle.
    fileprivate func withSubtitle(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        json.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[titleCount...])) }
    }
}

/// The bits of the member `flags` of ``GridColumns``.
private struct GridFlags: OptionSet {
    let rawValue: UInt16

    static let isStartClipped = GridFlags(rawValue: 1)
    static let isEndClipped = GridFlags(rawValue: 2)
    static let isStopInferred = GridFlags(rawValue: 4)
    static let isNew = GridFlags(rawValue: 8)
    static let isPremiere = GridFlags(rawValue: 16)
    static let isLive = GridFlags(rawValue: 32)
    static let isInClump = GridFlags(rawValue: 64)
    static let isDerived = GridFlags(rawValue: 128)
    static let isRepeat = GridFlags(rawValue: 256)
}
