import CPage
package import EPGCalendar
import EPGJSON
package import EPGModel

/// The texts of pages in one language, from a file of `Sources/C/Page/Texts`.
///
/// A file has the members `name` (the language in its own words), `dates`, and three objects of texts: `grid`, which the scripts of the
/// guide need at once, `more`, which other scripts need, and `pages`, which only the service needs. A text may have placeholders such as
/// `{title}`. A text that depends on a number is an object with a text for each plural category of the language (CLDR).
package struct PageTexts: Sendable {
    /// A text, or its plural forms.
    fileprivate enum Text: Sendable {
        case plain(String)
        case plural([PluralCategory: String])
    }

    /// The language (BCP 47), such as `de`.
    package let language: String
    /// The language in its own words, such as `Deutsch`.
    package let name: String
    /// The names of days and months.
    package let dates: DateNames
    private let texts: [String: Text]
    /// The texts of scripts as JSON objects: those that the guide needs at once, and the others.
    let gridScript, moreScript: [UInt8]

    /// All languages in the order of their codes.
    package static let all: [PageTexts] = (0..<cpage_language_count()).compactMap { index in
        cpage_language_at(index).flatMap { PageTexts($0.pointee) }
    }

    /// The English texts. Other languages use them for missing keys.
    package static let english: PageTexts = {
        guard let english = all.first(where: { $0.language == "en" }) else {
            preconditionFailure("CPage does not contain the English texts")
        }
        return english
    }()

    /// Returns the texts of a language; `nil` for a language that the pages do not have.
    ///
    /// - Parameter tag: A language tag (BCP 47). Its primary language decides: `de-AT` is `de`.
    package static func texts(in tag: some StringProtocol) -> PageTexts? {
        let primary = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
        // The old code of Hebrew, which some systems still use.
        let code = primary == "iw" ? "he" : primary
        return all.first { $0.language == code }
    }

    /// Returns the language that a client prefers; `nil` if the pages have none of its languages.
    ///
    /// - Parameter header: `Accept-Language` (RFC 9110, 12.5.4). Of languages with the same weight, the first one is preferred.
    package static func preferred(by header: String?) -> PageTexts? {
        let ranges = (header ?? "").prefix(1000).split(separator: ",").compactMap { part -> (PageTexts, Double)? in
            let sides = part.filter { $0 != " " && $0 != "\t" }.lowercased().split(separator: ";")
            guard let tag = sides.first, let texts = texts(in: tag) else { return nil }
            let weight = sides.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
            return (texts, weight ?? 1)
        }
        return ranges.enumerated().filter { $0.element.1 > 0 }
            .max { ($0.element.1, -$0.offset) < ($1.element.1, -$1.offset) }?.element.0
    }

    /// Returns the clock that is usual in the language: 12 hours in Arabic, and in English in the region that a client names, if people count
    /// so there (Unicode CLDR 46, timeData).
    ///
    /// - Parameter header: `Accept-Language`.
    package func clockStyle(acceptedLanguages header: String?) -> ClockStyle {
        if language == "ar" { return .twelveHours }
        guard language == "en" else { return .twentyFourHours }
        let tag = (header ?? "").prefix(1000).split(separator: ",").map {
            $0.filter { $0 != " " }.prefix { $0 != ";" }.uppercased()
        }
        .first { $0.hasPrefix("EN-") }
        let regions = [
            "US", "CA", "AU", "NZ", "IN", "PH", "SG", "HK", "MY", "PK", "JM", "TT", "PR",
        ]
        return regions.contains { tag == "EN-" + $0 } ? .twelveHours : .twentyFourHours
    }

    /// Reads the texts of an embedded file.
    private init?(_ file: cpage_file) {
        guard let language = String(validatingCString: file.name) else { return nil }
        let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.length))
        do throws(JSONError) {
            try self.init(language: language, parsing: bytes)
        } catch {
            preconditionFailure("the texts of the language \(language) are invalid: \(error)")
        }
    }

    /// - Throws: ``JSONError`` if the file is not JSON.
    init(language: String, parsing bytes: [UInt8]) throws(JSONError) {
        let node = try JSONNode(parsing: bytes)
        self.language = language
        name = node["name"]?.string ?? language
        dates = node["dates"].flatMap { DateNames($0, language: language) } ?? .english
        var texts: [String: Text] = [:]
        for section in ["grid", "more", "pages"] {
            for (key, value) in node[section]?.members ?? [] { texts[key] = Text(value) }
        }
        self.texts = texts
        (gridScript, moreScript) = (PageTexts.script(node["grid"]), PageTexts.script(node["more"]))
    }

    private static func script(_ section: JSONNode?) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            for (key, value) in section?.members ?? [] {
                if let text = value.string {
                    json.member(named: key, text)
                } else {
                    json.member(named: key, PluralForms(value.members.map { ($0.key, $0.value.string ?? "") }))
                }
            }
        }
        return json.takeBytes()
    }

    /// Returns a text with its placeholders replaced.
    ///
    /// - Parameters:
    ///   - count: The number that the plural form depends on, which also replaces `{count}`.
    ///   - values: The values of the other placeholders.
    /// - Returns: The English text if this language has none; the key without either, which a test finds.
    package func callAsFunction(
        _ key: StaticString, count: Int? = nil, _ values: KeyValuePairs<String, String> = [:]
    ) -> String {
        text("\(key)", count: count, values) ?? "\(key)"
    }

    /// Returns a text whose key depends on a value; `nil` if neither this language nor English has it.
    package func text(_ key: String, count: Int? = nil, _ values: KeyValuePairs<String, String> = [:]) -> String? {
        let found: String? =
            switch texts[key] {
            case .plain(let text): text
            case .plural(let forms):
                forms[PluralCategory(of: count ?? 0, in: language)] ?? forms[.other]
            case nil: language == "en" ? nil : PageTexts.english.text(key, count: count, values)
            }
        guard let found, found.utf8.contains(UInt8(ascii: "{")) else { return found }
        var text = ""
        var rest = found[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            let name = rest[rest.index(after: start)..<end]
            let value = name == "count" ? count.map(String.init) : nil
            text += rest[..<start]
            text += value ?? values.first { $0.key == name }?.value ?? String(rest[start...end])
            rest = rest[rest.index(after: end)...]
        }
        return text + rest
    }

    /// All keys, for tests.
    var keys: Set<String> { Set(texts.keys) }

    /// The placeholders and plural categories of a text, for tests.
    func parts(of key: String) -> (forms: [PluralCategory: Set<String>], isPlural: Bool) {
        let names = { (text: String) in
            Set(
                text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().map {
                    String($0.prefix { $0 != "}" })
                })
        }
        switch texts[key] {
        case .plain(let text): return ([.other: names(text)], false)
        case .plural(let forms): return (forms.mapValues(names), true)
        case nil: return ([:], false)
        }
    }

    /// The direction of the language's script.
    package var direction: TextDirection { ["ar", "he"].contains(language) ? .rtl : .ltr }
}

