import Glibc
import XMLTV

/// The grabber's configuration file: `database=FILE`, and `channel=ID` or `channel!ID` for each channel.
///
/// The form is that of the XMLTV project's grabbers, so that its programs can write it: blank lines say nothing, nor do
/// lines whose first character behind white space is `#`. A value is the rest of its line as it stands, with its blanks and
/// any `#`, for a channel may have such an identifier. (The project takes any `#` for a comment.)
struct GrabberConfiguration: Hashable, Sendable {
    /// `nil` for the usual place.
    var database: String?
    /// The identifiers that are wanted, none where the file has only `channel!ID`; `nil` where it names no channel, for all.
    var channels: Set<String>?

    init() {}

    /// Reads a file; `nil` where there is none.
    init?(readingFrom path: String) throws(CommandFailure) {
        guard access(path, F_OK) == 0 else { return nil }
        var bytes: [UInt8] = []
        do {
            var source = try FileSource(path: path)
            var count = 0
            repeat {
                bytes += repeatElement(0, count: 64 << 10)
                let used = bytes.count - 64 << 10
                count = try source.read(into: &bytes, at: used, upTo: 64 << 10)
                bytes.removeLast((64 << 10) - count)
                guard bytes.count <= 16 << 20 else {
                    throw CommandFailure(.configuration, "\(path) is larger than 16 MiB, so it is no configuration.")
                }
            } while count > 0
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.inputOutput, "\(path) can't be read (\(error)).")
        }
        try self.init(String(decoding: bytes, as: UTF8.self), path: path)
    }

    /// Reads the text of a file.
    init(_ text: String, path: String) throws(CommandFailure) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            // By scalars: a mark that combines with the sign begins an identifier.
            let content = line.unicodeScalars
            guard let first = content.first(where: { !$0.properties.isWhitespace }), first != "#" else { continue }
            guard let sign = content.firstIndex(where: { $0 == "=" || $0 == "!" }), sign > content.startIndex,
                !content[..<sign].contains(where: \.properties.isWhitespace)
            else {
                throw CommandFailure(
                    .configuration,
                    "\(path), line \(index + 1): “\(line)” is neither name=value nor name!value. "
                        + "Mend it, or run “\(Grabber.name) --configure”.")
            }
            let value = String(content[content.index(after: sign)...])
            switch (String(content[..<sign]), content[sign]) {
            case ("database", "="): database = value.isEmpty ? nil : value
            case ("channel", "="): channels = (channels ?? []).union([value])
            // A list of channels none of which is wanted is a list too.
            case ("channel", _): channels = channels ?? []
            default: break
            }
        }
    }
}
