package import EPGModel

/// What a page says of an airing in one word, the strongest first.
package enum AiringBadge: String, Hashable, Sendable, CaseIterable {
    case live, premiere, new

    package init?(_ programme: Programme) {
        let marks = AiringMarks(programme)
        if marks.contains(.live) {
            self = .live
        } else if marks.contains(.premiere) {
            self = .premiere
        } else if marks.contains(.new) {
            self = .new
        } else {
            return nil
        }
    }

    /// `LIVE`
    var label: String { rawValue.uppercased() }
}
