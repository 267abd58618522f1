import XMLTV

/// Several guides as one: one header, each channel once, then the programmes of the first guide, of the second, and so on.
///
/// As in the XMLTV project's programs, the last guide is opened first: its header stands, and its channels come before
/// those of the others.
struct GuideSequence {
    /// The attributes of `<tv>`.
    let attributes: [XMLTVElement.Attribute]
    /// The channels that stand before the programmes of their guides.
    let channels: [XMLTVElement]

    /// The guides that have more to give, the next one last.
    private var files: [FilteredGuide]
    /// The channels by the bytes of their identifiers.
    private var known: [[UInt8]: XMLTVElement] = [:]
    private let warn: (FilterWarning) -> Void

    /// Reads the beginnings of the guides, up to their first programmes.
    ///
    /// - Complexity: O(bytes of the channels), in time and in memory.
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

    /// The next programme, or a channel that stands behind a programme and wasn't known before.
    mutating func next() throws(FilterError) -> GuideRecord? {
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
