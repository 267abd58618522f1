/// A position at which a scan can resume after a fault.
enum ResyncPoint {
    /// What to search for.
    enum Target {
        /// Before the root: any markup that a guide may start with.
        case prolog
        /// The end of a broken XML declaration, or anything in ``prolog``.
        case declaration
        /// In the root: a channel, a programme, the end of one, the root's end, or another document.
        case content
        /// After the root: another document. Records without one may be the rest of an older, longer file.
        case epilog
    }

    /// The markup at a position.
    enum Mark {
        case programme, channel, guide, xmlDeclaration, doctype, comment, page
        /// The scan resumes after it.
        case recordEnd, declarationEnd
        case rootEnd
    }

    /// The result of a search.
    enum Finding {
        case mark(Mark, at: Int)
        /// Nothing up to this offset. From here on, more bytes are needed to decide.
        case undecided(Int)
    }

    /// The maximum length of a mark, except for the end tag of a root with a longer name.
    private static let longest = 16

    /// Finds the nearest mark from an offset on.
    ///
    /// - Complexity: O(bytes searched).
    static func find(
        _ target: Target, _ bytes: Span<UInt8>, from start: Int, limit: Int, root: [UInt8], atEnd: Bool
    ) -> Finding {
        var index = start
        while index < limit {
            if target != .declaration {
                let hits = ByteScan.lessThan(bytes.eightBytes(at: index))
                guard hits != 0 else {
                    index &+= 8
                    continue
                }
                index &+= hits.trailingZeroBitCount >> 3
                guard index < limit else { break }
            }
            if !atEnd, limit &- index < max(longest, root.count &+ 3) { return .undecided(index) }
            if let mark = mark(at: index, bytes, limit: limit, root), matches(mark, target) {
                return .mark(mark, at: index)
            }
            index &+= 1
        }
        return .undecided(limit)
    }

    private static func matches(_ mark: Mark, _ target: Target) -> Bool {
        switch mark {
        case .guide, .xmlDeclaration: true
        case .programme, .channel: target != .epilog
        case .recordEnd, .rootEnd: target == .content
        case .doctype: target != .content
        case .comment, .page: target == .prolog || target == .declaration
        case .declarationEnd: target == .declaration
        }
    }

    /// Returns the mark at an offset.
    static func mark(at index: Int, _ bytes: Span<UInt8>, limit: Int, _ root: [UInt8]) -> Mark? {
        let reader = Reader(index: index, limit: limit)
        guard bytes[index] == ASCII.lessThan else {
            return bytes[index] == ASCII.question && reader.begins(bytes, with: declarationEnd) ? .declarationEnd : nil
        }
        switch bytes[index &+ 1] {
        case 0x70: return reader.isTag(bytes, programme) ? .programme : nil
        case 0x63: return reader.isTag(bytes, channel) ? .channel : nil
        case 0x74: return reader.isTag(bytes, guide) ? .guide : nil
        case 0x68: return reader.isTag(bytes, page) ? .page : nil
        case ASCII.question: return reader.isTag(bytes, xmlDeclaration) ? .xmlDeclaration : nil
        case ASCII.exclamation:
            if reader.begins(bytes, with: comment) { return .comment }
            return reader.begins(bytes, with: doctype) ? .doctype : nil
        case ASCII.slash:
            if reader.begins(bytes, with: programmeEnd) || reader.begins(bytes, with: channelEnd) { return .recordEnd }
            return reader.isEnd(bytes, of: root) ? .rootEnd : nil
        default: return nil
        }
    }

    private static let programme = Array("<programme".utf8)
    private static let channel = Array("<channel".utf8)
    private static let guide = Array("<tv".utf8)
    private static let page = Array("<html".utf8)
    private static let xmlDeclaration = Array("<?xml".utf8)
    private static let declarationEnd = Array("?>".utf8)
    private static let comment = Array("<!--".utf8)
    private static let doctype = Array("<!DOCTYPE".utf8)
    private static let programmeEnd = Array("</programme>".utf8)
    private static let channelEnd = Array("</channel>".utf8)

    private struct Reader {
        let index: Int
        let limit: Int

        func begins(_ bytes: Span<UInt8>, with text: [UInt8], from start: Int = 0) -> Bool {
            let first = index &+ start
            guard limit &- first >= text.count else { return false }
            for place in text.indices where bytes[first &+ place] != text[place] { return false }
            return true
        }

        /// Returns whether a tag with a name starts here, and not one with a longer name.
        func isTag(_ bytes: Span<UInt8>, _ text: [UInt8]) -> Bool {
            let end = index &+ text.count
            guard begins(bytes, with: text), end < limit else { return false }
            return bytes[end].isXMLSpace || bytes[end] == ASCII.greaterThan || bytes[end] == ASCII.slash
        }

        func isEnd(_ bytes: Span<UInt8>, of root: [UInt8]) -> Bool {
            let end = index &+ 2 &+ root.count
            guard !root.isEmpty, begins(bytes, with: root, from: 2), end < limit else { return false }
            return bytes[end] == ASCII.greaterThan || bytes[end].isXMLSpace
        }
    }
}
