import ArgumentParser
import EPGCalendar
import EPGImport
import EPGModel

/// The guide, as far as a configuration wants it, for those who call the grabber.
struct GrabberListings {
    let configuration: GrabberConfiguration
    let zone: Zone

    /// Writes the guide of some days.
    ///
    /// The output is strict and has the times that the guide shows: airings never overlap, and each has a stop, without
    /// which Tvheadend leaves one out.
    /// - Returns: Whether there was something for each of the days.
    func grab(_ arguments: GrabberArguments) throws -> Bool {
        let moment = Moment(zone: zone, now: SystemClock.now)
        let days = arguments.days ?? GrabberArguments.usualDays
        let window = moment.days(days, offset: arguments.offset)
        var selection = self.selection
        selection.window = window
        let (path, counted) = try write(selection, to: arguments.output) {
            FilteredAirings(startingIn: window, for: $0)
        }
        if arguments.isDebugging {
            say("the database is \(path), the time is [\(window.start), \(window.end))")
        }
        let last = moment.days(1, offset: arguments.offset + days - 1)
        let isComplete = counted.lastStart.map { $0 >= last.start } ?? false
        if !isComplete, arguments.days != nil || counted.count == 0 {
            let end = counted.lastStart.map { "ends on \(zone.date(at: $0))" } ?? "holds nothing of them"
            say("fewer than the \(days) days from \(zone.date(at: window.start)) on: the guide \(end). Refresh it.")
            return false
        }
        if !arguments.isQuiet { say("\(counted.count) programmes from \(zone.date(at: window.start)) on.") }
        return true
    }

    /// Writes all channels that the guide has, wanted or not: who configures the grabber chooses among them.
    func listChannels(to output: String?) throws {
        var selection = ExportSelection()
        // No airing is that old.
        selection.window = TimeWindow(start: .beginningOfTime, end: .beginningOfTime.advanced(by: 1))
        _ = try write(selection, to: output) { $0 }
    }

    private func write<Visitor: GuideVisitor>(
        _ selection: ExportSelection, to output: String?, _ wrap: (XMLTVExporter) -> Visitor
    ) throws -> (path: String, visitor: Visitor) {
        let storage = try configuration.guide()
        return try storage.read { guide in
            let visitor = try ExportOutput(to: output, of: storage).write(isCompressed: false) { sink in
                let options = ExportOptions(
                    times: .shown, isStrict: true, generator: "swift-epg/\(EPGCommand.version)")
                var selected = SelectedStations(for: wrap(XMLTVExporter(options, to: sink)))
                try guide.export(selection, to: &selected)
                return selected.visitor
            }
            return (storage.location, visitor)
        }
    }

    private var selection: ExportSelection {
        var selection = ExportSelection()
        selection.inRows = true
        if let channels = configuration.channels {
            selection.stations = { channels.contains($0.id.rawValue) }
        }
        return selection
    }

    private func say(_ words: String) {
        StandardError.write("\(Grabber.name): " + words.withoutControls + "\n")
    }
}

extension GrabberConfiguration {
    /// The guide that is configured.
    func guide() throws -> any GuideStorage {
        // The one place that knows where a guide is by default.
        try DatabaseOptions.parse(database.map { ["--database=\($0)"] } ?? []).guide()
    }
}
