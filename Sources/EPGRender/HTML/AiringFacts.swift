import EPGCalendar
import EPGModel

/// The facts of an airing as pairs of a name and a text for people, in the order in which they are read.
struct AiringFacts: Sendable {
    private(set) var facts: [(name: String, text: String)] = []
    private let page: AiringPage
    private let clock: ViewClock

    init(_ page: AiringPage) {
        self.page = page
        clock = ViewClock(zone: page.zone)
        addEpisode()
        addOrigin()
        addRatings()
        addPicture()
        addHistory()
        addRepairs()
        addTransmission()
    }

    private mutating func add(_ name: String, _ texts: [String?]) {
        let texts = texts.compactMap(\.self).filter { !$0.isEmpty }
        if !texts.isEmpty { facts.append((name, texts.joined(separator: ", "))) }
    }

    private mutating func addEpisode() {
        let labels = page.programme.episodeNumbers.compactMap { $0.system == "xmltv_ns" ? $0.position?.label : nil }
        let numbers = page.programme.episodeNumbers.compactMap { number -> String? in
            switch number.system {
            // `S07E04` says what `S7 E4` says.
            case "onscreen":
                return labels.contains { $0.wholeNumbers == number.value.wholeNumbers } ? nil : number.value
            case "xmltv_ns": return number.position?.label
            default: return "\(number.position?.label ?? number.value) (\(number.system))"
            }
        }
        add("Episode", numbers)
    }

    private mutating func addOrigin() {
        let programme = page.programme
        add("Made", [programme.date.map(AiringFacts.date)])
        add("Country", programme.countries.texts(preferring: page.languages))
        add("Language", [programme.language?.text])
        add("Original language", [programme.originalLanguage?.text])
        add("Length", [programme.length.map { $0.seconds.map(ViewClock.length) ?? "\($0.value) \($0.units ?? "")" }])
        add("Keywords", programme.keywords.texts(preferring: page.languages))
    }

    private mutating func addRatings() {
        let programme = page.programme
        add("Rated", programme.ratings.map(AiringFacts.rating))
        add("Stars", programme.starRatings.map { "★ " + AiringFacts.rating($0) })
    }

    private static func rating(_ rating: Programme.Rating) -> String {
        rating.system.map { "\(rating.value) (\($0))" } ?? rating.value
    }

    private mutating func addPicture() {
        let programme = page.programme
        if let video = programme.video {
            add(
                "Picture",
                [
                    video.present == "no" ? "none" : nil, video.quality, video.aspect,
                    video.colour == "no" ? "black and white" : nil,
                ])
        }
        if let audio = programme.audio { add("Sound", [audio.present == "no" ? "none" : nil, audio.stereo]) }
        add(
            "Subtitles",
            programme.captions.map { captions in
                [captions.type, captions.language?.text].compactMap(\.self).joined(separator: " ")
            }.map { $0.isEmpty ? "yes" : $0 })
    }

    private mutating func addHistory() {
        let programme = page.programme
        if let premiere = programme.premiere { add("Premiere", [premiere.text.isEmpty ? "yes" : premiere.text]) }
        if let last = programme.lastChance { add("Last chance", [last.text.isEmpty ? "yes" : last.text]) }
        if programme.isNew { add("New", ["yes"]) }
        if let shown = programme.previouslyShown {
            let words = [shown.start.map(AiringFacts.date), shown.channel].compactMap(\.self)
            add("Shown before", [words.isEmpty ? "yes" : words.joined(separator: " on ")])
        }
    }

    private mutating func addRepairs() {
        let airing = page.airing
        if let clump = airing.clump {
            add(
                "Shares its time",
                ["number \(clump.index + 1) of \(clump.count) in one listing; when each begins isn't published"])
        }
        if airing.isStopInferred { add("End", ["not published; taken from what follows"]) }
        if let published = airing.published {
            let stop = published.stop.map { "to \(moment($0))" } ?? "without an end"
            add("Published as", ["\(moment(published.start)) \(stop)"])
        }
        if airing.isCut { add("Cut", ["a better source speaks for the rest of its time"]) }
        if !page.detail.isShown { add("Not in the guide", ["a better source speaks for its time"]) }
        add("Source", [page.detail.source])
    }

    private mutating func addTransmission() {
        for attribute in page.detail.transmission { add(attribute.name, [attribute.value]) }
    }

    private func moment(_ instant: Instant) -> String {
        "\(page.zone.date(at: instant).label) \(clock.time(instant))"
    }

    /// `19510704` as `1951-07-04`, `195107` as `1951-07`; anything else as it is.
    private static func date(_ text: String) -> String {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard digits.count == 6 || digits.count >= 8 else { return text }
        let (year, month, day) = (digits.prefix(4), digits.dropFirst(4).prefix(2), digits.dropFirst(6).prefix(2))
        return day.isEmpty ? "\(year)-\(month)" : "\(year)-\(month)-\(day)"
    }
}

extension String {
    /// The numbers that stand in it, without leading zeros: 7 and 4 for `S07E04`.
    fileprivate var wholeNumbers: [Int] { split { !("0"..."9").contains($0) }.compactMap { Int($0) } }
}
