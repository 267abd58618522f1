import ArgumentParser
import EPGImport

/// What an export is written as.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    case xmltv
    /// EPG JSON: one object for each line.
    case json
    /// A playlist, of a lineup that was imported.
    case m3u
    /// iCalendar.
    case ics
}

/// Which times an export has where the guide repaired them.
enum ExportedTimes: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// As the feed gave them, without inferred stops.
    case published
    /// As the guide shows them.
    case shown

    /// What an exporter calls them.
    var choice: ExportOptions.Times { self == .shown ? .shown : .published }
}
