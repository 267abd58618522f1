import EPGJSON
package import EPGModel

/// An airing as ``GridColumns`` writes it, in 32 bytes.
package struct GridAiring: Sendable {
    package let id: AiringID
    package let start: Instant
    /// The length in seconds.
    private let seconds: UInt32
    /// The bits of ``GridColumns`` that the airing itself decides.
    let flags: GridFlags
    package let text: GridText

    /// - Parameters:
    ///   - window: One longer than 136 years counts as that long: no guide has one.
    ///   - isInClump: Whether it shares its window with others.
    package init(id: AiringID, window: TimeWindow, isStopInferred: Bool, isInClump: Bool, text: GridText) {
        self.id = id
        start = window.start
        seconds = UInt32(clamping: window.seconds)
        var flags = text.flags
        if isStopInferred { flags.insert(.isStopInferred) }
        if isInClump { flags.insert(.isInClump) }
        self.flags = flags
        self.text = text
    }

    package init(_ outline: AiringOutline, text: GridText) {
        self.init(
            id: outline.id, window: outline.window, isStopInferred: outline.isStopInferred,
            isInClump: outline.isInClump, text: text)
    }

    /// An airing of a schedule, with texts of its own.
    package init(_ airing: Airing) {
        self.init(
            id: airing.id, window: airing.window, isStopInferred: airing.isStopInferred,
            isInClump: airing.clump != nil,
            text: GridText(
                title: airing.title, subtitle: airing.subtitle, categories: airing.categories, marks: airing.marks))
    }

    package var window: TimeWindow { TimeWindow(start: start, end: end) }

    package var end: Instant { start.advanced(by: Int64(seconds)) }
}

/// What a grid writes of a programme, made once for all its airings.
package final class GridText: Sendable {
    /// Title and sub-title as JSON, one after the other, with their quotation marks.
    private let json: [UInt8]
    private let titleCount: Int
    /// As ``GenreTable`` has it.
    let genre: UInt8
    let flags: GridFlags

    package init(title: String, subtitle: String?, categories: [String], marks: AiringMarks) {
        var json: [UInt8] = []
        json.reserveCapacity(title.utf8.count + (subtitle?.utf8.count ?? 0) + 4)
        JSONText.append(quoted: title, to: &json)
        titleCount = json.count
        JSONText.append(quoted: subtitle ?? "", to: &json)
        self.json = json
        genre = UInt8(truncatingIfNeeded: GenreTable.shared.number(of: categories))
        var flags: GridFlags = []
        if marks.contains(.new) { flags.insert(.isNew) }
        if marks.contains(.premiere) { flags.insert(.isPremiere) }
        if marks.contains(.live) { flags.insert(.isLive) }
        self.flags = flags
    }

    package convenience init(_ brief: ProgrammeBrief) {
        self.init(
            title: brief.title, subtitle: brief.subtitle, categories: brief.category.map { [$0] } ?? [],
            marks: brief.marks)
    }

    /// Bytes that it takes in memory, roughly.
    package var size: Int { json.count + 96 }

    /// The title with its quotation marks, as JSON has it.
    func withTitle(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        json.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[..<titleCount])) }
    }

    /// The sub-title with its quotation marks, as JSON has it; an empty text where there is none.
    func withSubtitle(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        json.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[titleCount...])) }
    }
}

/// The bits of `flags` in ``GridColumns``.
struct GridFlags: OptionSet {
    let rawValue: UInt8

    static let isStartClipped = GridFlags(rawValue: 1)
    static let isEndClipped = GridFlags(rawValue: 2)
    static let isStopInferred = GridFlags(rawValue: 4)
    static let isNew = GridFlags(rawValue: 8)
    static let isPremiere = GridFlags(rawValue: 16)
    static let isLive = GridFlags(rawValue: 32)
    static let isInClump = GridFlags(rawValue: 64)
}
