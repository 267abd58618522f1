/// Why a zone can't be had.
public enum ZoneError: Error, Hashable, Sendable {
    /// The text can't be a zone's name.
    case invalidName(String)
    /// The zone database has no zone of that name; the suggestions are the nearest names that it has, the nearest first.
    case unknownName(String, suggestions: [String])
    /// None of these folders holds a zone database.
    case noDatabase(name: String, folders: [String])
    /// The zone's file is there, but the system doesn't let it be read; the number is `errno`.
    case unreadable(name: String, path: String, errorNumber: Int32)
    /// The zone's file is no zone file, or a faulty one.
    case damaged(name: String, path: String, flaw: ZoneFileFlaw)
}

extension ZoneError: CustomStringConvertible {
    /// What is wrong, where, and what to do, in English.
    public var description: String {
        switch self {
        case .invalidName(let name):
            "\(quoted: name) can't be the name of a time zone; write one such as Europe/London or UTC"
        case .unknownName(let name, let suggestions):
            "there is no time zone \(quoted: name)"
                + (suggestions.isEmpty
                    ? "; write a name of the IANA database, such as Europe/London"
                    : "; did you mean \(suggestions.joined(separator: " or "))?")
        case .noDatabase(let name, let folders):
            "no time zone database for \(quoted: name) in \(folders.joined(separator: ", ")); "
                + "install the package tzdata, or set TZDIR to its folder"
        case .unreadable(let name, let path, let errorNumber):
            "the file \(path) of the time zone \(quoted: name) can't be read (system error \(errorNumber)); "
                + "check who may read it"
        case .damaged(let name, let path, let flaw):
            "the file \(path) of the time zone \(quoted: name) can't be used: \(flaw); "
                + (flaw == .countsLeapSeconds
                    ? "use the name without right/ at its front" : "install the package tzdata anew")
        }
    }
}

extension DefaultStringInterpolation {
    /// Appends a text that a stranger wrote, in quotes, at most 64 characters of it, control characters left out.
    mutating func appendInterpolation(quoted text: String) {
        let shown = text.unicodeScalars.prefix(64).filter { $0.properties.generalCategory != .control }
        appendLiteral("\"")
        appendInterpolation(String(String.UnicodeScalarView(shown)))
        appendLiteral(text.unicodeScalars.count > 64 ? "…\"" : "\"")
    }
}
