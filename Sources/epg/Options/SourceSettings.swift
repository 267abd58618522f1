import ArgumentParser
import EPGCalendar
import EPGModel
import XMLTV

/// How a source is read.
struct SourceSettings: ParsableArguments {
    @Option(
        name: [.customLong("zone"), .customLong("time-zone")],
        help: ArgumentHelp("The zone of the guide's times that name none. The default is UTC.", valueName: "zone"))
    var timeZone: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Seconds to add to all times.", valueName: "seconds"))
    var shift: Int64?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How often it may be asked: 6h, 30m, 1d. The default is at every refresh.", valueName: "interval"))
    var every: RefreshInterval?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Which source is shown where several know a station: the highest. The default is 0.", valueName: "n"))
    var priority: Int?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Only stations whose identifier matches one of these; * alone is all of them.", valueName: "pattern"))
    var stations: [String] = []

    @Option(
        help: ArgumentHelp(
            "The encoding of its guide, such as windows-1251; auto is what its bytes tell, the default.",
            valueName: "name"))
    var encoding: String?

    func validate() throws {
        guard (shift ?? 0).magnitude <= 10 * 366 * 86_400 else {
            throw ValidationError("--shift is a number of seconds below ten years.")
        }
        guard (priority ?? 0).magnitude <= 1_000_000 else {
            throw ValidationError("--priority is a number below a million.")
        }
        guard !stations.contains(where: { $0.isEmpty || $0.contains("\n") }) else {
            throw ValidationError("A pattern of --stations is a text on one line.")
        }
        if let encoding, !Self.isAutomatic(encoding) { try EncodingNames.check(encoding) }
    }

    /// Sets what was named.
    ///
    /// - Throws: `ZoneError` where there is no such zone.
    func apply(to source: inout Source) throws(ZoneError) {
        if let timeZone {
            _ = try Zone(named: timeZone)
            source.timeZone = timeZone
        }
        source.shift = shift ?? source.shift
        source.interval = every?.seconds ?? source.interval
        source.priority = priority ?? source.priority
        if !stations.isEmpty { source.stations = stations == ["*"] ? [] : stations }
        if let encoding { source.encoding = Self.isAutomatic(encoding) ? nil : encoding }
    }

    /// Whether the bytes of a guide are to tell its encoding.
    private static func isAutomatic(_ encoding: String) -> Bool { encoding.lowercased() == "auto" }
}
