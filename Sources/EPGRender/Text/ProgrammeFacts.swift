package import EPGCalendar
package import EPGModel

/// What a guide says about an airing and its programme besides title, subtitle and description: names and texts in display
/// order, the same in the terminal, on pages and in JSON.
package struct ProgrammeFacts: Sendable {
    /// The kinds of facts, so that each output chooses.
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// How the guide repaired or derived the times.
        case repair
        /// Further titles, subtitles and descriptions.
        case text
        case credit
        case category
        /// Episode, origin, length, ratings, picture and sound, history.
        case fact
        /// Links, pictures and reviews.
        case link
        /// Elements of the feed that the format does not define.
        case other
        /// Attributes of the transmission, and the source.
        case source
    }

    /// A name and its texts.
    package struct Fact: Sendable {
        package let kind: Kind
        /// The name, such as `Director`.
        package let name: String
        /// The texts, each with the feed's own notation, links and pictures; the latter empty if there are none.
        fileprivate(set) var items: [(text: String, notation: String)]

        /// The texts without the feed's notation.
        package var text: String { items.map(\.text).filter { !$0.isEmpty }.joined(separator: ", ") }

        /// The texts with the feed's notation.
        package var fullText: String {
            items.map { [$0.text, $0.notation].filter { !$0.isEmpty }.joined(separator: " ") }.joined(separator: ", ")
        }
    }

    private var facts: [Fact] = []
    private let detail: AiringDetail
    private let clock: GuideClock
    private let texts: PageTexts
    private let languages: [String]?

    /// Collects the facts.
    ///
    /// - Parameters:
    ///   - clock: The format of times.
    ///   - texts: The names of facts (default: English).
    ///   - languages: The languages in order of preference; `nil` for all, each with its code.
    ///   - alternatives: Other channels that show the same; none by default.
    package init(
        _ detail: AiringDetail, clock: GuideClock, texts: PageTexts = .english, languages: [String]? = nil,
        alternatives: [String] = []
    ) {
        self.detail = detail
        self.clock = clock
        self.texts = texts
        self.languages = languages
        addRepairs()
        addTexts()
        for (role, people) in detail.programme.creditsByRole {
            let items = people.map { person in
                ([person.name, texts(partOf: person)].compactMap(\.self).joined(separator: " "), person.notation)
            }
            add(.credit, texts(role: role), items)
        }
        addOrigin()
        addVideoAndAudio()
        addHistory()
        addRatings()
        addLinks()
        for extra in detail.programme.extras where !detail.programme.isOrigin(extra) {
            add(.other, texts("factMore"), extra.label(depth: 0))
        }
        add(.source, texts("factAlsoOn"), alternatives.map { ($0, "") })
        for attribute in detail.transmission { add(.source, attribute.name, attribute.value) }
        add(
            .source, texts("factSource"),
            detail.isShown ? detail.source : texts("factSourceHidden", ["source": detail.source]))
    }

    /// Returns the facts of some kinds in display order.
    package func of(_ kinds: Kind...) -> [Fact] { facts.filter { kinds.contains($0.kind) } }

    // MARK: - Collecting

    private mutating func add(_ kind: Kind, _ name: String, _ items: [(text: String, notation: String)]) {
        let items = items.filter { !$0.text.isEmpty || !$0.notation.isEmpty }
        if !items.isEmpty { facts.append(Fact(kind: kind, name: name, items: items)) }
    }

    private mutating func add(_ kind: Kind, _ name: String, _ texts: String?...) {
        add(kind, name, texts.compactMap { $0.map { ($0, "") } })
    }

    private mutating func add(_ kind: Kind, _ name: String, _ texts: [LocalizedText]) {
        if let languages { return add(kind, name, texts.texts(preferring: languages).map { ($0, "") }) }
        add(kind, name, texts.map { ($0.text, $0.language.map { "(\($0))" } ?? "") })
    }

    private mutating func addRepairs() {
        let airing = detail.airing
        if let derivation = detail.programme.derivation {
            add(.repair, texts("factDerived"), texts(derivation: derivation))
        }
        for origin in detail.programme.fieldOrigins {
            let fields = origin.fields.map { texts.text("completed.\($0.rawValue)") ?? $0.label }
            add(
                .repair, texts("factCompleted"),
                texts("factCompletedFrom", ["fields": fields.joined(separator: ", "), "source": origin.source]))
        }
        if airing.isStopInferred { add(.repair, texts("factEnd"), texts("factEndText")) }
        if let clump = airing.clump {
            add(
                .repair, texts("factShares"),
                texts("factClump", ["number": String(clump.index + 1), "count": String(clump.count)]))
        }
        if airing.isContinuation { add(.repair, texts("factContinues"), texts("factContinuesText")) }
        if airing.isCut { add(.repair, texts("factCut"), texts("factCutText")) }
        if let published = airing.published {
            let stop = published.stop.map(clock.fullLabel) ?? texts("factNoStop")
            add(.repair, texts("factPublished"), "\(clock.fullLabel(published.start)) – \(stop)")
        }
    }

    private mutating func addTexts() {
        let programme = detail.programme
        for title in programme.titles.dropFirst() { add(.text, texts("factAlsoTitled"), [title]) }
        for subtitle in programme.subtitles.dropFirst() { add(.text, texts("factAlso"), [subtitle]) }
        for description in programme.descriptions.dropFirst() { add(.text, texts("factDescribed"), [description]) }
        add(.category, texts("factCategories"), programme.categories)
    }

    private mutating func addOrigin() {
        let programme = detail.programme
        if let derived = programme.derivedEpisode {
            let text =
                switch derived.field {
                case .title: texts("factEpisodeFromTitle", ["episode": derived.label])
                case .subtitle: texts("factEpisodeFromSubtitle", ["episode": derived.label])
                case .description: texts("factEpisodeFromDescription", ["episode": derived.label])
                }
            add(.fact, texts("factEpisode"), text)
        }
        add(.fact, texts("factEpisode"), programme.episodes)
        add(.fact, texts("factMade"), programme.date.map(ProgrammeFacts.date))
        add(.fact, texts("factCountry"), programme.countries)
        add(.fact, texts("factLanguage"), programme.language.map { [$0] } ?? [])
        add(.fact, texts("factOriginalLanguage"), programme.originalLanguage.map { [$0] } ?? [])
        add(
            .fact, texts("factLength"),
            programme.length.map { $0.seconds.map { texts(duration: $0) } ?? "\($0.value) \($0.units ?? "")" })
        add(.fact, texts("factKeywords"), programme.keywords)
    }

    private mutating func addVideoAndAudio() {
        let programme = detail.programme
        if let video = programme.video {
            let color = video.colour.map {
                $0 == "no" ? texts("factBlackAndWhite") : $0 == "yes" ? texts("factColor") : $0
            }
            add(
                .fact, texts("factPicture"), video.present == "no" ? texts("factNone") : nil, color, video.aspect,
                video.quality)
        }
        if let audio = programme.audio {
            add(.fact, texts("factSound"), audio.present == "no" ? texts("factNone") : nil, audio.stereo)
        }
        let captions = programme.captions.map { caption in
            [caption.type ?? texts("factYes"), caption.language.map { "(\($0.text))" }].compactMap(\.self).joined(
                separator: " ")
        }
        add(.fact, texts("factSubtitles"), captions.map { ($0, "") })
    }

    private mutating func addHistory() {
        let programme = detail.programme
        if let shown = programme.previouslyShown {
            let text =
                switch (shown.start.map(ProgrammeFacts.date), shown.channel) {
                case (let date?, let station?): texts("factShownBeforeOn", ["date": date, "station": station])
                case (let date, let station): date ?? station ?? texts("factYes")
                }
            add(.fact, texts("factShownBefore"), text)
        }
        for (name, text) in [
            (texts("factPremiere"), programme.premiere), (texts("factLastChance"), programme.lastChance),
        ] {
            guard let text else { continue }
            text.text.isEmpty ? add(.fact, name, texts("factYes")) : add(.fact, name, [text])
        }
        if programme.isNew { add(.fact, texts("factNew"), texts("factYes")) }
    }

    private mutating func addRatings() {
        func item(_ rating: Programme.Rating, sign: String = "") -> (text: String, notation: String) {
            (
                sign + rating.value + (rating.system.map { " (\($0))" } ?? ""),
                rating.icons.map(\.source).joined(separator: " ")
            )
        }
        add(.fact, texts("factRated"), detail.programme.ratings.map { item($0) })
        add(.fact, texts("factStars"), detail.programme.shownStarRatings.map { item($0, sign: "★ ") })
    }

    private mutating func addLinks() {
        let programme = detail.programme
        for url in programme.urls { add(.link, texts("factWeb"), url.label) }
        for review in programme.reviews {
            let notes = [review.reviewer, review.source, review.language].compactMap(\.self)
            add(
                .link, texts("factReview"),
                [(review.content, notes.isEmpty ? "" : "(\(notes.joined(separator: ", ")))")])
        }
        for icon in programme.icons {
            let size = icon.width.flatMap { width in icon.height.map { " (\(width)×\($0))" } } ?? ""
            add(.link, texts("factIcon"), icon.source + size)
        }
        for image in programme.images { add(.link, (image.type ?? "image").capitalizedFirst, image.label) }
    }

    /// Formats `19510704` as `1951-07-04`, `195107` as `1951-07` and `19510704213000 +0100` as `1951-07-04 21:30 +0100`;
    /// returns other text unchanged.
    private static func date(_ text: String) -> String {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard [6, 8, 12, 14].contains(digits.count) else { return text }
        let pairs = stride(from: 4, to: digits.count - 1, by: 2).map { digits.dropFirst($0).prefix(2) }
        guard (1...12).contains(Int(pairs[0]) ?? 0), pairs.count < 2 || (1...31).contains(Int(pairs[1]) ?? 0) else {
            return text
        }
        let date = "\(digits.prefix(4))-" + pairs.prefix(2).joined(separator: "-")
        return date + (pairs.count < 4 ? "" : " \(pairs[2]):\(pairs[3])") + text.dropFirst(digits.count)
    }
}

