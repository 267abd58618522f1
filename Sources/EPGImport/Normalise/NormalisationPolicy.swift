/// How much of what a feed says the normaliser believes.
///
/// A value below 1 counts as 1, and an assumed or a programme's length above ``longestAiringSeconds`` counts as that.
package struct NormalisationPolicy: Hashable, Sendable {
    /// The longest airing that is believed; what is longer is flagged and cut (facts, rule 13). The default is 24 hours.
    package let longestAiringSeconds: Int64
    /// How long the last airing of a station is taken to be when the feed gives no stop (facts, rule 1). The default is
    /// 1 hour, twice the median of real guides: rather a little of a gap hidden than the last film cut short.
    package let assumedSeconds: Int64
    /// A listing longer than this is a placeholder ("to be announced", "night rerun"): it never displaces another title
    /// within it (facts, rule 6). The default is 4 hours, above the longest films; in real guides every listing beyond
    /// it that had others inside was one.
    package let longestProgrammeSeconds: Int64

    /// The defaults.
    package static let standard = NormalisationPolicy()

    package init(
        longestAiringSeconds: Int64 = 24 * 3600, assumedSeconds: Int64 = 3600, longestProgrammeSeconds: Int64 = 4 * 3600
    ) {
        let longest = max(1, longestAiringSeconds)
        self.longestAiringSeconds = longest
        self.assumedSeconds = min(max(1, assumedSeconds), longest)
        self.longestProgrammeSeconds = min(max(1, longestProgrammeSeconds), longest)
    }
}
