import EPGCalendar
import EPGImport
import EPGModel

extension ImportOrder {
    /// Reads the parameters, which are those of `epg import`.
    init(_ request: inout RequestReader, now: Instant) throws(Problem) {
        self.init(source: try request.text("source") ?? "default", now: now)
        format = try request.text("format", atMost: 20).map { text throws(Problem) in
            guard let format = ImportFormat(rawValue: text) else {
                let all = ImportFormat.allCases.map(\.rawValue).joined(separator: ", ")
                throw .badParameter("format", "“\(text)” isn't one of \(all); leave it out, and the bytes tell.")
            }
            return format
        }
        lineup = try request.text("lineup")
        for (parameter, name) in [("source", source), ("lineup", lineup ?? "")] where name.hasURLCredentials {
            throw .badParameter(parameter, "a name is public and must not contain a user or password.")
        }
        timeZone = try request.text("timeZone", atMost: 64)
        if let timeZone {
            do {
                _ = try Zone(named: timeZone)
            } catch {
                throw .badParameter(
                    "timeZone", "there is no zone “\(timeZone)”; give an IANA name such as Europe/London.")
            }
        }
        let longest = 10 * 366 * 86_400
        let shift = try request.integer("shift", default: 0, in: -longest...longest)
        self.shift = shift == 0 ? nil : Int64(shift)
        options.encoding = try request.text("encoding", atMost: 64)
        options.takesPartial = try request.choice("partial", default: Toggle.off).isOn
        options.isStrict = try request.choice("strict", default: Toggle.off).isOn
        guard !options.isStrict || !options.takesPartial else {
            throw .badParameter("strict", "it refuses a file that was cut off, and partial takes what is whole of it.")
        }
        options.stations =
            try request.text("stations", atMost: 2000)?.split(separator: ",").map {
                StationPattern(String($0))
            } ?? []
        let days = try request.integer("days", default: 0, in: 0...3660)
        guard days > 0 else { return }
        let (zone, start) = try request.today()
        options.window = TimeWindow(
            start: start, end: max(start, zone.start(of: zone.date(at: start).advanced(byDays: days))))
    }
}
