import EPGModel
import XMLTV

/// The attributes of a `<programme>`: the token indices of its start, stop, and channel, and of the attributes of the
/// transmission.
struct ProgrammeHead {
    /// The token index of `start`.
    private(set) var start: Int?
    /// The token index of `stop`.
    private(set) var stop: Int?
    /// The token index of `channel`.
    private(set) var channel: Int?
    /// The position in a clump; `nil` if the window isn't shared.
    private(set) var clump: Clump?
    /// The token indices of the attributes of the transmission.
    private(set) var others: [Int] = []

    /// Adds an attribute.
    mutating func add(_ token: XMLToken, at index: Int, _ bytes: Span<UInt8>, _ base: Int) {
        switch token.name {
        case .start: start = index
        case .stop: stop = index
        case .channel: channel = index
        case .clumpidx:
            let begin = base + Int(token.offset)
            let text = bytes.extracting(begin..<begin + Int(token.count)).text
            clump = Clump(clumpidx: text)
            // `0/1` is the default of the DTD. Any other value that is not a position in a clump is kept unchanged.
            if clump == nil, text != "0/1" { others.append(index) }
        default:
            others.append(index)
        }
    }
}

extension PublishedTimes {
    /// Returns whether a listing with these times may overlap a window, or bound an airing that overlaps it: an airing lasts at
    /// most as long as the policy allows.
    func canAffect(_ window: TimeWindow, _ policy: NormalizationPolicy) -> Bool {
        let longest = policy.longestAiringSeconds
        guard start < window.end.advanced(by: longest) else { return false }
        return (stop ?? start.advanced(by: longest)) > window.start
    }
}

extension [Listing] {
    /// The number of programmes without a length whose start more than a dozen of them share, so that it carries nothing
    /// (Rules.md, rule 20).
    var countWithoutTimes: Int {
        let starts = lazy.filter { $0.stop ?? $0.start <= $0.start }.map(\.start)
        let counts = starts.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        return counts.values.lazy.filter { $0 > 12 }.reduce(0, +)
    }
}

extension NormalizedListings {
    /// The number of listings of which any part is in the schedule.
    var countOfListings: Int {
        struct Key: Hashable {
            let times: PublishedTimes
            let clump: Clump?
            let programme: Int64
        }
        var changed: Set<Key> = []
        return airings.count { airing in
            guard let times = airing.published else { return true }
            return changed.insert(Key(times: times, clump: airing.clump, programme: airing.programme)).inserted
        }
    }

    /// Removes and returns the airings outside a window.
    mutating func removeAirings(outside window: TimeWindow) -> [ScheduledListing] {
        let outside = airings.filter { !$0.window.overlaps(window) }
        guard !outside.isEmpty else { return [] }
        airings.removeAll { !$0.window.overlaps(window) }
        // Drop the repairs of these airings. Dropped and merged listings remain accounted for.
        repairs.removeAll { repair in repair.window.map { !$0.overlaps(window) } ?? false }
        guard let known = coverage, let first = airings.first, let last = airings.last else {
            coverage = nil
            return outside
        }
        let start = max(known.start, first.window.start)
        let end = min(known.end, last.window.end)
        coverage = TimeWindow(start: start, end: max(start.advanced(by: 1), end))
        return outside
    }
}

extension Span<UInt8> {
    /// The bytes as text, at most 200 of them.
    var text: String {
        var copy: [UInt8] = []
        for index in 0..<Swift.min(count, 200) { copy.append(self[index]) }
        return String(decoding: copy, as: UTF8.self)
    }
}

extension XMLTVElement {
    /// Returns the element's attributes and children as nodes of a stored document. An attribute becomes an element
    /// `@name`.
    func contentNodes(without identifier: String) -> [ContentNode] {
        let extra = attributes.filter { $0.name != identifier }.map { attribute in
            ContentNode.element(ContentElement(name: "@" + attribute.name, children: [.text(attribute.value)]))
        }
        let nodes = children.compactMap { child -> ContentNode? in
            guard case .element(let element) = child else { return child.contentNode }
            let unchanged = element.unchangedContent
            return unchanged.isMarkedUpText ? .element(unchanged.normalizedMarkup) : element.contentNode
        }
        return nodes + extra
    }

    /// The element with its white space unchanged.
    private var unchangedContent: ContentElement {
        ContentElement(
            name: name, attributes: attributes.map { ContentAttribute(name: $0.name, value: $0.value) },
            children: children.map { child in
                switch child {
                case .text(let text): .text(text)
                case .element(let element): .element(element.unchangedContent)
                }
            })
    }
}

extension XMLTVElement {
    /// The element as a node, with its texts trimmed and without line breaks.
    var contentNode: ContentNode {
        .element(
            ContentElement(
                name: name, attributes: attributes.map { ContentAttribute(name: $0.name, value: $0.value) },
                children: children.compactMap(\.contentNode)))
    }
}

extension XMLTVElement.Child {
    /// The child as a node, or `nil` for white space.
    fileprivate var contentNode: ContentNode? {
        switch self {
        case .text(let text):
            var bytes: [UInt8] = []
            TextNormalizer.append(Array(text.utf8), isDescription: false, to: &bytes)
            return bytes.isEmpty ? nil : .text(String(decoding: bytes, as: UTF8.self))
        case .element(let element):
            return element.contentNode
        }
    }
}
