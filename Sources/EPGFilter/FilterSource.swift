package import XMLTV

/// A guide that a filter reads.
package struct FilterSource {
    /// The name of the guide in messages.
    package let name: String
    /// The source of its bytes.
    package let source: any ByteSource

    /// Creates a guide with a name for messages.
    package init(name: String, source: any ByteSource) {
        self.name = name
        self.source = source
    }
}

/// A problem in a guide that doesn't stop a filter.
package enum FilterWarning: Hashable, Sendable {
    /// A programme without start or channel, or a channel without an identifier. It is dropped.
    case missingAttribute(record: String, attribute: String)
    /// An element in `<tv>` that is neither a channel nor a programme. It is dropped.
    case unknownElement(String)
    /// Guides with different headers. The last one wins.
    case differingHeaders
    /// Different descriptions of the channel with this identifier. The first one read wins.
    case differingChannels(String)
    /// An invalid time.
    case badTime(String, attribute: String, channel: String)
    /// A programme that stops before it starts.
    case stopBeforeStart(channel: String, start: String, stop: String)
    /// Two overlapping programmes of a channel: the title and times of each, as written.
    case overlap(channel: String, first: String, second: String)
    /// A programme that occurs more than once: its title and times.
    case duplicate(channel: String, String)
    /// Programmes without a stop were assumed to end when they start.
    case missingStop
    /// A programme that is part of a clump whose other parts are missing.
    case incompleteClump(channel: String, clump: String)
    /// A channel that is declared after its programmes, so that its name was unknown to a test.
    case channelAfterProgrammes(String)
}

extension FilterWarning: CustomStringConvertible {
    /// The warning message: what was found, and how the filter handled it.
    package var description: String {
        switch self {
        case .missingAttribute(let record, let attribute):
            "dropped a \(record) without the attribute \(attribute)"
        case .unknownElement(let name): "dropped <\(name)>, which is neither a channel nor a programme"
        case .differingHeaders: "the guides have different headers; the last one is used"
        case .differingChannels(let id):
            "the guides describe the channel \(id) differently; the description in the last guide is used"
        case .badTime(let text, let attribute, let channel):
            "invalid \(attribute) “\(text)” of a programme on \(channel)"
        case .stopBeforeStart(let channel, let start, let stop):
            "a programme on \(channel) stops before it starts: \(start), \(stop)"
        case .overlap(let channel, let first, let second):
            "programmes on \(channel) overlap: \(first) and \(second)"
        case .duplicate(let channel, let programme): "duplicate programme on \(channel): \(programme)"
        case .missingStop: "programmes without a stop are assumed to end when they start"
        case .incompleteClump(let channel, let clump):
            "a programme on \(channel) is part \(clump) of a clump, but the other parts are missing"
        case .channelAfterProgrammes(let id):
            "the channel \(id) follows its programmes, so its name was unknown; sort the guide first"
        }
    }
}

/// The reason why a filter can't continue.
package enum FilterError: Error, Hashable, Sendable {
    /// A guide is malformed or unreadable.
    case unreadable(guide: String, XMLError)
    /// The guide would be split into more files than this limit.
    case tooManyFiles(Int)
    /// The template produces an invalid file name.
    case badFileName(String)
}

extension FilterError: CustomStringConvertible {
    /// The error message: what failed, where, and what to do.
    package var description: String {
        switch self {
        case .unreadable(let guide, let error): "\(guide): \(error)"
        case .tooManyFiles(let limit):
            "The guide would be split into more than \(limit) files. Use a template with fewer directives."
        case .badFileName(let name):
            "\(name.prefix(200)) is not a valid file name. Use a template that gives shorter names."
        }
    }
}
