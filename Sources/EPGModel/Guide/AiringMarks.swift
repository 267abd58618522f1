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
    /// The marks of a stored document, see ``ContentToken``, found without decoding it.
    ///
    /// What comes after damage isn't looked at; who decodes the document reports it.
    /// - Complexity: O(tokens); nothing is allocated.
    package init(document: Span<UInt8>) {
        self = []
        var offset = 0
        var depth = 0
        while offset < document.count, depth >= 0 {
            let code = document[offset]
            offset += 1
            switch code {
            case ContentToken.end: depth -= 1
            case ContentToken.hoisted: break
            case ContentToken.text: offset = AiringMarks.end(ofTextAt: offset, in: document)
            case ContentToken.attribute:
                offset = AiringMarks.end(ofTextAt: offset, in: document)
                offset = AiringMarks.end(ofTextAt: offset, in: document)
            case ContentToken.element:
                offset = AiringMarks.end(ofTextAt: offset, in: document)
                depth += 1
            case ContentName.firstAttributeCode...: offset = AiringMarks.end(ofTextAt: offset, in: document)
            default:
                if depth == 0 { formUnion(AiringMarks.mark(ofElement: code)) }
                depth += 1
            }
        }
    }

    /// The marks of a programme.
    package init(_ programme: Programme) {
        self = []
        if programme.isNew { formUnion(.new) }
        if programme.premiere != nil { formUnion(.premiere) }
        let isLive = programme.extras.contains { node in
            if case .element(let element) = node { element.name == AiringMarks.liveName } else { false }
        }
        if isLive { formUnion(.live) }
    }

    private static func mark(ofElement code: UInt8) -> AiringMarks {
        switch code {
        case newCode: .new
        case premiereCode: .premiere
        case liveCode: .live
        default: []
        }
    }

    private static let newCode = ContentName.elementCode("new")
    private static let premiereCode = ContentName.elementCode("premiere")
    private static let liveCode = ContentName.elementCode(liveName)
    private static let liveName = "live"

    /// Where the text ends whose length stands at an offset; the end of the document where that can't be.
    private static func end(ofTextAt start: Int, in document: Span<UInt8>) -> Int {
        var length = 0
        var shift = 0
        var offset = start
        while offset < document.count, shift < 35 {
            let byte = document[offset]
            offset += 1
            length |= Int(byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 { return length <= document.count - offset ? offset + length : document.count }
        }
        return document.count
    }
}
