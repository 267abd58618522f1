import EPGModel
import HTTPTypes
import Hummingbird

/// The fields of a form or the parameters of a URL.
package struct Form: Sendable {
    /// The values of each field, in their order.
    private var fields: [String: [String]] = [:]
    private var count = 0
    /// The names of fields in messages, if they differ.
    private let labels: [String: String]

    /// The maximum size of a form without a file in bytes, and the maximum number of its fields.
    package static let maximumSize = 256 << 10
    static let maximumCount = 4096
    /// The maximum size of a form that needs no session. Such requests may have to wait.
    package static let maximumSizeOfLogin = 16 << 10

    /// Creates an empty form.
    ///
    /// - Parameter labels: The names of fields in messages, if they differ.
    package init(labels: [String: String] = [:]) { self.labels = labels }

    /// Reads `application/x-www-form-urlencoded`.
    ///
    /// - Throws: ``Problem`` if the text is not percent-encoded UTF-8, or has too many fields.
    package init(urlEncoded bytes: some Collection<UInt8>, labels: [String: String] = [:]) throws(Problem) {
        self.labels = labels
        for part in bytes.split(separator: UInt8(ascii: "&")) {
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = String(percentDecoding: sides[0], decodesPlus: true),
                let value = sides.count > 1 ? String(percentDecoding: sides[1], decodesPlus: true) : ""
            else { throw Problem(.badRequest, "The form is not percent-encoded UTF-8.") }
            try append(name, value)
        }
    }

    /// Appends a field.
    ///
    /// - Throws: ``Problem`` above ``maximumCount``.
    package mutating func append(_ name: String, _ value: String) throws(Problem) {
        guard count < Self.maximumCount else { throw Problem(.badRequest, "The form has too many fields.") }
        count += 1
        fields[name, default: []].append(value)
    }

    /// The first value of a field; `nil` if it is missing.
    package subscript(name: String) -> String? { fields[name]?.first }

    /// All values of a field.
    package func values(of name: String) -> [String] { fields[name] ?? [] }

    /// The value of a field without surrounding blanks; `nil` if it is missing or blank.
    ///
    /// - Throws: ``Problem`` if it is too long, or contains control characters.
    package func text(_ name: String, maximumLength limit: Int = 200) throws(Problem) -> String? {
        guard let value = self[name]?.trimmingBlanks, !value.isEmpty else { return nil }
        guard value.utf8.count <= limit else {
            throw Problem(
                .unprocessableContent, "The \(labels[name] ?? name) has more than \(limit) bytes.", parameter: name)
        }
        guard !value.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw Problem(
                .unprocessableContent, "The \(labels[name] ?? name) contains control characters.", parameter: name)
        }
        return value
    }

    /// The same, for a field that must not be blank.
    package func requiredText(_ name: String, maximumLength limit: Int = 200) throws(Problem) -> String {
        guard let value = try text(name, maximumLength: limit) else {
            throw Problem(.unprocessableContent, "The \(labels[name] ?? name) is missing.", parameter: name)
        }
        return value
    }
}

extension String {
    /// The text without spaces, tabs and line breaks around it.
    package var trimmingBlanks: String {
        var rest = self[...]
        while rest.first?.isWhitespace ?? false { rest.removeFirst() }
        while rest.last?.isWhitespace ?? false { rest.removeLast() }
        return String(rest)
    }
}

