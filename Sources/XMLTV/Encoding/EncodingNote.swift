/// What was unusual about the encoding of a document, and what was done about it.
///
/// Only a reader that repairs has notes; a strict one refuses the document.
public struct EncodingNote: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// The bytes are not in the encoding that is declared, or that the user named; the bytes win.
        case contradicted
        /// Nothing is declared, or UTF-8 is, and the bytes are something else: the likeliest encoding was taken.
        case guessed
        /// Nobody knows the encoding that is declared; the document was read as if it declared none.
        case unknownName
        /// ISO-8859-1 is declared, and the bytes 0x80 to 0x9F, controls there, were read as windows-1252.
        case windows1252
        /// So many sequences of bytes are no characters of the encoding; each was read as U+FFFD.
        case replaced(Int)
    }

    public let kind: Kind
    /// The encoding as it is declared, or as the user named it.
    public let declared: String?
    /// The encoding by which the document was read from there on.
    public let used: String
    /// The byte of the document, as it is written, from which on it holds; for ``Kind/replaced(_:)`` the first of them.
    public let offset: Int

    public init(kind: Kind, declared: String?, used: String, offset: Int) {
        self.kind = kind
        self.declared = declared
        self.used = used
        self.offset = offset
    }
}

extension EncodingNote: CustomStringConvertible {
    /// `the document declares ISO-8859-1, but its bytes are UTF-8; read as UTF-8`.
    public var description: String {
        switch kind {
        case .contradicted: "the encoding \(declared ?? "") is declared, but the bytes are not in it; read as \(used)"
        case .guessed:
            "the bytes are not \(declared ?? "UTF-8, and no encoding is declared"); read as \(used), the likeliest"
        case .unknownName: "the declared encoding \(declared ?? "") is not known; read as \(used)"
        case .windows1252: "\(declared ?? "") is declared, but there are characters of windows-1252; read as \(used)"
        case .replaced(let count): "\(count) sequences of bytes are not \(used); each was read as U+FFFD"
        }
    }
}
