import EPGModel
import EPGOutput

/// Parses `logos`, `genres` and `output`.
struct OutputReader {
    /// The keys that this type parses.
    static let keys = ["logos", "genres", "output"]

    private let path: String
    /// The folder that relative paths refer to, with a trailing slash; empty for the working folder.
    private let folder: String
    private(set) var settings = OutputSettings()
    /// The valid values in the order of the file.
    private(set) var entries: [ConfigurationFindings.OutputFinding] = []

    init(path: String, folder: String) {
        self.path = path
        self.folder = folder
    }

    /// Parses the value of one of ``keys``, and adds the errors to `problems`.
    mutating func read(_ member: SettingNode.Member, _ problems: inout ConfigurationProblems) {
        switch member.key {
        case "logos": readLogos(member, &problems)
        case "genres": readGenres(member, &problems)
        default: readOutput(member, &problems)
        }
    }

    // MARK: - Logos

    private static let location =
        "a URL such as https://logos.example/{id}.png with the placeholders {id}, {name} and {number}, or the path of a folder"

    private mutating func readLogos(_ member: SettingNode.Member, _ problems: inout ConfigurationProblems) {
        guard case .mapping(let parts) = member.value.content else {
            return readLocation(member, key: "logos", &problems)
        }
        for part in parts {
            let key = "logos.\(part.key.prefix(80))"
            switch part.key {
            case "location": readLocation(part, key: key, &problems)
            case "order":
                let allowed = SettingText.names(of: LogoSettings.Origin.self).replacing("one of ", with: "a list of ")
                guard let texts = texts(part, key: key, allowed: allowed, &problems) else { continue }
                let order = texts.compactMap { LogoSettings.Origin(rawValue: $0) }
                guard order.count == texts.count, Set(order).count == order.count, !order.isEmpty else {
                    problems.refuse(key, part.line, "invalid order; allowed: \(allowed), each at most once")
                    continue
                }
                settings.logos.order = order
                accept(key, texts, part.line)
            case "stations":
                guard let stations = members(of: part, key, "station: logo", &problems) else { continue }
                for station in stations {
                    let key = "\(key).\(station.key.prefix(80))"
                    guard let text = station.value.text.flatMap(SettingText.text) else {
                        problems.refuse(
                            key, station.line, "expected a URL, or the name of a file in the folder of logos")
                        continue
                    }
                    settings.logos.stations.append(StationLogo(station: StationID(station.key), location: text))
                    accept(key, [text], station.line)
                }
            default: problems.refuse(key, part.line, "unknown setting; allowed: location, order, stations")
            }
        }
    }

    private mutating func readLocation(
        _ member: SettingNode.Member, key: String, _ problems: inout ConfigurationProblems
    ) {
        guard let text = member.value.text.flatMap(SettingText.text) else {
            return problems.refuse(key, member.line, "expected one value; allowed: \(Self.location)")
        }
        if text.contains("://") {
            guard let template = LogoTemplate(text) else {
                return problems.refuse(key, member.line, "invalid URL; allowed: \(Self.location)")
            }
            settings.logos.template = template
        } else {
            settings.logos.folder = text.hasPrefix("/") ? text : folder + text
        }
        accept(key, [text], member.line)
    }

    // MARK: - Genres

    private mutating func readGenres(_ member: SettingNode.Member, _ problems: inout ConfigurationProblems) {
        guard let words = members(of: member, "genres", "category: genre", &problems) else { return }
        for word in words {
            let key = "genres.\(word.key.prefix(80))"
            let text = word.value.text ?? ""
            guard !FoldedWords(word.key).words.isEmpty else {
                problems.refuse(key, word.line, "a category needs letters or digits")
                continue
            }
            guard text == "none" || Genre(named: text) != nil else {
                problems.refuse(key, word.line, "unknown genre “\(text.prefix(80))”; \(Self.genreForms(text))")
                continue
            }
            settings.genreWords.append(GenreWord(word.key, Genre(named: text)))
            accept(key, [text], word.line)
        }
    }

    /// What is allowed for a genre, with the names that are most similar to a text.
    private static func genreForms(_ text: String) -> String {
        let nearest = NearestNames(to: text).nearest(3, among: Genre.all) { [$0.name] }
        let names = nearest.map { "“\($0.name)”" }.joined(separator: ", ")
        return "allowed: a name such as \(names.isEmpty ? "“Comedy”" : names), a code from 0x10 to 0xA7, or none"
    }

    // MARK: - Output

    private static let textKeys = ["title", "subtitle", "description", "drop", "languages"]

