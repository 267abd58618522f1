import XMLTV

/// A filter that splits guides into files by channel and time, like `tv_split`.
///
/// If the template names the channel, each file has only the channel of its programmes. Otherwise, it has all channels
/// that precede its first programme. All files have the header of the guide.
package struct SplitFilter {
    /// The maximum number of output files: 10,000.
    package static let maximumFiles = 10_000
    /// The maximum number of bytes waiting to be written, over all files.
    private static let maximumBufferedBytes = 16 << 20

    private let template: SplitTemplate

    /// Creates a filter with a template for file names.
    package init(_ template: SplitTemplate) {
        self.template = template
    }

    /// Reads the guides and writes the files.
    ///
    /// - Parameters:
    ///   - sources: The guides.
    ///   - warn: Receives warnings.
    ///   - append: Receives a file name and bytes to append to that file. An error that it throws ends the run.
    /// - Throws: ``FilterError``, also for more than ``maximumFiles`` files; any error of `append`.
    package func run(
        _ sources: [FilterSource], warn: @escaping (FilterWarning) -> Void,
        append: (_ file: String, _ bytes: [UInt8]) throws -> Void
    ) throws {
        var guide = try GuideSequence(sources, warn)
        var channels = SplitChannels(guide.channels)
        var files: [String: OpenFile] = [:]
        var bufferedBytes = 0
        while let record = try guide.next() {
            switch record {
            case .guide: break
            case .channel(let channel): channels.add(channel)
            case .programme(let programme):
                guard let name = fileName(of: programme, warn) else { continue }
                guard name.utf8.count < 4096, !name.isEmpty else { throw FilterError.badFileName(name) }
                let open = files.removeValue(forKey: name)
                var file = open ?? OpenFile(guide.attributes)
                guard files.count < SplitFilter.maximumFiles else {
                    throw FilterError.tooManyFiles(SplitFilter.maximumFiles)
                }
                // The header of a new file waits, too.
                let before = open?.writer.count ?? 0
                file.write(programme, channels: &channels, onlyOwnChannel: template.namesChannel)
                bufferedBytes += file.writer.count - before
                if file.writer.count >= 1 << 16 {
                    bufferedBytes -= file.writer.count
                    try append(name, file.writer.takeBytes())
                }
                files[name] = file
                if bufferedBytes > SplitFilter.maximumBufferedBytes {
                    for name in files.keys {
                        if let bytes = files[name]?.writer.takeBytes(), !bytes.isEmpty { try append(name, bytes) }
                    }
                    bufferedBytes = 0
                }
            }
        }
        for name in files.keys.sorted() {
            files[name]?.writer.end()
            if let bytes = files[name]?.writer.takeBytes() { try append(name, bytes) }
        }
    }

    private func fileName(of programme: XMLTVElement, _ warn: (FilterWarning) -> Void) -> String? {
        let channel = programme[attribute: "channel"] ?? ""
        let start = programme[attribute: "start"] ?? ""
        do throws(XMLTVTimeError) {
            return template.fileName(channel: channel, start: try XMLTVTime(start))
        } catch {
            warn(.badTime(start, attribute: "start", channel: channel))
            return nil
        }
    }
}

/// An output file.
private struct OpenFile {
    var writer = XMLTVWriter()
    private var hasChannels = false

    init(_ attributes: [XMLTVElement.Attribute]) {
        writer.begin(attributes: attributes)
    }

    mutating func write(_ programme: XMLTVElement, channels: inout SplitChannels, onlyOwnChannel: Bool) {
        if !hasChannels {
            hasChannels = true
            if !onlyOwnChannel {
                for channel in channels.sorted() { writer.write(channel) }
            } else if let own = channels[programme[attribute: "channel"] ?? ""] {
                writer.write(own)
            }
        }
        writer.write(programme.withoutEmptyParts)
    }
}

/// The channels read so far, as needed for new output files.
private struct SplitChannels {
    /// The channels by the bytes of their identifiers.
    private var byIdentifier: [[UInt8]: XMLTVElement] = [:]
    /// The channels sorted by identifier; `nil` if one has been added since.
    private var inOrder: [XMLTVElement]?

    init(_ channels: [XMLTVElement]) {
        for channel in channels { add(channel) }
    }

    mutating func add(_ channel: XMLTVElement) {
        byIdentifier[Array((channel[attribute: "id"] ?? "").utf8)] = channel.withoutEmptyParts
        inOrder = nil
    }

    /// The channel with an identifier.
    subscript(_ id: String) -> XMLTVElement? { byIdentifier[Array(id.utf8)] }

    /// Returns all channels sorted by identifier.
    ///
    /// - Complexity: O(*n* log *n*) after a channel was added, otherwise O(1).
    mutating func sorted() -> [XMLTVElement] {
        if let inOrder { return inOrder }
        let sorted = Array(byIdentifier.values).sortedByIdentifier
        inOrder = sorted
        return sorted
    }
}