// MARK: - Texts of values

extension PageTexts {
    /// Returns the text of a badge, such as `LIVE`.
    package func callAsFunction(badge: AiringBadge) -> String {
        switch badge {
        case .live: self("badgeLive")
        case .premiere: self("badgePremiere")
        case .new: self("badgeNew")
        case .repeat: self("badgeRepeat")
        case .derived: self("badgeDerived")
        }
    }

    /// Returns the name of a genre, such as `Film`.
    package func callAsFunction(genre: Genre) -> String {
        switch genre {
        case .news: self("genreNews")
        case .sport: self("genreSport")
        case .children: self("genreChildren")
        case .documentary: self("genreDocumentary")
        case .music: self("genreMusic")
        case .film: self("genreFilm")
        case .series: self("genreSeries")
        case .entertainment: self("genreEntertainment")
        }
    }

    /// Returns a duration as ``Wording/duration(_:)`` does: `45 min`, `1 h`, `1 h 30 min`, `3 days 2 h`.
    package func callAsFunction(duration seconds: Int64) -> String {
        let seconds = max(0, seconds)
        if seconds < 60 { return self("seconds", ["seconds": String(seconds)]) }
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        if hours == 0 { return self("minutes", ["minutes": String(minutes)]) }
        if hours < 48 {
            return minutes == 0
                ? self("hours", ["hours": String(hours)])
                : self("hoursMinutes", ["hours": String(hours), "minutes": String(minutes)])
        }
        let days = self("daysOnly", count: Int(hours / 24))
        return hours % 24 == 0 ? days : days + " " + self("hours", ["hours": String(hours % 24)])
    }

