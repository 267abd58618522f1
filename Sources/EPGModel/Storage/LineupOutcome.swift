/// What storing a lineup did.
public struct LineupOutcome: Hashable, Sendable {
    /// The entries of the lineup.
    public var channels: Int
    /// How many of them show a station, by the rule that found it.
    public var matched: [ChannelMatchRule: Int]
    /// Whether anything was written.
    public var changedGuide: Bool

    /// Counts channels by the rules that found their stations.
    public init(matches: [ChannelMatch?], changedGuide: Bool) {
        channels = matches.count
        matched = [:]
        for case let match? in matches { matched[match.rule, default: 0] += 1 }
        self.changedGuide = changedGuide
    }

    /// How many show no station.
    public var unmatched: Int { channels - matched.values.reduce(0, +) }
}
