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
    private let cells: [GuideElement]
    private let stations: [StationRow]?

    /// - Parameters:
    ///   - layout: One whose time runs to the right, without columns before it.
    ///   - origin: Where `x` is 0.
    ///   - rows: The guide's rows that are seen.
    ///   - firstRow: The layout's row of the first of them.
    ///   - cells: See ``EPGLayout/GuideLayout/cells(in:of:)``.
    ///   - stations: Those of the rows, if they are to be told.
    package init(
        layout: GuideLayout, origin: Instant, generation: Generation, rows: [Int], firstRow: Int,
        cells: [GuideElement], stations: [StationRow]?
    ) {
        self.layout = layout
        self.origin = origin
        self.generation = generation
        self.rows = rows
        self.firstRow = firstRow
        self.cells = cells
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
        write("row", to: &json) { json, cell in json.integer(Int64((cell.row ?? firstRow) - firstRow)) }
        write("id", to: &json) { json, cell in json.integer(cell.airing?.id.rawValue ?? -Int64(cell.members.count)) }
        write("start", to: &json) { json, cell in json.integer(cell.window?.start.secondsSince1970 ?? 0) }
        write("stop", to: &json) { json, cell in json.integer(cell.window?.end.secondsSince1970 ?? 0) }
        write("x", to: &json) { json, cell in json.write(edge(at: cell.shown?.start)) }
        write("w", to: &json) { json, cell in
            json.write(edge(at: cell.shown?.end) - edge(at: cell.shown?.start))
        }
        write("title", to: &json) { json, cell in json.string(cell.airing?.title ?? "") }
        write("sub", to: &json) { json, cell in json.string(cell.airing?.subtitle ?? "") }
        var genres = GenreTable()
        write("genre", to: &json) { json, cell in
            json.integer(Int64(genres.number(of: cell.airing?.categories ?? [])))
        }
        write("flags", to: &json) { json, cell in json.integer(Int64(flags(of: cell).rawValue)) }
    }

    /// Writes a property of each cell.
    private func write(
        _ key: StaticString, to json: inout JSONWriter, _ value: (inout JSONWriter, GuideElement) -> Void
    ) {
        json.member(
            key,
            array: { json in
                for cell in cells { value(&json, cell) }
            })
    }

    /// Where an instant stands, counted from the origin and snapped as the layout does.
    private func edge(at instant: Instant?) -> Double {
        guard let instant else { return 0 }
        let points = Double(origin.seconds(to: instant)) * layout.metrics.pointsPerHour / 3600
        return PixelGrid(scale: layout.metrics.scale).snapped(points)
    }

    private func flags(of cell: GuideElement) -> Flags {
        var flags: Flags = []
        if cell.isStartClipped { flags.insert(.isStartClipped) }
        if cell.isEndClipped { flags.insert(.isEndClipped) }
        guard let airing = cell.airing else { return flags }
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

/// The numbers of genres, by what feeds write; each category is looked at once.
private struct GenreTable {
    private var numbers: [[String]: Int] = [:]

    /// The place in the list of genres, from 1; 0 for none.
    mutating func number(of categories: [String]) -> Int {
        guard !categories.isEmpty else { return 0 }
        if let number = numbers[categories] { return number }
        let genre = Genre(categories: categories)
        let number = genre.flatMap { Genre.allCases.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        numbers[categories] = number
        return number
    }
}
