package import EPGModel

/// What a page says of an airing in one word, the strongest first.
package enum AiringBadge: String, Hashable, Sendable, CaseIterable {
    /// The feed says `<live/>`, which Kodi and Schedules Direct's grabber write beyond the DTD.
    case live
    /// `<premiere>`
    case premiere
    /// `<new/>`
    case new

    package init?(_ programme: Programme) {
        let isLive = programme.extras.contains { node in
            if case .element(let element) = node { element.name == "live" } else { false }
        }
        if isLive {
            self = .live
        } else if programme.premiere != nil {
            self = .premiere
        } else if programme.isNew {
            self = .new
        } else {
            return nil
        }
    }

    /// `LIVE`
    var label: String { rawValue.uppercased() }
}
