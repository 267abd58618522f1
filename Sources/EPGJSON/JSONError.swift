package import XMLTV

/// Why a JSON document is refused, and where.
///
/// The error carries facts; ``description`` makes a sentence of them.
package struct JSONError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        // Not well-formed (RFC 8259).
        /// Something else stands where this was expected, in words.
        case expected(String)
        /// The document ends too early; within what, in words.
        case unexpectedEnd(inside: String)
        /// A string or number breaks a rule; which, in words.
        case malformed(String)
        /// The document is in an encoding other than UTF-8 (8.1).
        case encoding(String)

        // Refused though it may be well-formed.
        /// The file holds nothing but white space.
        case empty
        /// One of ``JSONLimits`` was passed.
        case limit(JSONLimits.Name, Int)
        /// It isn't one of the guides that can be read: what it is, in words.
        case notAGuide(found: String)
        /// A newer version of EPG JSON.
        case newerVersion(String)
        /// A server's answer that isn't a guide but says what went wrong.
        case server(code: Int64?, message: String)
        /// The bytes couldn't be read.
        case unreadable(ByteFault)
    }

    package let reason: Reason
    /// From 1, counted by line feeds.
    package let line: Int
    /// In bytes, from 1.
    package let column: Int
    /// The name of the file, where several are read together.
    package var file: String?

    /// An error, by default at the beginning of the document.
    package init(reason: Reason, line: Int = 1, column: Int = 1) {
        self.reason = reason
        self.line = line
        self.column = column
    }

    /// Whether the document ended too early: what was read before is whole.
    package var isCutOff: Bool {
        switch reason {
        case .unexpectedEnd, .unreadable(.cutOff): true
        default: false
        }
    }

    /// Whether the system couldn't read the file.
    package var isUnreadable: Bool {
        if case .unreadable(.system) = reason { true } else { false }
    }
}

extension JSONError: CustomStringConvertible {
    /// `programs.json: line 12, column 7: a comma or ']' is expected here`.
    package var description: String {
        let place = reason.hasPlace ? "line \(line), column \(column): " : ""
        return (file.map { "\($0): " } ?? "") + place + reason.description
    }
}

extension JSONError.Reason: CustomStringConvertible {
    /// Whether it is about one place rather than the whole file.
    fileprivate var hasPlace: Bool {
        switch self {
        case .encoding, .empty, .notAGuide, .server, .unreadable: false
        default: true
        }
    }

    package var description: String {
        switch self {
        case .expected(let what): "\(what) is expected here"
        case .unexpectedEnd(let place): "the document ends within \(place): it was cut off"
        case .malformed(let what): what
        case .encoding(let name): "this JSON is in \(name); convert it to UTF-8, in which JSON is exchanged"
        case .empty: "the file is empty"
        case .limit(.depth, let value): "arrays and objects are nested deeper than \(value)"
        case .limit(.recordBytes, let value): "a record is longer than \(value) bytes"
        case .limit(.recordValues, let value): "a record holds more than \(value) values"
        case .notAGuide(let found):
            "this JSON is no guide: \(found); EPG JSON, Schedules Direct (lineup, schedules, programs) and TVmaze "
                + "schedules can be read"
        case .newerVersion(let version):
            "this is EPG JSON of version \(version); this program reads version 1, take a newer one"
        case .server(let code, let message):
            "this is no guide but a server's answer: \(message)\(code.map { " (code \($0))" } ?? "")"
        case .unreadable(let fault): fault.words
        }
    }
}