/// A reader of `multipart/form-data` (RFC 7578) that receives the body in pieces.
package struct MultipartReader {
    /// What has been read.
    package enum Event: Equatable {
        case field(name: String, value: String)
        /// A file begins; the name that the client gives it may be empty.
        case file(name: String, fileName: String)
        /// The next bytes of the current file.
        case bytes(ArraySlice<UInt8>)
    }

    private enum State {
        /// In front of a part, or after a delimiter whose end is unknown.
        case delimiter
        case head
        case field(String)
        case file
        case end
        /// The text in front of the first delimiter.
        case preamble
    }

    /// A line break, two hyphens and the boundary.
    private let delimiter: [UInt8]
    private var buffer: [UInt8]
    private var state = State.preamble

    private static let maximumHead = 8 << 10
    private static let maximumField = 64 << 10

    /// - Parameter contentType: The header `Content-Type`.
    /// - Throws: ``Problem`` with status 415 for any other type, or without a valid boundary.
    package init(contentType: String?) throws(Problem) {
        let type = contentType ?? ""
        guard type.lowercased().hasPrefix("multipart/form-data"),
            let boundary = Self.parameter("boundary", of: type), (1...70).contains(boundary.utf8.count)
        else { throw Problem(.unsupportedMediaType, "The body must be multipart/form-data.") }
        delimiter = Array("\r\n--\(boundary)".utf8)
        // The first delimiter begins without a line break.
        buffer = [0x0D, 0x0A]
    }

    /// Whether the last delimiter has been read.
    package var isComplete: Bool { if case .end = state { true } else { false } }

    /// Reads the next bytes, and passes on the events that are complete.
    ///
    /// - Throws: ``Problem`` with status 400 for a malformed body, 413 for a field or a head that is too long; any error of
    ///   `handle`.
    package mutating func append(_ bytes: some Sequence<UInt8>, _ handle: (Event) throws -> Void) throws {
        buffer.append(contentsOf: bytes)
        while try step(handle) {}
    }

    /// Returns whether it made progress.
    private mutating func step(_ handle: (Event) throws -> Void) throws -> Bool {
        switch state {
        case .preamble:
            guard let place = place(of: delimiter) else {
                return try keepTail { _ in throw Self.malformed }
            }
            guard place == 0 else { throw Self.malformed }
            buffer.removeFirst(delimiter.count)
            state = .delimiter
        case .delimiter:
            guard buffer.count >= 2 else { return false }
            switch (buffer[0], buffer[1]) {
            case (0x2D, 0x2D):
                state = .end
            case (0x0D, 0x0A):
                buffer.removeFirst(2)
                state = .head
            default: throw Self.malformed
            }
        case .head:
            let end = Array("\r\n\r\n".utf8)
            guard let place = place(of: end) else {
                guard buffer.count <= Self.maximumHead else { throw Self.malformed }
                return false
            }
            guard place <= Self.maximumHead, let text = String(validating: buffer[..<place], as: UTF8.self) else {
                throw Self.malformed
            }
            buffer.removeFirst(place + end.count)
            let (name, fileName) = try Self.names(inHead: text)
            if let fileName {
                state = .file
                try handle(.file(name: name, fileName: fileName))
            } else {
                state = .field(name)
            }
        case .field(let name):
            guard let place = place(of: delimiter) else {
                guard buffer.count <= Self.maximumField else {
                    throw Problem(.contentTooLarge, "The field “\(name.prefix(40))” is too long.")
                }
                return false
            }
            guard place <= Self.maximumField, let value = String(validating: buffer[..<place], as: UTF8.self) else {
                throw Self.malformed
            }
            buffer.removeFirst(place + delimiter.count)
            state = .delimiter
            try handle(.field(name: name, value: value))
        case .file:
            guard let place = place(of: delimiter) else { return try keepTail { try handle(.bytes($0)) } }
            if place > 0 { try handle(.bytes(buffer[..<place])) }
            buffer.removeFirst(place + delimiter.count)
            state = .delimiter
        case .end:
            buffer = []
            return false
        }
        return true
    }

    /// Passes on all bytes that cannot be part of a delimiter. Returns `false`: the next step needs more bytes.
    private mutating func keepTail(_ handle: (ArraySlice<UInt8>) throws -> Void) throws -> Bool {
        let count = buffer.count - (delimiter.count - 1)
        guard count > 0 else { return false }
        try handle(buffer[..<count])
        buffer.removeFirst(count)
        return false
    }

    /// Returns the index of the first occurrence of some bytes.
    private func place(of part: [UInt8]) -> Int? {
        guard buffer.count >= part.count else { return nil }
        var start = 0
        while let index = buffer[start...].firstIndex(of: part[0]) {
            guard index + part.count <= buffer.count else { return nil }
            if buffer[index..<index + part.count].elementsEqual(part) { return index }
            start = index + 1
        }
        return nil
    }

    private static func names(inHead text: String) throws(Problem) -> (name: String, fileName: String?) {
        for line in text.split(separator: "\r\n") {
            let sides = line.split(separator: ":", maxSplits: 1)
            guard sides.count == 2, sides[0].lowercased() == "content-disposition" else { continue }
            let value = String(sides[1])
            guard value.trimmingBlanks.lowercased().hasPrefix("form-data"), let name = parameter("name", of: value)
            else {
                throw malformed
            }
            return (name, parameter("filename", of: value))
        }
        throw malformed
    }

    /// Returns a parameter such as `name="text"` of a header. Browsers write a quotation mark in a name as `%22`.
    private static func parameter(_ name: String, of header: String) -> String? {
        for part in header.split(separator: ";").dropFirst() {
            let sides = part.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, String(sides[0]).trimmingBlanks.lowercased() == name else { continue }
            let value = String(sides[1]).trimmingBlanks
            return value.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
                ? String(value.dropFirst().dropLast()) : value
        }
        return nil
    }

    private static let malformed = Problem(.badRequest, "The body is not valid multipart/form-data.")
}
