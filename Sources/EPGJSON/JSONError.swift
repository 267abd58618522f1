package import XMLTV

/// The reason why a JSON document is rejected, and its position.
///
/// The properties carry the facts. ``description`` is the error message.
package struct JSONError: Error, Hashable, Sendable {
    /// The reason why a document is rejected.
    package enum Reason: Hashable, Sendable {
        // Malformed JSON (RFC 8259).
        /// Other bytes in place of this expected construct, as a noun phrase.
        case expected(String)
        /// The document is truncated: the open construct, as a noun phrase.
        case unexpectedEnd(inside: String)
        /// An invalid string or number: a description of the fault.
        case malformed(String)
        /// An encoding other than UTF-8 (8.1).
        case encoding(String)

        // Rejected although it may be well-formed.
        /// A file with nothing but white space.
        case empty
        /// The document exceeds one of ``JSONLimits``.
        case limit(JSONLimits.Name, Int)
        /// A document that is not a supported guide: a description of what it is.
        case notAGuide(found: String)
        /// A newer version of EPG JSON.
        case newerVersion(String)
        /// An error response of a server instead of a guide.
        case server(code: Int64?, message: String)
        /// The bytes can't be read.
        case unreadable(ByteFault)
    }

    /// The reason why the document is rejected.
    package let reason: Reason
    /// The line number, from 1, counting line feeds.
    package let line: Int
    /// The column in bytes, from 1.
    package let column: Int
    /// The name of the file, if several are read together.
    package var file: String?

    /// Creates an error, by default at the start of the document.
    package init(reason: Reason, line: Int = 1, column: Int = 1) {
        self.reason = reason
        self.line = line
        self.column = column
    }

    /// Whether the document is truncated. The records read before the end are complete.
    package var isTruncated: Bool {
        switch reason {
        case .unexpectedEnd, .unreadable(.truncated): true
        default: false
        }
    }

    /// Whether the system couldn't read the file.
    package var isUnreadable: Bool {
        if case .unreadable(.system) = reason { true } else { false }
    }
}

extension JSONError: CustomStringConvertible {
    /// Such as `programs.json: line 12, column 7: expected a comma or ']'`.
    package var description: String {
        let place = reason.hasPlace ? "line \(line), column \(column): " : ""
        return (file.map { "\($0): " } ?? "") + place + reason.description
    }
}

extension JSONError.Reason: CustomStringConvertible {
    /// Whether the error has a position, rather than concerning the complete file.
    fileprivate var hasPlace: Bool {
        switch self {
        case .encoding, .empty, .notAGuide, .server, .unreadable: false
        default: true
        }
    }

    package var description: String {
        switch self {
        case .expected(let what): "expected \(what)"
        case .unexpectedEnd(let place): "the document is truncated: it ends within \(place)"
        case .malformed(let what): what
        case .encoding(let name): "this JSON is in \(name); convert it to UTF-8"
        case .empty: "the file is empty"
        case .limit(.depth, let value): "arrays and objects are nested deeper than \(value)"
        case .limit(.recordBytes, let value): "a record is longer than \(value) bytes"
        case .limit(.recordValues, let value): "a record has more than \(value) values"
        case .notAGuide(let found):
            "this JSON is not a guide: \(found); supported are EPG JSON, Schedules Direct (lineup, schedules, programs), and "
                + "TVmaze schedules"
        case .newerVersion(let version):
            "this is EPG JSON version \(version); this program supports version 1, update it"
        case .server(let code, let message):
            "this is an error response of a server, not a guide: \(message)\(code.map { " (code \($0))" } ?? "")"
        case .unreadable(let fault): fault.description
        }
    }
}
