import EPGCalendar
import EPGImport
import EPGModel

/// Writes the selected channels of a guide for the grabber.
struct GrabberListings {
    let configuration: GrabberConfiguration
    let zone: Zone

    /// Writes the guide of the requested days.
    ///
    /// The output is strict and has the times shown in the guide: airings never overlap, and each has a stop, because
    /// Tvheadend ignores airings without a stop. Logos, genres and texts come from `epg.yml`.
    /// - Returns: Whether the guide covers all days.
    func grab(_ arguments: GrabberArguments) throws -> Bool {
        let moment = Moment(zone: zone, now: SystemClock.now)
        let days = arguments.days ?? GrabberArguments.defaultDays
        let window = moment.days(days, offset: arguments.offset)
        var selection = self.selection
        selection.window = window
        let (path, counted) = try write(selection, to: arguments.output) {
            FilteredAirings(startingIn: window, for: $0)
        }
        if arguments.isDebugging {
            log("database \(path), time window [\(window.start), \(window.end))")
        }
        let last = moment.days(1, offset: arguments.offset + days - 1)
        let isComplete = counted.lastStart.map { $0 >= last.start } ?? false
        if !isComplete, arguments.days != nil || counted.count == 0 {
            let end = counted.lastStart.map { "ends on \(zone.date(at: $0))" } ?? "has no airings on these days"
            let requested = days == 1 ? "1 day" : "\(days) days"
            log("fewer than \(requested) from \(zone.date(at: window.start)): the guide \(end). Refresh it.")
            return false
        }
        if !arguments.isQuiet { log("\(counted.count) programmes from \(zone.date(at: window.start)).") }
        return true
    }

    /// Writes all channels of the guide, selected or not, because users select channels from this list.
    func listChannels(to output: String?) throws {
        var selection = ExportSelection()
        // No airing is in this window.
        selection.window = TimeWindow(start: .beginningOfTime, end: .beginningOfTime.advanced(by: 1))
        _ = try write(selection, to: output) { $0 }
    }

    private func write<Visitor: GuideVisitor>(
        _ selection: ExportSelection, to path: String?, _ wrap: (XMLTVExporter) -> Visitor
    ) throws -> (path: String, visitor: Visitor) {
        let storage = try configuration.guide()
        let output = try ExportShape.configured()
        return try storage.read { guide in
            let visitor = try OutputFile(at: path, of: storage).write { sink in
                let options = ExportOptions(
                    times: .shown, isStrict: true, generator: "swift-epg/\(EPGCommand.version)")
                let visitor = wrap(XMLTVExporter(options, to: sink))
                var selected = SelectedStations(for: ShapedGuide(for: visitor, output.settings, output.logos))
                try guide.export(selection, to: &selected)
                return selected.visitor.visitor
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

    private func log(_ message: String) {
        StandardError.write("\(Grabber.name): " + message.withoutControls + "\n")
    }
}
