package import EPGModel
import GRDB

extension GuideStore {
    package func diagnostics(ofImport id: Int64, _ body: (LoggedDiagnostic) throws -> Bool) throws {
        try read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT d.*, p.title AS title, o.title AS other_title
                    FROM import i JOIN diagnostic d ON d.import_id = i.diagnostics_of
                    LEFT JOIN programme p ON p.id = d.programme_id
                    LEFT JOIN programme o ON o.id = d.other_programme_id
                    WHERE i.id = ? ORDER BY d.ordinal
                    """, arguments: [id])
            while let row = try rows.next() {
                guard let diagnostic = Self.diagnostic(row) else { continue }
                let isWanted = try body(
                    LoggedDiagnostic(diagnostic: diagnostic, title: row["title"], otherTitle: row["other_title"]))
                if !isWanted { return }
            }
        }
    }

    /// The diagnostic of a row; `nil` for a keyword that this version doesn't know.
    private static func diagnostic(_ row: Row) -> Diagnostic? {
        guard let severity = Diagnostic.Severity(rawValue: row["severity"]),
            let keyword = Diagnostic.Keyword(rawValue: row["keyword"]),
            let action = Diagnostic.Action(rawValue: row["action"])
        else { return nil }
        var diagnostic = Diagnostic(
            severity: severity, keyword: keyword, action: action, line: row["line"],
            station: (row["station"] as String?).map { StationID($0) }, quote: row["quote"])
        diagnostic.listing = reference(row, "")
        diagnostic.other = reference(row, "other_")
        diagnostic.window = row.window("window_start", "window_stop")
        return diagnostic
    }

    /// The listing of four columns whose names begin with a prefix; `nil` where there is none.
    private static func reference(_ row: Row, _ prefix: String) -> Diagnostic.Reference? {
        row.instant(prefix + "start").map { start in
            Diagnostic.Reference(
                line: row[prefix + "line"] ?? 0, start: start, stop: row.instant(prefix + "stop"),
                programme: row[prefix + "programme_id"] ?? 0)
        }
    }
}