extension PageTexts {
    /// Returns where a programme comes from that no feed lists.
    fileprivate func callAsFunction(derivation: String) -> String {
        switch Derivation(rawValue: derivation) {
        case .shift: self("derivedShift")
        case .channelName: self("derivedChannelName")
        case .placeholder: self("derivedPlaceholder")
        case nil: self("derivedOther")
        }
    }
}

extension Programme {
    /// The credits of each role, in the order in which roles first occur.
    package var creditsByRole: [(role: String, people: [Credit])] {
        var roles: [(role: String, people: [Credit])] = []
        for credit in credits {
            if let index = roles.firstIndex(where: { $0.role == credit.role }) {
                roles[index].people.append(credit)
            } else {
                roles.append((credit.role, [credit]))
            }
        }
        return roles
    }

    /// The origin of a programme that no feed lists; `nil` for any other.
    fileprivate var derivation: String? {
        if case .element(let element) = derivedNode { element.text } else { nil }
    }

    /// The element `<derived>`.
    fileprivate var derivedNode: ContentNode? { extras.elements.first { $0.name == "derived" }.map { .element($0) } }

    /// Whether an element says where the listing comes from.
    fileprivate func isOrigin(_ node: ContentNode) -> Bool {
        guard case .element(let element) = node else { return false }
        return node == derivedNode || FieldOrigin(element) != nil
    }

