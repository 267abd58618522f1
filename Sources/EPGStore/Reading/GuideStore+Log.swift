public import EPGModel
import GRDB

/// A diagnostic of the log, with the titles of the listings that it names.
public struct LoggedDiagnostic: Hashable, Sendable {
    public var diagnostic: Diagnostic
    /// The title of the listing, where it has one.
    public var title: String?
    /// The title of the other listing.
    public var otherTitle: String?

    package init(diagnostic: Diagnostic, title: String?, otherTitle: String?) {
        self.diagnostic = diagnostic
        self.title = title
        self.otherTitle = otherTitle
    }
}

extension GuideStore {
    /// Goes through what an import found, in the order in which it found it, until `body` says `false`.
    ///
    /// An import that found the same as the one before has no findings of its own; it is answered with those.
    public func diagnostics(ofImport id: Int64, _ body: (LoggedDiagnostic) throws -> Bool) throws {
        try read { database in
            try database.rows(
                """
                SELECT d.severity, d.keyword, d.action, d.line, d.station, d.start, d.stop, d.programme_id,
                       d.other_line, d.other_start, d.other_stop, d.other_programme_id, d.window_start, d.window_stop,
                       d.quote, p.title, o.title
                FROM import i JOIN diagnostic d ON d.import_id = i.diagnostics_of
                LEFT JOIN programme p ON p.id = d.programme_id
                LEFT JOIN programme o ON o.id = d.other_programme_id
                WHERE i.id = ? ORDER BY d.ordinal
                """, .integer(id)
            ) { columns in
                guard let diagnostic = Self.diagnostic(columns) else { return true }
                return try body(
                    LoggedDiagnostic(
                        diagnostic: diagnostic, title: columns.textIfPresent(15),
                        otherTitle: columns.textIfPresent(16)))
            }
        }
    }

    /// The diagnostic of a row; `nil` for a keyword that this version doesn't know.
    private static func diagnostic(_ columns: Columns) -> Diagnostic? {
        guard let severity = Diagnostic.Severity(rawValue: columns.text(0)),
            let keyword = Diagnostic.Keyword(rawValue: columns.text(1)),
            let action = Diagnostic.Action(rawValue: columns.text(2))
        else { return nil }
        var diagnostic = Diagnostic(
            severity: severity, keyword: keyword, action: action, line: Int(columns.integer(3)),
            station: columns.textIfPresent(4).map { StationID($0) }, quote: columns.textIfPresent(14))
        diagnostic.listing = reference(columns, line: 3, start: 5)
        diagnostic.other = reference(columns, line: 8, start: 9)
        if !columns.isNull(12) { diagnostic.window = AiringColumns.window(columns, 12, 13) }
        return diagnostic
    }

    /// The listing of four columns, of which start, stop and programme stand together.
    private static func reference(_ columns: Columns, line: Int32, start: Int32) -> Diagnostic.Reference? {
        columns.integerIfPresent(start).map { seconds in
            Diagnostic.Reference(
                line: Int(columns.integer(line)), start: Instant(secondsSince1970: seconds),
                stop: columns.integerIfPresent(start + 1).map(Instant.init(secondsSince1970:)),
                programme: columns.integer(start + 2))
        }
    }
}
