public import EPGModel

/// An instant with what is written at it: an hour header or a day separator of the guide.
public struct LabelledInstant: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The clocks show a full hour.
        case hour
        /// The clocks show half past.
        case halfHour
        /// A local date begins.
        case day
    }

    public let instant: Instant
    /// `20:00`, `8:00 PM`, `01:00 GMT` for an hour that is repeated, or `Sat 28 Mar` for a day.
    public let label: String
    public let kind: Kind

    public init(instant: Instant, label: String, kind: Kind) {
        self.instant = instant
        self.label = label
        self.kind = kind
    }
}
