import EPGCalendar
import EPGHTTP
import EPGImport
import EPGModel
import EPGServer
import HTTPTypes
import XMLTV

/// The settings of a source in a form.
struct SourceFields: Sendable {
    /// The new URL; `nil` to keep the current one.
    var location: String?
    var interval: Int64?
    var timeZone: String?
    var shift: Int64
    var encoding: String?
    var stations: [String]
    var groups: [String]
    /// Whether to follow the guides of a playlist; `nil` for a guide.
    var followsGuides: Bool?
    var completes: Bool

    /// - Throws: ``Problem`` with status 422 for an invalid value.
    init(_ form: Form) throws(Problem) {
        location = try form.text("location", maximumLength: 2000)
        if let location { try SourceFields.checkURL(location, field: "location") }
        interval = nil
        if let text = try form.text("interval") {
            guard let seconds = SourceFields.interval(text) else {
                throw Problem(
                    .unprocessableContent,
                    "“\(text.prefix(40))” is not a time such as 30m, 6h or 1d, at most 10 years.",
                    parameter: "interval")
            }
            interval = seconds
        }
        timeZone = try SourceFields.zone(form)
        let shiftText = try form.text("shift") ?? "0"
        guard let shift = Int64(shiftText), shift.magnitude <= 10 * 366 * 86_400 else {
            throw Problem(
                .unprocessableContent, "The shift must be a number of seconds, at most ten years.", parameter: "shift")
        }
        self.shift = shift
        encoding = try form.text("encoding")
        if let encoding {
            guard EncodingNames.canonical(encoding) != nil else {
                throw Problem(
                    .unprocessableContent,
                    "Unknown encoding “\(encoding.prefix(40))”; examples: \(EncodingNames.examples).",
                    parameter: "encoding")
            }
        }
        stations = (try form.text("stations", maximumLength: 4000) ?? "").split(separator: " ").map(String.init)
        groups = (try form.text("groups", maximumLength: 4000) ?? "").split(separator: ";")
            .map { String($0).trimmingBlanks }.filter { !$0.isEmpty && $0 != "*" }
        followsGuides = form["playlist"] == nil ? nil : form["follow-guides"] != nil
        completes = form["completes"] == "1"
    }

    /// Returns the zone in the field `zone`; `nil` if it is blank.
    ///
    /// - Throws: ``Problem`` with status 422 for an unknown zone.
    static func zone(_ form: Form) throws(Problem) -> String? {
        guard let text = try form.text("zone") else { return nil }
        let name = ZoneChoice.name(of: text)
        do throws(ZoneError) {
            _ = try Zone(named: name)
            return name
        } catch {
            let shown = text.prefix(40)
            guard case .unknownName(_, let suggestions) = error, !suggestions.isEmpty else {
                throw Problem(
                    .unprocessableContent,
                    "There is no time zone “\(shown)”. Choose one from the list, such as Europe/London.",
                    parameter: "zone")
            }
            throw Problem(
                .unprocessableContent,
                "There is no time zone “\(shown)”. Did you mean \(suggestions.joined(separator: ", "))?",
                parameter: "zone")
        }
    }

    /// Checks that a text is a URL.
    ///
    /// - Parameter field: The name of its field.
    /// - Throws: ``Problem`` with status 422.
    static func checkURL(_ text: String, field: String) throws(Problem) {
        guard isWebURL(text) else {
            throw Problem(
                .unprocessableContent, "The URL must begin with http:// or https://.", parameter: field)
        }
    }

    private static func isWebURL(_ text: String) -> Bool {
        ["http://", "https://"].contains(where: text.lowercased().hasPrefix) && !text.contains(" ")
    }

