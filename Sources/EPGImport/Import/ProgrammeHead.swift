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

extension Span<UInt8> {
    /// The bytes as text, at most 200 of them.
    var text: String {
        var copy: [UInt8] = []
        for index in 0..<Swift.min(count, 200) { copy.append(self[index]) }
        return String(decoding: copy, as: UTF8.self)
    }
}
