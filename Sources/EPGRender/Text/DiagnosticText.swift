package import EPGCalendar
package import EPGModel

/// A diagnostic as a sentence, in the form of a compiler message.
///
/// ```
/// evening.xml:412: warning: touchline.example: “Grandstand” (Sat 24 Oct 2026 15:00–17:10) overlaps another
///     airing: stop changed to 17:00, when “Final Whistle” (line 419, 17:00–18:00) starts [overlap]
/// ```
package struct DiagnosticText: Sendable {
    private let diagnostic: Diagnostic
    private let file: String
    private let zone: Zone
    /// Remarks that follow the handling of a problem, such as the option that changes it.
    private let hints: [Diagnostic.Keyword: String]

    /// - Parameters:
    ///   - file: The name of the file; empty to omit it.
    ///   - zone: The time zone of times.
    package init(_ diagnostic: Diagnostic, file: String, zone: Zone, hints: [Diagnostic.Keyword: String]) {
        self.diagnostic = diagnostic
        self.file = file
        self.zone = zone
        self.hints = hints
    }

    /// The message on one line: the place, the severity, the problem with its handling, and the keyword.
    package var message: String {
        let place = diagnostic.line > 0 ? "\(file):\(diagnostic.line)" : file
        return "\(place): \(diagnostic.severity.rawValue): \(sentence) [\(diagnostic.keyword.rawValue)]"
    }

    /// The problem and its handling.
    package var sentence: String {
        var text = ""
        if let station = diagnostic.station { text += isAboutStation ? "station \(station) " : "\(station): " }
        if let subject { text += subject + " " }
        let hint = hints[diagnostic.keyword].map { " \($0)" } ?? ""
        return text + problem + (handling.map { ": \($0)\(hint)" } ?? "")
    }

    private var isAboutStation: Bool {
        diagnostic.listing == nil
            && [.duplicateid, .channelnoprogramme, .unknownid, .invalidid, .emptyelement].contains(diagnostic.keyword)
    }

    /// The affected listing, with its published times.
    private var subject: String? {
        guard let listing = diagnostic.listing else { return nil }
        let day = zone.dayLabel(at: listing.start)
        let name = diagnostic.keyword == .emptytitle ? "a programme" : named(listing.title)
        return "\(name) (\(day) \(range(from: listing.start, to: listing.stop)))"
    }

    // MARK: - Problem

    private var problem: String {
        let quote = diagnostic.quote
        return switch diagnostic.keyword {
        case .missingstop: "has no stop"
        case .zerolength: "stops when it starts"
        case .duplicate: "is a duplicate"
        case .badclump: "has an inconsistent clumpidx"
        case .overlap: "overlaps another airing"
        case .toolong: "is implausibly long"
        case .doublebill: "has the same title and time as another episode"
        case .twoschedules: "conflicts with another schedule under the same station identifier"
        case .doubleencoding: "has text that was encoded as UTF-8 twice"
        case .sharedstart: "starts at the same time as another programme"
        case .badstart: unreadable("start", quote)
        case .badyear: quote ?? "programmes start in implausible years"
        case .badstop: diagnostic.listing == nil ? unreadable("stop", quote) : "stops before it starts"
        case .invalidtimezone:
            "the time zone of \(named(quote)) is \(diagnostic.action == .kept ? "ambiguous" : "unknown")"
        case .missingtimezone: "times such as \(named(quote)) have no time zone"
        case .emptytitle: "has no title"
        case .emptydescription: "has an empty description"
        case .emptyelement: "has an empty element, which is left out"
        case .badepisode: "has an invalid episode number"
        case .badentity: quote ?? "contains an HTML entity"
        case .unknownid: diagnostic.station == nil ? "a programme has no station" : "has no description"
        case .invalidid:
            diagnostic.station == nil
                ? quote ?? "a <channel> has no id" : "has an identifier that is not of the form a.b"
        case .duplicateid: "has two descriptions"
        case .channelnoprogramme: "has no programmes"
        case .noprogrammes: "there are no programmes"
        case .notvalid: diagnostic.action == .kept ? quote ?? "" : "\(named(quote)) is not allowed here"
        case .notwell: "not well-formed" + colon(quote)
        case .badiso8859, .badutf8: quote ?? "invalid bytes for the encoding"
        }
    }

    private func colon(_ quote: String?) -> String { quote.map { ": \($0)" } ?? "" }

    private func unreadable(_ attribute: String, _ quote: String?) -> String {
        guard let quote, !quote.isEmpty else { return "a programme has no \(attribute)" }
        return "the \(attribute) \(named(quote)) is invalid"
    }

    // MARK: - Handling

    /// What the import did; `nil` if the problem changed nothing.
    private var handling: String? {
        let end = diagnostic.window.map { time($0.end) } ?? "another time"
        return switch diagnostic.action {
        case .kept: kept
        case .inferredStop where diagnostic.window == nil: "a stop is inferred"
        case .inferredStop: "stop inferred as \(end)" + reason
        case .trimmedStop: "stop changed to \(end)" + reason
        case .continued:
            "continues from \(diagnostic.window.map { time($0.start) } ?? "another time") to \(end)"
                + (other.map { ", after \($0)" } ?? "")
        case .decodedText: "decoded once more"
        case .merged: other.map { "merged with \($0)" } ?? "merged"
        case .dropped where diagnostic.keyword == .zerolength:
            "dropped" + (other.map { ", as a heading of \($0)" } ?? "")
        case .dropped: "dropped" + (other.map { " in favor of \($0)" } ?? "")
        case .skipped: "skipped"
        case .createdStation: "station created from its identifier"
        }
    }

    /// The handling of a problem that did not change the listing.
    private var kept: String? {
        switch diagnostic.keyword {
        case .missingtimezone: "read as UTC unless the source sets a time zone"
        case .invalidtimezone: "read with its most common offset"
        case .badclump: "all parts are kept"
        case .doublebill: "both share the time" + (other.map { ", with \($0)" } ?? "")
        case .sharedstart:
            "all that start then share the time" + (diagnostic.window.map { " until \(time($0.end))" } ?? "")
        case .twoschedules:
            "until \(diagnostic.window.map { time($0.end) } ?? "the end"), only the listings that fill more time are kept"
        default: nil
        }
    }

    /// `, when “Final Whistle” (line 419, 17:00–18:00) starts`
    private var reason: String {
        guard let other else { return "" }
        let isStart = diagnostic.window?.end == diagnostic.other?.start
        return isStart ? ", when \(other) starts" : ", because of \(other)"
    }

    /// The other listing, with its line and its published times.
    private var other: String? {
        diagnostic.other.map { other in
            let times = range(from: other.start, to: other.stop)
            return "\(named(other.title)) (line \(other.line), \(times))"
        }
    }

    // MARK: - Private

    /// Text of the guide in quotation marks, at most 80 characters.
    private func named(_ text: String?) -> String {
        guard let text, !text.isEmpty else { return "a programme without a title" }
        return "“\(text.prefix(80))”"
    }

    /// `15:00–17:10`, or only the start if no stop is known.
    private func range(from start: Instant, to stop: Instant?) -> String {
        zone.timeLabel(at: start) + (stop.map { "–\(time($0))" } ?? "")
    }

    /// The time, with the day if it differs from the start day of the listing.
    private func time(_ instant: Instant) -> String {
        zone.timeLabel(at: instant, seenFrom: diagnostic.listing?.start ?? instant)
    }
}