    private mutating func readOutput(_ member: SettingNode.Member, _ problems: inout ConfigurationProblems) {
        guard let parts = members(of: member, "output", "key: value", &problems) else { return }
        for part in parts {
            let key = "output.\(part.key.prefix(80))"
            switch part.key {
            case "genres":
                guard let genres = part.value.text.flatMap(OutputSettings.Genres.init(rawValue:)) else {
                    problems.refuse(
                        key, part.line, "invalid value; allowed: \(SettingText.names(of: OutputSettings.Genres.self))")
                    continue
                }
                settings.genres = genres
                accept(key, [genres.rawValue], part.line)
            case "stations": readStations(part, &problems)
            default:
                guard let texts = texts(settings.texts, with: part, key: key, keys: ["genres", "stations"], &problems)
                else { continue }
                settings.texts = texts
            }
        }
    }

    private mutating func readStations(_ member: SettingNode.Member, _ problems: inout ConfigurationProblems) {
        let elements = problems.elements(
            of: member, "output.stations", "expected a list; each element begins with “- stations: ”")
        guard let elements else { return }
        for (index, element) in elements.enumerated() {
            let key = "output.stations[\(index)]"
            let parts = problems.members(of: element, key, "expected “key: value”; begin with “- stations: ”")
            guard let parts else { continue }
            var station = StationTexts(patterns: [], texts: OutputTexts())
            for part in parts {
                let key = "\(key).\(part.key.prefix(80))"
                if part.key == "stations" {
                    let allowed = "a pattern or a list of patterns, such as \"*.uk\""
                    station.patterns = texts(part, key: key, allowed: allowed, &problems) ?? []
                    accept(key, station.patterns, part.line)
                } else if let texts = texts(station.texts, with: part, key: key, keys: ["stations"], &problems) {
                    station.texts = texts
                }
            }
            if !parts.contains(where: { $0.key == "stations" }) {
                problems.refuse(key, element.line, "missing stations; add “stations:” with patterns")
            }
            settings.stations.append(station)
        }
    }

    /// Returns texts with one of ``textKeys`` set; `nil` after reporting an error.
    ///
    /// - Parameter keys: Other keys that are allowed here, for the message.
    private mutating func texts(
        _ texts: OutputTexts, with part: SettingNode.Member, key: String, keys: [String],
        _ problems: inout ConfigurationProblems
    ) -> OutputTexts? {
        var texts = texts
        switch part.key {
        case "title", "subtitle", "description":
            guard let text = part.value.text else {
                problems.refuse(
                    key, part.line,
                    "expected a template in quotes, such as \"{title} {new}\"; placeholders: "
                        + ProgrammeValue.forms)
                return nil
            }
            do throws(TextTemplateError) {
                let template = try TextTemplate(text)
                switch part.key {
                case "title": texts.title = template
                case "subtitle": texts.subtitle = template
                default: texts.description = template
                }
            } catch {
                problems.refuse(key, part.line, error.reason)
                return nil
            }
            accept(key, [text], part.line)
        case "drop":
            let allowed = "XMLTV elements: " + OutputTexts.droppable.joined(separator: ", ")
            guard let names = self.texts(part, key: key, allowed: allowed, &problems) else { return nil }
            if let unknown = names.first(where: { !OutputTexts.droppable.contains($0) }) {
                problems.refuse(key, part.line, "cannot drop “\(unknown.prefix(80))”; allowed: \(allowed)")
                return nil
            }
            texts.dropped = names
            accept(key, names, part.line)
        case "languages":
            let allowed = "a list of language codes such as [de, en]"
            guard let languages = self.texts(part, key: key, allowed: allowed, &problems) else { return nil }
            texts.languages = languages
            accept(key, languages, part.line)
        default:
            problems.refuse(
                key, part.line, "unknown setting; allowed: \((keys + Self.textKeys).joined(separator: ", "))")
            return nil
        }
        return texts
    }

    // MARK: - Values

    private func members(
        of member: SettingNode.Member, _ key: String, _ form: String, _ problems: inout ConfigurationProblems
    ) -> [SettingNode.Member]? {
        problems.members(
            of: member.value, key, line: member.line, "expected a mapping with lines such as “\(form)”")
    }

    /// Returns the texts of a list, or a single text as a list; `nil` after reporting an error.
    private func texts(
        _ member: SettingNode.Member, key: String, allowed: String, _ problems: inout ConfigurationProblems
    ) -> [String]? {
        let elements = if case .list(let elements) = member.value.content { elements } else { [member.value] }
        let texts = elements.compactMap { $0.text.flatMap(SettingText.text) }
        if texts.count == elements.count { return texts }
        problems.refuse(key, member.line, "expected a list of plain values; allowed: \(allowed)")
        return nil
    }

    private mutating func accept(_ key: String, _ values: [String], _ line: Int) {
        entries.append(.init(key: key, values: values, place: .file(path: path, line: line)))
    }
}
