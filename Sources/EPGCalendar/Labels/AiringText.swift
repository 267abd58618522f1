package import EPGModel

/// The badge of an airing for its most important mark, in order of precedence.
package enum AiringBadge: String, Hashable, Sendable, CaseIterable {
    case live, premiere, new
    /// `<previously-shown>`. Some feeds also set it on the second airing of a new episode.
    case `repeat`
    case derived

    /// Creates the badge of some marks; `nil` without marks.
    package init?(_ marks: AiringMarks) {
        let order: [(AiringMarks, AiringBadge)] = [
            (.live, .live), (.premiere, .premiere), (.new, .new), (.repeated, .repeat), (.derived, .derived),
        ]
        guard let badge = order.first(where: { marks.contains($0.0) })?.1 else { return nil }
        self = badge
    }

    /// The text, such as `LIVE`.
    package var label: String { rawValue.uppercased() }
}

/// The texts of an airing, the same in the terminal, on pages, in pictures, feeds and reminders.
package struct AiringText: Sendable {
    private let airing: Airing

    /// Creates the texts of an airing.
    package init(_ airing: Airing) {
        self.airing = airing
    }

    /// The title, or `Untitled`.
    package var title: String { airing.shownTitle }

    /// The number of the episode, such as `S1 E13`, or `~S1 E13` if it was derived from the texts.
    package var episode: String? { airing.episode.map { airing.episodeSource == nil ? $0 : "~" + $0 } }

    /// The subtitle, or the number of the episode without one.
    package var subtitle: String? { ownSubtitle ?? shownEpisode }

    private var ownSubtitle: String? { AiringText.subtitle(airing.subtitle, of: airing.title) }

    /// Returns a subtitle; `nil` if it is empty or repeats the title, apart from case and punctuation.
    package static func subtitle(_ subtitle: String?, of title: String) -> String? {
        guard let subtitle, !subtitle.isEmpty, subtitle != title else { return nil }
        let letters = { (text: String) in
            text.unicodeScalars.lazy.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
                .map(\.properties.lowercaseMapping)
        }
        let own = letters(subtitle)
        return !own.isEmpty && own.elementsEqual(letters(title)) ? nil : subtitle
    }

    /// The number of the episode unless it was derived from the title or subtitle, which already show it.
    private var shownEpisode: String? {
        switch airing.episodeSource {
        case nil, .description: episode
        case .title, .subtitle: nil
        }
    }

    /// The badge before the times, such as `NEW`. A derived airing has ``startMark`` instead.
    package var badge: String? { AiringBadge(airing.marks).flatMap { $0 == .derived ? nil : $0.label } }

    /// The number of the episode and the subtitle, such as `S1 E13 · The Map Room`; `nil` without either.
    package var secondLine: String? {
        let words = [shownEpisode, ownSubtitle].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: " · ")
    }

    /// The mark before the start: `~` if no feed lists the airing, otherwise empty.
    package var startMark: String { airing.marks.contains(.derived) ? "~" : "" }

    /// The mark after the end: `?` if the feed has no valid stop, otherwise empty.
    package var endMark: String { airing.isStopInferred ? "?" : "" }

    /// Returns the start, such as `20:00` or `~20:00`.
    package func start(_ clock: GuideClock) -> String { startMark + clock.time(airing.window.start) }

    /// Returns start and end with their marks, such as `20:00–20:45`, `~20:00–20:45?` or `Sat 23:30–00:30`.
    ///
    /// - Parameter date: See ``GuideClock/range(_:seenFrom:)``.
    package func times(_ clock: GuideClock, seenFrom date: CivilDate? = nil) -> String {
        startMark + clock.range(airing.window, seenFrom: date) + endMark
    }

    /// Returns the minutes that remain, rounded up, so that an airing that is on has at least one; at most 34 years.
    package func minutesLeft(at now: Instant) -> Int64 {
        (min(max(0, now.seconds(to: airing.window.end)), 1 << 30) + 59) / 60
    }
}
