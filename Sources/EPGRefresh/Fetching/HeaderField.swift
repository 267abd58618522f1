/// A header field that is sent with a request (RFC 9110, 5). Its value may be a secret and is never shown.
package struct HeaderField: Hashable, Sendable {
    package let name: String
    package let value: String

    /// A field, which is looked at when it is sent; see ``FetchError/Reason/badHeader(_:)``.
    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// `Authorization: Bearer …` (RFC 6750, 2.1).
    package static func bearer(_ token: String) -> HeaderField {
        HeaderField(name: "Authorization", value: "Bearer \(token)")
    }

    /// Whether it can be sent: its name is a token, its value has no control character, and it is none of those that
    /// say what is asked for and how it is sent, which are the fetcher's.
    var isAllowed: Bool {
        !name.isEmpty && name.utf8.allSatisfy(HeaderField.isTokenByte)
            && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
            && !HeaderField.reservedNames.contains(name.lowercased())
    }

    /// The line for libcurl, which takes `Name;` for a field without a value.
    var line: String { value.allSatisfy { $0 == " " } ? "\(name);" : "\(name): \(value)" }

    private static let reservedNames: Set = [
        "accept-encoding", "connection", "content-length", "expect", "host", "if-match", "if-modified-since",
        "if-none-match", "if-range", "if-unmodified-since", "range", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// RFC 9110, 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

extension HeaderField: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name alone.
    package var description: String { "\(name): …" }

    package var debugDescription: String { description }

    /// Without the value, which `dump` and tests that tell differences would print.
    package var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
