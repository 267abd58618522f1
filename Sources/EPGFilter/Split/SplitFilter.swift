import XMLTV

/// Spreads the programmes of guides over files by channel and time, as `tv_split` does.
///
/// Where the template names the channel, a file holds the channel of its programmes; else it holds all channels that came
/// before its first programme. All files have the header of the guide.
package struct SplitFilter {
    /// No guide is split into more files.
    package static let maximumFiles = 10_000
    /// Bytes that wait to be written, over all files.
    private static let maximumWaiting = 16 << 20

    private let template: SplitTemplate

    /// A filter that names its files by a template.
    package init(_ template: SplitTemplate) {
        self.template = template
    }

    /// Reads the guides and writes the files.
    ///
    /// - Parameters:
    ///   - sources: The guides.
    ///   - warn: Told what is odd in them.
    ///   - append: Gets the name of a file and bytes to put at its end; what it throws ends the work.
    package func run(
        _ sources: [FilterSource], warn: @escaping (FilterWarning) -> Void,
        append: (_ file: String, _ bytes: [UInt8]) throws -> Void
    ) throws {
        var guide = try GuideSequence(sources, warn)
        var channels = SplitChannels(guide.channels)
        var files: [String: OpenFile] = [:]
        var waiting = 0
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
                // The header of a new file waits too.
                let before = open?.writer.count ?? 0
                file.write(programme, channels: &channels, onlyItsOwn: template.namesChannel)
                waiting += file.writer.count - before
                if file.writer.count >= 1 << 16 {
                    waiting -= file.writer.count
                    try append(name, file.writer.takeBytes())
                }
                files[name] = file
                if waiting > SplitFilter.maximumWaiting {
                    for name in files.keys {
                        if let bytes = files[name]?.writer.takeBytes(), !bytes.isEmpty { try append(name, bytes) }
                    }
                    waiting = 0
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

/// A file that programmes are written to.
private struct OpenFile {
    var writer = XMLTVWriter()
    private var hasChannels = false

    init(_ attributes: [XMLTVElement.Attribute]) {
        writer.begin(attributes: attributes)
    }

    mutating func write(_ programme: XMLTVElement, channels: inout SplitChannels, onlyItsOwn: Bool) {
        if !hasChannels {
            hasChannels = true
            if !onlyItsOwn {
                for channel in channels.sorted() { writer.write(channel) }
            } else if let own = channels[programme[attribute: "channel"] ?? ""] {
                writer.write(own)
            }
        }
        writer.write(programme.withoutEmptyParts)
    }
}
