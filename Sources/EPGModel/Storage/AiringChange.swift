/// What became of an airing between two generations of a guide.
///
/// An airing is known by its identifier, which it keeps where its start moves and its programme stays.
public struct AiringChange: Hashable, Sendable, Identifiable {
    /// The four things that can become of an airing.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// It wasn't there before.
        case inserted
        /// It is there no more.
        case removed
        /// It starts at another time; its stop and what is said of it may be others, too.
        case moved
        /// It starts when it did; its stop or what is said of it is another.
        case changed
    }

    /// The airing that it is about.
    public let id: AiringID
    /// What became of it.
    public let kind: Kind
    /// When it was on; `nil` for one that was inserted.
    public let before: TimeWindow?
    /// When it is on; `nil` for one that was removed.
    public let after: TimeWindow?

    /// A change from one window to another, whose ``kind`` follows from the two; `nil` where there is neither.
    public init?(_ id: AiringID, from before: TimeWindow?, to after: TimeWindow?) {
        switch (before, after) {
        case (nil, nil): return nil
        case (nil, _?): kind = .inserted
        case (_?, nil): kind = .removed
        case (let old?, let new?): kind = old.start == new.start ? .changed : .moved
        }
        self.id = id
        self.before = before
        self.after = after
    }

    /// This change and a later one of the same airing as one; `nil` where nothing is left of both.
    ///
    /// What was inserted and removed was never there. What was moved and moved back counts as changed, because something
    /// else may have changed on the way.
    public func followed(by next: AiringChange) -> AiringChange? {
        AiringChange(id, from: before, to: next.after)
    }
}
