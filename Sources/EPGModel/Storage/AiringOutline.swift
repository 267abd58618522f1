/// An airing with the number of its programme in the place of what is said of it: what is small enough to be kept by the
/// million.
package struct AiringOutline: Hashable, Sendable {
    package let id: AiringID
    /// As ``Airing/window``.
    package let window: TimeWindow
    /// The programme's number in the store: it means the same content for as long as the database lives.
    package let programme: Int64
    /// As ``Airing/isStopInferred``.
    package let isStopInferred: Bool
    /// Whether it shares its window with others.
    package let isInClump: Bool

    package init(id: AiringID, window: TimeWindow, programme: Int64, isStopInferred: Bool, isInClump: Bool) {
        self.id = id
        self.window = window
        self.programme = programme
        self.isStopInferred = isStopInferred
        self.isInClump = isInClump
    }
}

/// The part of a row's schedule that overlaps a window, in outline.
package struct RowOutline: Hashable, Sendable {
    /// From 0.
    package let row: Int
    /// In order of start; those of a clump share a window.
    package let airings: [AiringOutline]

    package init(row: Int, airings: [AiringOutline]) {
        self.row = row
        self.airings = airings
    }
}

/// What a grid shows of a programme.
package struct ProgrammeBrief: Hashable, Sendable {
    /// Its number in the store.
    package let number: Int64
    /// The first title of the feed; empty where there is none.
    package let title: String
    /// The first sub-title of the feed, or `nil`.
    package let subtitle: String?
    /// The first category of the feed, or `nil`.
    package let category: String?
    package let marks: AiringMarks

    package init(number: Int64, title: String, subtitle: String?, category: String?, marks: AiringMarks) {
        self.number = number
        self.title = title
        self.subtitle = subtitle
        self.category = category
        self.marks = marks
    }
}
