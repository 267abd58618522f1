import EPGModel
import GRDB

extension SearchIndex {
    /// What stands in the guide, to compare the index with.
    private struct GuideSize {
        let lastProgramme: Int64
        let generation: Int64
        let programmes: Int64
        let airings: Int64

        init(_ guide: Database) throws {
            let state = try GuideState(guide)
            lastProgramme = state.nextProgramme - 1
            generation = state.generation
            programmes = Int64(try DigestPiece.liveCount(guide))
            airings = try guide.firstRow("SELECT count(*) FROM airing") { $0.integer(0) } ?? 0
        }
    }

    /// Brings the index up to date with its guide; writes nothing where it is.
    ///
    /// After each change of the guide, entries and showings are counted and compared with it. Where more than a sixth of
    /// the entries are of removed programmes, the words of all programmes are indexed again. So the index has at most 6/5 of
    /// the entries that it needs, and for each programme that the guide removes, at most five entries are written again.
    /// - Parameter guide: The guide's connection.
    func refresh(from guide: DatabaseQueue) throws {
        let state = try guide.inDatabase { try GuideState($0) }
        let mark = try queue.inDatabase { try Self.mark($0) }
        if mark.isCurrent(for: state), mark.verified == state.generation { return }
        let size = try guide.inDatabase { try GuideSize($0) }
        try queue.writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
                var mark = try Self.mark(database)
                try guide.inDatabase { guide in
                    try Self.refreshTexts(database, &mark, guide, size)
                    try Self.refreshShowings(database, &mark, guide, size)
                }
                mark.verified = size.generation
                try Self.setMark(mark, in: database)
                return .commit
            }
            try Self.giveBackFreePages(database)
        }
    }

    private static func refreshTexts(
        _ database: Database, _ mark: inout Mark, _ guide: Database, _ size: GuideSize
    ) throws {
        let new =
            try guide.firstRow("SELECT count(*) FROM programme WHERE id > ?", .integer(mark.programme)) {
                $0.integer(0)
            } ?? 0
        let entries = try entryCount(database) + new
        let dead = entries - size.programmes
        // An index that is ahead of its guide is another one's: a loss of power may take the guide's last commit back.
        if mark.programme > size.lastProgramme || dead < 0 || isWorthRebuilding(dead: dead, entries: entries) {
            try database.execute(sql: "INSERT INTO text (text) VALUES ('delete-all')")
            mark.programme = 0
        }
        guard mark.programme < size.lastProgramme else { return }
        let writer = try SearchWriter(database)
        try writer.add(from: guide, above: mark.programme)
        mark.programme = size.lastProgramme
    }

    private static func refreshShowings(
        _ database: Database, _ mark: inout Mark, _ guide: Database, _ size: GuideSize
    ) throws {
        if mark.generation == size.generation {
            let showings = try database.firstRow("SELECT count(*) FROM showing") { $0.integer(0) }
            if showings == size.airings { return }
        }
        try database.run("DELETE FROM showing")
        var waiting: [Showing] = []
        try guide.rows("SELECT programme_id, id FROM airing") { columns in
            waiting.append(Showing(programme: columns.integer(0), airing: columns.integer(1)))
            // A part at a time: memory doesn't grow with the guide.
            if waiting.count == 500_000 {
                try add(waiting, to: database)
                waiting.removeAll(keepingCapacity: true)
            }
            return true
        }
        try add(waiting, to: database)
        mark.generation = size.generation
    }

    /// Gives pages that are free back to the system, where they are more than a quarter of the file.
    private static func giveBackFreePages(_ database: Database) throws {
        let free = try database.firstRow("PRAGMA freelist_count") { $0.integer(0) } ?? 0
        let pages = try database.firstRow("PRAGMA page_count") { $0.integer(0) } ?? 0
        guard free > pages / 4 else { return }
        // Each step gives back a page.
        try database.rows("PRAGMA incremental_vacuum") { _ in true }
    }
}
