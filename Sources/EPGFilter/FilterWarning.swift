/// What a filter found odd in a guide and went on.
package enum FilterWarning: Hashable, Sendable {
    /// A programme that doesn't say when or where it is on, or a channel without an identifier: it is left out.
    case missingAttribute(record: String, attribute: String)
    /// An element in `<tv>` that is neither channel nor programme: it is left out.
    case unknownElement(String)
    /// Several guides say different things in `<tv>`: the last one's stand.
    case differingHeaders
    /// Two channels of one identifier say different things: the one that was read first stands.
    case differingChannels(String)
    /// A time that can't be read, and what is done.
    case badTime(String, attribute: String, channel: String)
    /// A programme stops before it starts.
    case reversed(channel: String, start: String, stop: String)
    /// Two programmes of a channel overlap: their titles and times as they are written.
    case overlap(channel: String, first: String, second: String)
    /// A programme stands in the guide more than once: its title and times.
    case duplicate(channel: String, String)
    /// Programmes without a stop were compared by their start.
    case noStop
    /// A programme says that it is one of several in a clump, but the others aren't there.
    case lonelyClump(channel: String, clump: String)
    /// A channel is declared behind its programmes, so that its name wasn't known to a test.
    case lateChannel(String)
}

extension FilterWarning: CustomStringConvertible {
    /// What was found and what was done, in English.
    package var description: String {
        switch self {
        case .missingAttribute(let record, let attribute):
            "a \(record) without \(attribute) is left out"
        case .unknownElement(let name): "<\(name)> is left out: it is neither channel nor programme"
        case .differingHeaders: "the guides have different headers; the last guide's is taken"
        case .differingChannels(let id):
            "the channel \(id) is described twice, differently; what was read first is taken, the last guide before others"
        case .badTime(let text, let attribute, let channel):
            "the \(attribute) \"\(text)\" of a programme on \(channel) is no time"
        case .reversed(let channel, let start, let stop):
            "a programme on \(channel) stops before it starts: \(start), \(stop)"
        case .overlap(let channel, let first, let second):
            "programmes on \(channel) overlap: \(first) and \(second)"
        case .duplicate(let channel, let programme): "a programme on \(channel) stands there twice: \(programme)"
        case .noStop:
            "programmes without a stop are taken to end when they start; 'epg filter sort' adds stops"
        case .lonelyClump(let channel, let clump):
            "a programme on \(channel) is \(clump) of a clump, but the others are missing"
        case .lateChannel(let id):
            "the channel \(id) stands behind its programmes, so its name was unknown; sort the guide first"
        }
    }
}
