package import EPGModel

/// The texts of an airing, the same in the terminal, on pages, in pictures, feeds and reminders.
package struct AiringText: Sendable {
    private let airing: Airing

    /// Creates the texts of an airing.
    package init(_ airing: Airing) {
        self.airing = airing
    }

    /// The title, or `Untitled`.
    package var title: String { airing.shownTitle }

    /// The subtitle, or the number of the episode without one.
    package var subtitle: String? { airing.subtitle ?? airing.episode }

    /// The number of the episode and the subtitle, such as `S1 E13 · The Map Room`; `nil` without either.
    package var secondLine: String? {
        let words = [airing.episode, airing.subtitle].compactMap(\.self)
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