    /// The numbers of the episode with the feed's notation. `S07E04` has no text if `S7 E4` is already listed.
    fileprivate var episodes: [(text: String, notation: String)] {
        let labels = episodeNumbers.compactMap { $0.system == "xmltv_ns" ? $0.position?.label : nil }
        return episodeNumbers.map { number in
            let notation = "\(number.system) \(number.value)"
            let isListed = labels.contains { $0.wholeNumbers == number.value.wholeNumbers }
            switch number.system {
            case "onscreen": return isListed ? ("", notation) : (number.value, "(onscreen)")
            case "xmltv_ns": return number.position?.label.map { ($0, "(\(notation))") } ?? ("", notation)
            default:
                let label = number.position?.label
                return ("\(label ?? number.value) (\(number.system))", label == nil ? "" : number.value)
            }
        }
    }
}

extension CompletionCount {
    /// `1234 airings from “other” (description: 1200, credits: 300)`
    package func text(from source: String) -> String {
        let parts = CompletedField.allCases.compactMap { field in
            fields[field.rawValue].map { "\(field.label): \($0)" }
        }
        return "\(Wording.count(airings, "airing")) from “\(source)” (\(parts.joined(separator: ", ")))"
    }
}

extension Programme.Credit {
    /// The URLs of the person.
    fileprivate var notation: String { (urls.map(\.label) + images.map(\.label)).joined(separator: " ") }
}

// MARK: - Labels

extension WebLink {
    fileprivate var label: String { system.map { "\(url) (\($0))" } ?? url }
}

extension Programme.Image {
    fileprivate var label: String {
        let notes = [size.map { "size \($0)" }, orientation, system].compactMap { $0 }
        return url + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
    }
}

extension ContentNode {
    /// Returns an element as `name attribute="value": content`, without content nested deeper than eight levels.
    fileprivate func label(depth: Int) -> String {
        switch self {
        case .text(let text): return text
        case .element(let element):
            let attributes = element.attributes.map { " \($0.name)=\"\($0.value)\"" }.joined()
            guard depth < 8 else { return element.name + attributes }
            let children = element.children.map { $0.label(depth: depth + 1) }.filter { !$0.isEmpty }
            return element.name + attributes + (children.isEmpty ? "" : ": " + children.joined(separator: ", "))
        }
    }
}

extension String {
    /// The text with a capital first letter.
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

    /// The numbers in the text: 7 and 4 for `S07E04`.
    fileprivate var wholeNumbers: [Int] { split { !("0"..."9").contains($0) }.compactMap { Int($0) } }
}
