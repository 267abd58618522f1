import EPGJSON
package import EPGModel

/// Writes a stored guide as an iCalendar file (RFC 5545), in memory that doesn't grow with it.
///
/// Each airing is a `VEVENT` with the times that the guide shows, in UTC. Its `UID` is made of station, start and place
/// in the clump, so a calendar that subscribes to the file sees a changed airing as the same one.
package struct CalendarExporter: GuideVisitor {
    /// Airings that were left out: iCalendar can't write a time outside of the years 0 to 9999.
    package private(set) var leftOut = 0

    private let name: String
    private let generator: String
    private let stamp: String
    private let sink: ExportSink
    private var bytes: [UInt8] = []
    private var stationNames: [StationID: String] = [:]

    /// - Parameters:
    ///   - name: What calendar programs call it.
    ///   - generator: Who writes it.
    ///   - now: The instant that `DTSTAMP` gets.
    ///   - sink: Takes the bytes, some 64 KiB at a time.
    package init(name: String, generator: String = "swift-epg", now: Instant, to sink: @escaping ExportSink) {
        self.name = name
        self.generator = generator
        stamp = now.calendarTime ?? "19700101T000000Z"
        self.sink = sink
    }

    package mutating func begin(header: [ContentAttribute]) throws {
        add(ContentLine("BEGIN", "VCALENDAR"))
        add(ContentLine("VERSION", "2.0"))
        add(ContentLine("PRODID", text: "-//\(generator)//TV guide//EN"))
        add(ContentLine("CALSCALE", "GREGORIAN"))
        add(ContentLine("METHOD", "PUBLISH"))
        add(ContentLine("X-WR-CALNAME", text: name))
    }

    package mutating func station(_ row: StationRow, nodes: [ContentNode]) throws {
        stationNames[row.station.id] = row.station.name
    }

    package mutating func airing(_ airing: ExportedAiring) throws {
        guard let start = airing.window.start.calendarTime, let end = airing.window.end.calendarTime else {
            leftOut += 1
            return
        }
        let station = airing.station.rawValue
        let part = airing.clump.map { "-\($0.index)" } ?? ""
        add(ContentLine("BEGIN", "VEVENT"))
        add(ContentLine("UID", text: "\(start)\(part)-\(station)@swift-epg"))
        add(ContentLine("DTSTAMP", stamp))
        add(ContentLine("DTSTART", start))
        add(ContentLine("DTEND", end))
        // A TV guide doesn't make anybody busy.
        add(ContentLine("TRANSP", "TRANSPARENT"))
        let content = Content(try airing.programme.nodes())
        add(ContentLine("SUMMARY", text: content.title ?? stationNames[airing.station] ?? station))
        add(ContentLine("LOCATION", text: stationNames[airing.station] ?? station))
        if let description = content.fullDescription { add(ContentLine("DESCRIPTION", text: description)) }
        if !content.categories.isEmpty { add(ContentLine("CATEGORIES", texts: content.categories)) }
        add(ContentLine("END", "VEVENT"))
        if bytes.count > 64 << 10 { try flush() }
    }

    package mutating func end() throws {
        add(ContentLine("END", "VCALENDAR"))
        try flush()
    }

    private mutating func add(_ line: ContentLine) { line.write(to: &bytes) }

    private mutating func flush() throws {
        try sink(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}

extension CalendarExporter {
    /// What a calendar shows of a programme: the first of each, without its language.
    private struct Content {
        private(set) var title: String?
        private var subtitle: String?
        private var description: String?
        private(set) var categories: [String] = []

        init(_ nodes: [ContentNode]) {
            for case .element(let element) in nodes {
                let text = element.textContent
                guard !text.isEmpty else { continue }
                switch element.name {
                case "title" where title == nil: title = text
                case "sub-title" where subtitle == nil: subtitle = text
                case "desc" where description == nil: description = text
                case "category" where !categories.contains(text): categories.append(text)
                default: break
                }
            }
        }

        /// The sub-title and the description, each on a line of its own.
        var fullDescription: String? {
            let parts = [subtitle, description].compactMap { $0 }
            return parts.isEmpty ? nil : parts.joined(separator: "\n")
        }
    }
}

extension Instant {
    /// `20260329T003000Z`; `nil` outside of the years 0000 to 9999.
    fileprivate var calendarTime: String? {
        guard isWritable else { return nil }
        return iso8601.filter { $0 != "-" && $0 != ":" }
    }
}
