/// What a grid marks an airing with: that it is new, for the first time here, or live.
public struct AiringMarks: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `<new/>`
    public static let new = AiringMarks(rawValue: 1)
    /// `<premiere>`
    public static let premiere = AiringMarks(rawValue: 2)
    /// `<live/>`, which isn't in the DTD; Kodi's add-ons and grabbers of Schedules Direct write it.
    public static let live = AiringMarks(rawValue: 4)
}

extension AiringMarks {
    /// The marks of a programme.
    package init(_ programme: Programme) {
        self = []
        if programme.isNew { formUnion(.new) }
        if programme.premiere != nil { formUnion(.premiere) }
        let isLive = programme.extras.contains { node in
            if case .element(let element) = node { element.name == "live" } else { false }
        }
        if isLive { formUnion(.live) }
    }
}