extension Diagnostic.Keyword {
    /// A description for a summary.
    package var meaning: String {
        switch self {
        case .missingstop: "no stop; inferred"
        case .zerolength: "stop equal to the start"
        case .duplicate: "duplicate airing"
        case .badclump: "inconsistent clumpidx"
        case .overlap: "overlapping airings"
        case .toolong: "implausibly long airing"
        case .doublebill: "several episodes at the same time"
        case .twoschedules: "station with two schedules under one identifier"
        case .doubleencoding: "text encoded as UTF-8 twice"
        case .sharedstart: "several programmes with one start"
        case .badstart: "missing or invalid start"
        case .badyear: "start before 1990, or in 2100 or later"
        case .badstop: "invalid stop, or stop before the start"
        case .invalidtimezone: "unknown or ambiguous time zone"
        case .missingtimezone: "times without a time zone"
        case .emptytitle: "no title"
        case .emptydescription: "an empty description"
        case .emptyelement: "an empty element"
        case .badepisode: "invalid episode number"
        case .badentity: "undefined entity"
        case .unknownid: "station without a description, or no station"
        case .invalidid: "identifier missing, too long, or not of the form a.b"
        case .duplicateid: "station with two descriptions"
        case .channelnoprogramme: "station without programmes"
        case .noprogrammes: "guide without programmes"
        case .notvalid: "element, attribute or value not allowed"
        case .notwell: "not well-formed"
        case .badiso8859, .badutf8: "bytes invalid in the encoding"
        }
    }
}
