import XMLTV

/// One of the guides that a filter reads: its records one by one, tidied.
final class FilteredGuide {
    /// What it is called in messages.
    let name: String
    private var reader: XMLTVReader
    private var readAhead: GuideRecord?

    init(_ source: FilterSource) {
        name = source.name
        reader = XMLTVReader(source.source)
    }

    /// The next record; `nil` at the end.
    ///
    /// What the XMLTV format doesn't have in `<tv>`, and records without what they need, are left out with a warning;
    /// names that begin with `x-` are private and need none.
    func next(_ warn: (FilterWarning) -> Void) throws(FilterError) -> GuideRecord? {
        if let record = readAhead {
            readAhead = nil
            return record
        }
        do throws(XMLError) {
            while let record = try reader.next() {
                switch record {
                case .guide: return .guide(RecordTidying.header(reader.element.attributes))
                case .channel:
                    if let channel = RecordTidying.channel(reader.element, warn) { return .channel(channel) }
                case .programme:
                    if let programme = RecordTidying.programme(reader.element, warn) { return .programme(programme) }
                case .other:
                    let name = reader.element.name
                    if !RecordTidying.isPrivate(name) { warn(.unknownElement(name)) }
                }
            }
            return nil
        } catch {
            throw .unreadable(guide: name, error)
        }
    }

    /// Reads what stands before the first programme.
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
