import EPGCalendar
import EPGModel
import EPGRender

/// A diagnostic as a sentence that begins as a compiler's does.
///
/// ```
/// evening.xml:412: warning: touchline.example: “Grandstand” (Sat 24 Oct 15:00–17:10) overlaps with
///     another: cut at 17:00, when “Final Whistle” (line 419, 17:00–18:00) starts [overlap]
/// ```
struct DiagnosticText {
    private let diagnostic: Diagnostic
    private let file: String
    private let zone: Zone

    init(_ diagnostic: Diagnostic, file: String, zone: Zone) {
        self.diagnostic = diagnostic
        self.file = file
        self.zone = zone
    }

    /// The sentence with its line break, on further lines where the terminal is narrower.
    func text(for terminal: Terminal) -> String {
        let lines = Paragraph.lines(of: sentence, columns: terminal.columns.map { $0 - 4 })
        return lines.enumerated().map { index, line in (index == 0 ? "" : "    ") + line + "\n" }.joined()
    }

    /// The sentence on one line.
    var sentence: String {
        let place = diagnostic.line > 0 ? "\(file):\(diagnostic.line)" : file
        var text = "\(place): \(diagnostic.severity.rawValue): "
        if let station = diagnostic.station { text += isAboutStation ? "station \(station) " : "\(station): " }
        if let subject { text += subject + " " }
        return "\(text)\(finding): \(deed) [\(diagnostic.keyword.rawValue)]"
    }

    private var isAboutStation: Bool {
        [.duplicateid, .channelnoprogramme, .unknownid, .invalidid].contains(diagnostic.keyword)
    }

    /// The listing that it is about, with the times as published.
    private var subject: String? {
        guard let listing = diagnostic.listing else { return nil }
        let day = zone.date(at: listing.start).label
        let name = diagnostic.keyword == .emptytitle ? "a programme" : named(listing.title)
        return "\(name) (\(day) \(range(from: listing.start, to: listing.stop)))"
    }

    // MARK: - What was found

    private var finding: String {
        let quote = diagnostic.quote
        return switch diagnostic.keyword {
        case .missingstop: "has no stop"
        case .zerolength: "stops when it starts, as a heading does"
        case .duplicate: "is there twice"
        case .badclump: "shares its time with parts that don't agree"
        case .overlap: "overlaps with another"
        case .toolong: "is longer than can be believed"
        case .badstart: unreadable("start", quote)
        case .badstop: diagnostic.listing == nil ? unreadable("stop", quote) : "stops before it starts"
        case .invalidtimezone: "the zone of \(named(quote)) is unknown or has several meanings"
        case .missingtimezone: "times such as \(named(quote)) name no zone"
        case .emptytitle: "has no title"
        case .emptydescription: "has an empty description"
        case .badepisode: "has an episode number that can't be read"
        case .badentity: quote ?? "has an entity of HTML in a text"
        case .unknownid: diagnostic.station == nil ? "no station is named" : "is in no <channel>"
        case .invalidid:
            diagnostic.station == nil
                ? quote ?? "a <channel> has no id" : "has an identifier that isn't like a.b"
        case .duplicateid: "is described twice"
        case .channelnoprogramme: "has no programmes"
        case .noprogrammes: "there are no programmes"
        case .notvalid: diagnostic.action == .kept ? quote ?? "" : "\(named(quote)) has no place here"
        case .notwell: "this is not well-formed" + colon(quote)
        case .badiso8859, .badutf8: quote ?? "there are bytes that are no characters"
        }
    }

    private func colon(_ quote: String?) -> String { quote.map { ": \($0)" } ?? "" }

    private func unreadable(_ attribute: String, _ quote: String?) -> String {
        guard let quote, !quote.isEmpty else { return "no \(attribute) is given" }
        return "the \(attribute) \(named(quote)) can't be read"
    }

    // MARK: - What was done

    private var deed: String {
        let end = diagnostic.window.map { time($0.end) } ?? "another time"
        return switch diagnostic.action {
        case .kept: "kept as it is"
        case .inferredStop where diagnostic.window == nil: "one is inferred"
        case .inferredStop: "taken to stop at \(end)" + when
        case .trimmedStop: "cut at \(end)" + when
        case .merged: other.map { "merged with \($0)" } ?? "merged"
        case .dropped: "dropped" + (other.map { " for \($0)" } ?? "")
        case .skipped: "left out"
        case .createdStation: "made under its identifier"
        }
    }

    /// `, when “Final Whistle” (line 419, 17:00–18:00) starts`
    private var when: String {
        guard let other else { return "" }
        let isStart = diagnostic.window?.end == diagnostic.other?.start
        return isStart ? ", when \(other) starts" : ", for \(other)"
    }

    /// The other listing, with its line and its times as published.
    private var other: String? {
        diagnostic.other.map { other in
            let times = range(from: other.start, to: other.stop)
            return "\(named(other.title)) (line \(other.line), \(times))"
        }
    }

    // MARK: - Words

    /// A text of the feed in quotation marks.
    private func named(_ text: String?) -> String {
        guard let text, !text.isEmpty else { return "a programme without a title" }
        return "“\(text.prefix(80))”"
    }

    /// `15:00–17:10`; the start alone where no stop is known.
    private func range(from start: Instant, to stop: Instant?) -> String {
        zone.timeLabel(at: start) + (stop.map { "–\(time($0))" } ?? "")
    }

    /// The time, with its day where that isn't the day on which the listing starts.
    private func time(_ instant: Instant) -> String {
        zone.timeLabel(at: instant, seenFrom: diagnostic.listing?.start ?? instant)
    }
}