    /// Returns the URL that a user entered, perhaps without its scheme: `example.com/guide.xml`.
    ///
    /// - Returns: The URL, with https if the text has no scheme; and then the same with http, for servers without TLS.
    /// - Throws: ``Problem`` with status 422 for another text.
    static func completedURL(_ text: String, field: String) throws(Problem) -> (url: String, orElse: String?) {
        if isWebURL(text) { return (text, nil) }
        let host = text.prefix { !"/?#".contains($0) }
        let parts = host.split(separator: ":", omittingEmptySubsequences: false)
        let isBare = host.endIndex == text.endIndex
        let suffix = parts[0].split(separator: ".").last?.lowercased() ?? ""
        if isBare, fileSuffixes.contains(suffix) {
            throw Problem(
                .unprocessableContent,
                "“\(text.prefix(40))” is the name of a file. Choose the file below, or enter its complete URL.",
                parameter: field)
        }
        let isHost =
            parts.count <= 2 && (parts[0].contains(".") || parts[0] == "localhost" || parts.count == 2)
            && parts[0].utf8.allSatisfy { $0 >= 0x80 || $0.isHostByte } && !parts[0].isEmpty
        let isPort = parts.count < 2 || (UInt16(parts[1]) ?? 0) > 0
        guard isHost, isPort, !text.contains(" ") else {
            throw Problem(
                .unprocessableContent, "Enter a URL such as https://example.com/guide.xml.", parameter: field)
        }
        // A query or a user name may have a password, which must not be sent in clear.
        let isOpen = !text.contains { "?@".contains($0) }
        return ("https://\(text)", isOpen ? "http://\(text)" : nil)
    }

    /// The ends of names of files, none of which is a top-level domain.
    private static let fileSuffixes: Set<String> = ["xml", "xmltv", "gz", "xz", "bz2", "json", "m3u", "m3u8"]

    func apply(to source: inout Source) {
        if source.account == nil { source.location = location ?? source.location }
        source.interval = interval
        source.timeZone = timeZone
        source.shift = shift
        source.encoding = encoding
        source.stations = stations
        source.groups = groups
        source.followsGuides = followsGuides ?? source.followsGuides
        // The form of a playlist has no such field.
        if followsGuides == nil { source.completes = completes }
    }

    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]

    /// Returns the seconds of a time such as `6h`, as `epg source --every` reads it; `nil` if it is invalid.
    static func interval(_ text: String) -> Int64? {
        let unit = text.last.flatMap { units[$0] }
        guard let number = Int64(unit == nil ? text[...] : text.dropLast()), (1...315_360_000).contains(number) else {
            return nil
        }
        let (product, overflows) = number.multipliedReportingOverflow(by: unit ?? 1)
        return overflows || product > 315_360_000 ? nil : product
    }

    static func text(ofInterval seconds: Int64) -> String {
        for unit in ["d", "h", "m"] as [Character] {
            let size = units[unit] ?? 1
            if seconds % size == 0 { return "\(seconds / size)\(unit)" }
        }
        return String(seconds)
    }
}

/// The order that an administrator gives to sources.
struct SourceOrder: Sendable {
    private let names: [String]
    /// The limit of priorities, as in `epg source --priority`.
    private static let maximum = 1_000_000

    /// - Parameter names: The names of sources, the source with the highest priority first. The place of derived listings, which
    ///   always come last, does not matter.
    init(_ names: [String]) {
        self.names = names.filter { $0 != Derivation.source.name }
    }

    /// Returns the sources whose priorities must change so that the sources have this order.
    ///
    /// - Parameters:
    ///   - sources: All sources. Those without a place in the order keep their priority.
    ///   - fixed: The names of sources whose priority cannot change.
    func priorities(of sources: [Source], keeping fixed: Set<String>) -> [Source] {
        let known = Dictionary(sources.map { ($0.name, $0) }) { first, _ in first }
        let ordered = names.compactMap { known[$0] }
        func isFixed(_ source: Source) -> Bool { fixed.contains(source.name) }
        var changed: [Source] = []
        // From the lowest source on, each movable one keeps its priority if that is between its neighbors'.
        var below: Int?
        for (index, source) in ordered.enumerated().reversed() {
            guard !isFixed(source) else {
                below = max(source.priority, below ?? source.priority)
                continue
            }
            let above = ordered[..<index].last(where: isFixed)?.priority
            let lowest = below.map { $0 + 1 } ?? min(source.priority, above.map { $0 - ordered.count } ?? .max)
            var moved = source
            if source.priority < lowest || above.map({ source.priority >= $0 }) ?? false { moved.priority = lowest }
            moved.priority = min(max(moved.priority, -Self.maximum), Self.maximum)
            if moved != source { changed.append(moved) }
            below = moved.priority
        }
        return changed
    }
}

extension UInt8 {
    /// Whether the character may be in the name of a host in ASCII.
    fileprivate var isHostByte: Bool {
        (0x30...0x39).contains(self) || (0x61...0x7A).contains(self | 0x20) || self == 0x2D || self == 0x2E
            || self == 0x5F
    }
}