    /// Returns the name of a role in a programme, such as `Director`; an unknown role with a capital first letter.
    package func callAsFunction(role: String) -> String {
        text("role.\(role)") ?? role.prefix(1).uppercased() + role.dropFirst()
    }

    /// Returns the part of a person, such as `as DI Carrow (guest)`; `nil` if neither is known.
    package func callAsFunction(partOf person: Programme.Credit) -> String? {
        let character = person.character.map { self("playsAs", ["character": $0]) }
        let parts = [character, person.isGuest ? "(\(self("guest")))" : nil].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}

extension PageTexts.Text {
    fileprivate init(_ value: JSONNode) {
        if let text = value.string {
            self = .plain(text)
        } else {
            let forms = value.members.compactMap { member in
                PluralCategory(rawValue: member.key).map { ($0, member.value.string ?? "") }
            }
            self = .plural(Dictionary(forms) { $1 })
        }
    }
}

extension DateNames {
    /// Reads the names of a file; `nil` if it does not have all of them.
    fileprivate init?(_ node: JSONNode, language: String) {
        let names = { (name: String) in (node[name]?.elements ?? []).compactMap(\.string) }
        let (weekdays, lone, months) = (names("weekdays"), names("loneWeekdays"), names("months"))
        guard weekdays.count == 7, lone.isEmpty || lone.count == 7, months.count == 12,
            let date = node["date"]?.string, let dateWithYear = node["dateWithYear"]?.string,
            let today = node["today"]?.string, let tomorrow = node["tomorrow"]?.string,
            let yesterday = node["yesterday"]?.string
        else { return nil }
        self.init(
            language: language, weekdays: weekdays, loneWeekdays: lone.isEmpty ? nil : lone, months: months,
            date: date, dateWithYear: dateWithYear, today: today, tomorrow: tomorrow, yesterday: yesterday,
            am: node["am"]?.string ?? "AM", pm: node["pm"]?.string ?? "PM")
    }
}

/// The plural forms of a text, as scripts read them.
private struct PluralForms: JSONObject {
    let forms: [(name: String, text: String)]

    init(_ forms: [(String, String)]) { self.forms = forms }

    func writeMembers(to json: inout JSONWriter) {
        for (name, text) in forms { json.member(named: name, text) }
    }
}

/// A plural category of whole numbers (Unicode CLDR, Language Plural Rules).
package enum PluralCategory: String, Hashable, Sendable, CaseIterable {
    case zero, one, two, few, many, other

    /// Returns the category of a number in a language of the pages. The category `many` of Spanish, French, Italian and Portuguese, for
    /// whole millions, is left to ``other``.
    package init(of count: Int, in language: String) {
        let (ten, hundred) = (count % 10, count % 100)
        self =
            switch language {
            case "ja", "zh": .other
            case "fr", "pt": count == 0 || count == 1 ? .one : .other
            case "he": count == 1 ? .one : count == 2 ? .two : .other
            case "pl":
                if count == 1 {
                    .one
                } else if (2...4).contains(ten), !(12...14).contains(hundred) {
                    .few
                } else {
                    .many
                }
            case "ar":
                switch count {
                case 0: .zero
                case 1: .one
                case 2: .two
                case _ where (3...10).contains(hundred): .few
                case _ where hundred >= 11: .many
                default: .other
                }
            default: count == 1 ? .one : .other
            }
    }

    /// The categories that texts of a language have.
    package static func all(in language: String) -> Set<PluralCategory> {
        Set((0...200).map { PluralCategory(of: $0, in: language) })
    }
}
