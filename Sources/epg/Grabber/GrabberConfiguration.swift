import Glibc
import XMLTV

/// The grabber's configuration file: `database=FILE`, and `channel=ID` or `channel!ID` for each channel.
///
/// The form is that of the XMLTV project's grabbers, so that its programs can write it: blank lines and lines that begin
/// with `#` say nothing, what follows a blank and `#` is a comment. (The project takes any `#` for a comment; here one
/// inside an identifier stays.)
struct GrabberConfiguration: Hashable, Sendable {
    /// `nil` for the usual place.
    var database: String?
    /// The identifiers that are wanted; `nil` where the file lists none, for all.
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
            let content = Self.withoutComment(line)
            guard !content.isEmpty else { continue }
            guard let sign = content.firstIndex(where: { $0 == "=" || $0 == "!" }), sign > content.startIndex,
                !content[..<sign].contains(where: \.isWhitespace)
            else {
                throw CommandFailure(
                    .configuration,
                    "\(path), line \(index + 1): “\(line)” is neither name=value nor name!value. "
                        + "Mend it, or run “\(Grabber.name) --configure”.")
            }
            let value = String(content[content.index(after: sign)...])
            switch (content[..<sign], content[sign]) {
            case ("database", "="): database = value.isEmpty ? nil : value
            case ("channel", "="): channels = (channels ?? []).union([value])
            // A list of channels none of which is wanted is a list too.
            case ("channel", _): channels = channels ?? []
            default: break
            }
        }
    }

    private static func withoutComment(_ line: Substring) -> Substring {
        var end = line.endIndex
        var previous: Character = " "
        for index in line.indices {
            if line[index] == "#", previous.isWhitespace {
                end = index
                break
            }
            previous = line[index]
        }
        var content = line[..<end]
        while content.last?.isWhitespace ?? false { content.removeLast() }
        return content
    }
}
