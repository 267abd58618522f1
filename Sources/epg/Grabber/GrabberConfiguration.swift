import ArgumentParser
import EPGFiles
import EPGModel
import EPGProgram
import Glibc

/// The configuration file of the grabber: `database=FILE`, and `channel=ID` or `channel!ID` for each channel.
///
/// It has the format of the XMLTV project's grabbers, whose programs can therefore write it. Blank lines and
/// lines that start with `#` after white space are ignored. A value is the rest of its line, including blanks and `#`,
/// which a channel identifier may contain. (The XMLTV project treats any `#` as the start of a comment.)
struct GrabberConfiguration: Hashable, Sendable {
    /// `nil` for the default database.
    var database: String?
    /// The selected identifiers: empty if the file has only `channel!ID` lines, `nil` for all channels if it has no
    /// channel lines.
    var channels: Set<String>?

    init() {}

    /// Reads a file; returns `nil` if it does not exist.
    init?(readingFrom path: String) throws(CommandFailure) {
        guard access(path, F_OK) == 0 else { return nil }
        let limit = 16 << 20
        let bytes: [UInt8]
        do throws(SystemFault) {
            bytes = try OpenFile(reading: path).rest(upTo: limit + 1)
        } catch {
            throw CommandFailure(.inputOutput, "Cannot read \(path): \(error).")
        }
        guard bytes.count <= limit else {
            throw CommandFailure(.configuration, "\(path) is too large for a configuration file (16 MiB).")
        }
        try self.init(String(decoding: bytes, as: UTF8.self), path: path)
    }

    /// Parses the text of a file.
    init(_ text: String, path: String) throws(CommandFailure) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            // Compare scalars, because a combining mark may follow the sign.
            let content = line.unicodeScalars
            guard let first = content.first(where: { !$0.properties.isWhitespace }), first != "#" else { continue }
            guard let sign = content.firstIndex(where: { $0 == "=" || $0 == "!" }), sign > content.startIndex,
                !content[..<sign].contains(where: \.properties.isWhitespace)
            else {
                throw CommandFailure(
                    .configuration,
                    "\(path), line \(index + 1): “\(line)” is neither name=value nor name!value. "
                        + "Correct the line, or run `\(Grabber.name) --configure`.")
            }
            let value = String(content[content.index(after: sign)...])
            switch (String(content[..<sign]), content[sign]) {
            case ("database", "="): database = value.isEmpty ? nil : value
            case ("channel", "="): channels = (channels ?? []).union([value])
            // A file with only excluded channels selects none.
            case ("channel", _): channels = channels ?? []
            default: break
            }
        }
    }
}

// MARK: - Guide

extension GrabberConfiguration {
    /// The configured guide.
    func guide() throws -> any GuideStorage {
        // `DatabaseOptions` determines the default location.
        try DatabaseOptions.parse(database.map { ["--database=\($0)"] } ?? []).guide()
    }

    /// The default database; `nil` if it does not exist.
    static var defaultDatabase: String? {
        do {
            let guide = try GrabberConfiguration().guide()
            try guide.read { _ in }
            return guide.location
        } catch {
            // The result is only a suggestion.
            return nil
        }
    }
}
