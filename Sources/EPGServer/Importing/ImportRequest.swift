import EPGCalendar
package import EPGImport
package import EPGJSON
package import EPGModel
import EPGRender

/// Imports guides and playlists into a store.
package protocol GuideImporting: Sendable {
    /// Imports the body of a request, whose bytes tell its format. Blocks the thread.
    ///
    /// - Throws: ``ImportRefusal``. The guide is unchanged then.
    func importBody(_ body: SpoolFile, as order: ImportOrder) throws -> ImportReply
}

/// How to import a guide or a playlist.
package struct ImportOrder: Sendable {
    /// The name of the source.
    package var source: String
    /// The format that the body must have; `nil` for any.
    package var format: ImportFormat?
    /// The name of the lineup of a playlist; `nil` for the name of the source.
    package var lineup: String?
    /// The zone of times without one; `nil` for that of the source.
    package var timeZone: String?
    /// Seconds to add to all times; `nil` for those of the source.
    package var shift: Int64?
    package var options: ImportOptions
    package var now: Instant

    /// Creates an order with the default options, for a guide or a playlist in any format.
    package init(source: String, now: Instant) {
        self.source = source
        self.now = now
        options = ImportOptions()
    }

    /// Reads the parameters, which are those of `epg import`.
    init(_ parameters: inout ParameterReader, now: Instant) throws(Problem) {
        self.init(source: try parameters.text("source") ?? "default", now: now)
        format = try parameters.value(
            "format", maximumLength: 20,
            expected: "one of \(ImportFormat.allCases.map(\.rawValue).joined(separator: ", "))"
        ) { ImportFormat(rawValue: $0) }
        lineup = try parameters.text("lineup")
        for (parameter, name) in [("source", source), ("lineup", lineup ?? "")] where name.hasURLCredentials {
            throw .badParameter(parameter, "the name is public and must not contain a user name or password.")
        }
        timeZone = try parameters.text("timeZone", maximumLength: 64)
        if let timeZone, ZoneCache.shared.zone(named: timeZone) == nil {
            throw .badParameter("timeZone", "there is no zone “\(timeZone)”. Use an IANA name such as Europe/London.")
        }
        let maximumShift = 10 * 366 * 86_400
        let shift = try parameters.integer("shift", default: 0, in: -maximumShift...maximumShift)
        self.shift = shift == 0 ? nil : Int64(shift)
        options.encoding = try parameters.text("encoding", maximumLength: 64)
        options.takesPartial = try parameters.choice("partial", default: Toggle.off).isOn
        options.isStrict = try parameters.choice("strict", default: Toggle.off).isOn
        guard !options.isStrict || !options.takesPartial else {
            throw .badParameter("strict", "strict=1 rejects truncated files, and partial=1 accepts them. Use only one.")
        }
        let stations = try parameters.text("stations", maximumLength: 2000)?.split(separator: ",") ?? []
        options.stations = stations.map { StationPattern(String($0)) }
        let days = try parameters.integer("days", default: 0, in: 0...3660)
        guard days > 0 else { return }
        let (zone, start) = try parameters.today()
        options.window = TimeWindow(
            start: start, end: max(start, zone.start(of: zone.date(at: start).advanced(byDays: days))))
    }
}

/// The formats of bodies.
package enum ImportFormat: String, CaseIterable, Sendable, CustomStringConvertible {
    case xmltv, json, m3u

    package var description: String { rawValue }
}

/// The outcome of an import.
package enum ImportReply: Sendable {
    case guide(ImportOutcome, source: String)
    case lineup(LineupOutcome, name: String)
}

extension ImportReply: JSONObject {
    /// Writes the members that `epg import --json` writes: `file`, `source` and `outcome` of a guide; `file`, `lineup`,
    /// `channels`, `matched`, `unmatched` and `changedGuide` of a playlist.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("file", "request body")
        switch self {
        case .guide(let outcome, let source):
            json.member("source", source)
            json.member("outcome", outcome)
        case .lineup(let outcome, let name):
            json.member("lineup", name)
            json.member("channels", outcome.channels)
            json.member(
                "matched",
                object: { json in
                    for rule in ChannelMatchRule.allCases {
                        if let count = outcome.matched[rule] { json.member(named: rule.rawValue, count) }
                    }
                })
            json.member("unmatched", outcome.unmatched)
            json.member("changedGuide", outcome.changedGuide)
        }
    }
}

/// Why nothing was imported.
package enum ImportRefusal: Error, Hashable, Sendable {
    /// Another process writes to the guide.
    case busy
    /// The body is not a guide or is broken. The text is for the client.
    case refused(String)
    /// The body exceeds a limit of imports. The text is for the client.
    case tooLarge(String)
    /// A parameter is invalid: its name and what is wrong. The text is for the client.
    case badParameter(String, String)
    /// The store failed. The text is for the log.
    case failed(String)
}
