import EPGJSON
package import EPGModel

/// A streaming exporter of a stored guide to iCalendar (RFC 5545), in constant memory.
///
/// Each airing is a `VEVENT` with the times that the guide shows, in UTC. Its `UID` consists of station, start, and
/// position in the clump, so that subscribed calendars recognize a changed airing. The `STATUS` of a derived airing is
/// `TENTATIVE` (RFC 5545, 3.8.1.11).
package struct CalendarExporter: GuideVisitor {
    /// The number of airings that were skipped: iCalendar can't represent times outside the years 0 to 9999.
    package private(set) var omittedCount = 0

    private let name: String
    private let generator: String
    private let stamp: String
    private let sink: ExportSink
    private var bytes: [UInt8] = []
    private var stationNames: [StationID: String] = [:]
    private var hasEvents = false

    /// - Parameters:
    ///   - name: The name of the calendar.
    ///   - generator: The name of the program that writes it.
    ///   - now: The instant for `DTSTAMP`.
    ///   - sink: Receives the bytes in pieces of about 64 KiB.
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
        let station = airing.station.rawValue
        let part = airing.clump.map { "-\($0.index)" } ?? ""
        let content = Content(try airing.programme.nodes())
        try event(
            CalendarEvent(
                identifier: "\(airing.window.start.calendarTime ?? "")\(part)-\(station)@swift-epg",
                window: airing.window,
                summary: content.title ?? Airing.untitled,
                location: stationNames[airing.station] ?? station, description: content.fullDescription,
                isTentative: airing.programme.marks.contains(.derived), categories: content.categories))
    }

    /// Writes an event.
    package mutating func event(_ event: CalendarEvent) throws {
        guard let start = event.window.start.calendarTime, let end = event.window.end.calendarTime else {
            omittedCount += 1
            return
        }
        hasEvents = true
        add(ContentLine("BEGIN", "VEVENT"))
        add(ContentLine("UID", text: event.identifier))
        add(ContentLine("DTSTAMP", stamp))
        add(ContentLine("DTSTART", start))
        add(ContentLine("DTEND", end))
        // A TV guide doesn't block anyone's time.
        add(ContentLine("TRANSP", "TRANSPARENT"))
        add(ContentLine("SUMMARY", text: event.summary))
        add(ContentLine("LOCATION", text: event.location))
        if let description = event.description { add(ContentLine("DESCRIPTION", text: description)) }
        if event.isTentative { add(ContentLine("STATUS", "TENTATIVE")) }
        if !event.categories.isEmpty { add(ContentLine("CATEGORIES", texts: event.categories)) }
        if let minutes = event.alarmMinutes {
            add(ContentLine("BEGIN", "VALARM"))
            add(ContentLine("ACTION", "DISPLAY"))
            add(ContentLine("DESCRIPTION", text: event.summary))
            add(ContentLine("TRIGGER", "-PT\(minutes)M"))
            add(ContentLine("END", "VALARM"))
        }
        add(ContentLine("END", "VEVENT"))
        if bytes.count > 64 << 10 { try flush() }
    }

    package mutating func end() throws {
        // A calendar has at least one component (RFC 5545, 3.6).
        if !hasEvents {
            for (name, value) in [
                ("BEGIN", "VTIMEZONE"), ("TZID", "UTC"), ("BEGIN", "STANDARD"), ("DTSTART", "19700101T000000"),
                ("TZOFFSETFROM", "+0000"), ("TZOFFSETTO", "+0000"), ("END", "STANDARD"), ("END", "VTIMEZONE"),
            ] { add(ContentLine(name, value)) }
        }
        add(ContentLine("END", "VCALENDAR"))
        try flush()
    }

    private mutating func add(_ line: ContentLine) { line.write(to: &bytes) }

    private mutating func flush() throws {
        try sink(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}

/// An event of a calendar.
package struct CalendarEvent: Sendable {
    /// The `UID`, by which subscribed calendars recognize a changed event.
    package let identifier: String
    package let window: TimeWindow
    package let summary: String
    package let location: String
    package let description: String?
    package let isTentative: Bool
    package let categories: [String]
    /// The minutes before the start at which an alarm is due; `nil` for no alarm.
    package let alarmMinutes: Int?

    /// Creates an event, by default without an alarm.
    package init(
        identifier: String, window: TimeWindow, summary: String, location: String, description: String?,
        isTentative: Bool, categories: [String], alarmMinutes: Int? = nil
    ) {
        self.identifier = identifier
        self.window = window
        self.summary = summary
        self.location = location
        self.description = description
        self.isTentative = isTentative
        self.categories = categories
        self.alarmMinutes = alarmMinutes
    }
}

extension CalendarExporter {
    /// The texts that a calendar shows of a programme: the first of each kind, without its language.
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

        /// The sub-title and the description on separate lines.
        var fullDescription: String? {
            let parts = [subtitle, description].compactMap { $0 }
            return parts.isEmpty ? nil : parts.joined(separator: "\n")
        }
    }
}

extension Instant {
    /// The time as `20260329T003000Z`, or `nil` outside the years 0000 to 9999.
    fileprivate var calendarTime: String? {
        guard hasFourDigitYear else { return nil }
        return iso8601.filter { $0 != "-" && $0 != ":" }
    }
}

/// A content line of an iCalendar file (RFC 5545, 3.1): name, parameters, and value, folded to at most 75 octets per
/// line.
private struct ContentLine {
    private var bytes: [UInt8] = []

    /// Starts a line with a name, such as `SUMMARY`, and the colon.
    init(_ name: String) {
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Creates a line with an unescaped value, such as a time.
    init(_ name: String, _ value: String) {
        self.init(name)
        bytes.append(contentsOf: value.utf8)
    }

    /// Creates a line with a text.
    init(_ name: String, text: String) {
        self.init(name)
        append(text: text)
    }

    /// Creates a line with a list of texts.
    init(_ name: String, texts: [String]) {
        self.init(name)
        for (index, text) in texts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(text: text)
        }
    }

    /// Appends a value of the type TEXT (RFC 5545, 3.3.11): escapes `\`, `;`, `,`, and line breaks, and replaces other
    /// control characters, which are not allowed, and C1 controls by spaces.
    private mutating func append(text: String) {
        var wasReturn = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",": bytes += [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
            case "\n" where wasReturn: break
            case "\n", "\r": bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case "\t": bytes.append(UInt8(ascii: "\t"))
            case "\0"..<" ", "\u{7F}"..<"\u{A0}": bytes.append(UInt8(ascii: " "))
            default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
            wasReturn = scalar == "\r"
        }
    }

    /// Writes the line, folded after at most 75 octets with CRLF and a space. Never splits a character.
    ///
    /// - Complexity: O(bytes).
    func write(to output: inout [UInt8]) {
        var start = 0
        // The space of a continuation line counts, too.
        var room = 75
        while bytes.count - start > room {
            var end = start + room
            while end > start + 1, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            output.append(contentsOf: bytes[start..<end])
            output.append(contentsOf: [0x0D, 0x0A, 0x20])
            start = end
            room = 74
        }
        output.append(contentsOf: bytes[start...])
        output.append(contentsOf: [0x0D, 0x0A])
    }
}
