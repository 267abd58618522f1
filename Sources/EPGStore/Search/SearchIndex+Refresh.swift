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
    /// - Parameter guide: The guide's connection.
    func refresh(from guide: DatabaseQueue) throws {
        let state = try guide.inDatabase { try GuideState($0) }
        let isUpToDate = try queue.inDatabase { database in
            let mark = try Self.mark(database)
            return mark.programme == state.nextProgramme - 1 && mark.generation == state.generation
        }
        if isUpToDate { return }
        let size = try guide.inDatabase { try GuideSize($0) }
        try queue.writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
                var mark = try Self.mark(database)
                try guide.inDatabase { guide in
                    try Self.refreshTexts(database, &mark, guide, size)
                    try Self.refreshShowings(database, &mark, guide, size)
                }
                try Self.setMark(mark, in: database)
                return .commit
            }
        }
    }

    private static func refreshTexts(
        _ database: Database, _ mark: inout Mark, _ guide: Database, _ size: GuideSize
    ) throws {
        // An index that is ahead of its guide is another one's: a loss of power may take the guide's last commit back.
        if mark.entries > size.programmes * 2 + 10_000 || mark.programme > size.lastProgramme {
            try database.execute(sql: "INSERT INTO text (text) VALUES ('delete-all')")
            (mark.programme, mark.entries) = (0, 0)
        }
        guard mark.programme < size.lastProgramme else { return }
        let writer = try SearchWriter(database)
        try writer.add(from: guide, above: mark.programme)
        mark.entries += writer.count
        mark.programme = size.lastProgramme
    }

    private static func refreshShowings(
        _ database: Database, _ mark: inout Mark, _ guide: Database, _ size: GuideSize
    ) throws {
        guard mark.generation != size.generation || mark.showings > size.airings * 2 + 10_000 else { return }
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
        mark.showings = size.airings
    }
}
