import XMLTV

/// Several guides as one: one header, each channel once, then the programmes of each guide in turn.
///
/// As in the XMLTV project's programs, the last guide is opened first: its header is used, and its channels come before
/// the channels of the others.
struct GuideSequence {
    /// The attributes of `<tv>`.
    let attributes: [XMLTVElement.Attribute]
    /// The channels that precede the programmes of their guides.
    let channels: [XMLTVElement]

    /// The guides that may have more records, the next one to read last.
    private var files: [FilteredGuide]
    /// The channels by the bytes of their identifiers.
    private var known: [[UInt8]: XMLTVElement] = [:]
    private let warn: (FilterWarning) -> Void

    /// Reads the guides up to their first programmes.
    ///
    /// - Complexity: O(bytes of the channels) in time and memory.
    init(_ sources: [FilterSource], _ warn: @escaping (FilterWarning) -> Void) throws(FilterError) {
        self.warn = warn
        files = []
        var header: [XMLTVElement.Attribute]?
        var channels: [XMLTVElement] = []
        for source in sources.reversed() {
            let file = FilteredGuide(source)
            files.append(file)
            let head = try file.head(warn)
            if let header {
                if header != head.attributes { warn(.differingHeaders) }
            } else {
                header = head.attributes
            }
            for channel in head.channels where GuideSequence.isNew(channel, among: &known, warn) {
                channels.append(channel)
            }
        }
        attributes = header ?? []
        self.channels = channels
    }

    /// Returns the next programme, or a new channel that follows a programme.
    mutating func next() throws(FilterError) -> FilterRecord? {
        while let file = files.last {
            guard let record = try file.next(warn) else {
                files.removeLast()
                continue
            }
            switch record {
            case .guide: continue
            case .channel(let channel): if GuideSequence.isNew(channel, among: &known, warn) { return record }
            case .programme: return record
            }
        }
        return nil
    }

    private static func isNew(
        _ channel: XMLTVElement, among known: inout [[UInt8]: XMLTVElement], _ warn: (FilterWarning) -> Void
    ) -> Bool {
        let id = channel[attribute: "id"] ?? ""
        let key = Array(id.utf8)
        guard let other = known[key] else {
            known[key] = channel
            return true
        }
        if other != channel { warn(.differingChannels(id)) }
        return false
    }
}

/// A guide that a filter reads: returns normalized records one by one.
private final class FilteredGuide {
    /// The name of the guide in messages.
    let name: String
    private var reader: XMLTVReader
    private var readAhead: FilterRecord?

    init(_ source: FilterSource) {
        name = source.name
        reader = XMLTVReader(source.source)
    }

    /// Returns the next record, or `nil` at the end.
    ///
    /// Drops elements that XMLTV doesn't allow in `<tv>`, and records without mandatory attributes, with a warning.
    /// Private elements, whose names start with `x-`, are dropped silently.
    func next(_ warn: (FilterWarning) -> Void) throws(FilterError) -> FilterRecord? {
        if let record = readAhead {
            readAhead = nil
            return record
        }
        do throws(XMLError) {
            while let record = try reader.next() {
                switch record {
                case .guide: return .guide(RecordNormalizer.header(reader.element.attributes))
                case .channel:
                    if let channel = RecordNormalizer.channel(reader.element, warn) { return .channel(channel) }
                case .programme:
                    if let programme = RecordNormalizer.programme(reader.element, warn) { return .programme(programme) }
                case .other:
                    let name = reader.element.name
                    if !RecordNormalizer.isPrivate(name) { warn(.unknownElement(name)) }
                // A strict reader skips none.
                case .skipped: continue
                }
            }
            return nil
        } catch {
            throw .unreadable(guide: name, error)
        }
    }

    /// Reads everything before the first programme.
    func head(
        _ warn: (FilterWarning) -> Void
    ) throws(FilterError) -> (attributes: [XMLTVElement.Attribute], channels: [XMLTVElement]) {
        var attributes: [XMLTVElement.Attribute] = []
        var channels: [XMLTVElement] = []
        while let record = try next(warn) {
            switch record {
            case .guide(let found): attributes = found
            case .channel(let channel): channels.append(channel)
            case .programme:
                readAhead = record
                return (attributes, channels)
            }
        }
        return (attributes, channels)
    }
}

/// A normalized record of a guide.
enum FilterRecord {
    /// The attributes of `<tv>`.
    case guide([XMLTVElement.Attribute])
    /// A channel with an identifier.
    case channel(XMLTVElement)
    /// A programme with a start and a channel.
    case programme(XMLTVElement)
}
