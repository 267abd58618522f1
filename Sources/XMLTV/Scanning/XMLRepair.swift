/// A policy for malformed documents.
public enum XMLRecovery: Hashable, Sendable {
    /// Throw the first fault.
    case refuse
    /// Repair faults with an obvious meaning, skip records that can't be read, and note both as ``XMLRepair``.
    case repair
}

/// A fault of a document, and how the reader repaired it.
public struct XMLRepair: Hashable, Sendable {
    /// The kind of a fault, and its repair.
    public enum Kind: Hashable, Sendable {
        /// `&` that does not start a reference: read as the character.
        case bareAmpersand
        /// One of the 252 entities of HTML 4, by name: read as its character, even if a DTD may declare it.
        case htmlEntity(String)
        /// An undeclared entity, by name: `&name;` is kept as written.
        case unknownEntity(String)
        /// `&#0;`, `&#xD800;`, and the like: control characters, U+FFFE, and U+FFFF are dropped, surrogate pairs are
        /// combined, and anything else becomes U+FFFD.
        case badCharacterReference
        /// A character that XML doesn't allow: dropped.
        case invalidCharacter(UInt32)
        /// A byte that is not UTF-8: read as windows-1252, or as U+FFFD if that has no such character.
        case invalidUTF8
        /// `]]>` in text: kept.
        case cdataEnd
        /// `--` in a comment: the comment continues to its end.
        case doubleHyphen
        /// An element without an end tag, by name. It ends before the next element of XMLTV, or right after its start tag if
        /// it has no content in HTML, such as `<br>`.
        case unclosedElement(String)
        /// A duplicate attribute in a tag: the first one is kept.
        case duplicateAttribute(String)
        /// A child of the root that can't be read, and the reason: skipped.
        case skippedRecord(XMLError.Reason)
        /// Something between two children of the root: skipped.
        case skippedText
        /// Something after the root that is not another document, such as the rest of an older, longer file: skipped.
        case skippedTail
        /// An invalid XML declaration, DOCTYPE, or text before or between them: skipped.
        case badProlog(XMLError.Reason)
        /// The start of another document: its records follow, and its root is not a separate piece.
        case secondDocument
        /// A channel or programme outside `<tv>`: read as if it were inside.
        case missingRoot
    }

    /// The fault and its repair.
    public let kind: Kind
    /// The line where the fault starts, from 1.
    public let line: Int
    /// The byte offset in the document, from 0, after conversion to UTF-8.
    public let offset: Int
    /// At most 60 bytes of the document at this position, with control characters replaced by spaces.
    public let quote: String
    /// The line of the fault itself, which may be later in the skipped part.
    public let faultLine: Int
    /// The number of bytes skipped from ``offset`` on; 0 if the repair skipped neither a record nor text between
    /// records.
    public let skippedBytes: Int

    /// Creates a repair.
    ///
    /// - Parameter faultLine: The line of the fault itself; `nil` for `line`.
    public init(
        kind: Kind, line: Int, offset: Int, quote: String = "", faultLine: Int? = nil, skippedBytes: Int = 0
    ) {
        self.kind = kind
        self.line = line
        self.offset = offset
        self.quote = quote
        self.faultLine = faultLine ?? line
        self.skippedBytes = skippedBytes
    }
}

extension XMLRepair: CustomStringConvertible {
    /// Such as `line 12: '&' does not start a reference; read as a plain ampersand: "Tom & Jerry"`.
    public var description: String { "line \(line): \(kind)" + (quote.isEmpty ? "" : ": \"\(quote)\"") }
}

extension XMLRepair.Kind: CustomStringConvertible {
    public var description: String {
        switch self {
        case .bareAmpersand: "'&' does not start a reference; read as a plain ampersand"
        case .htmlEntity(let name): "&\(name); is not declared; read as the HTML character"
        case .unknownEntity(let name): "the entity &\(name); is not declared; kept as written"
        case .badCharacterReference: "a reference to a character that XML does not allow; replaced"
        case .invalidCharacter(let scalar):
            "the character U+\(String(scalar, radix: 16, uppercase: true)) is not allowed in XML; dropped"
        case .invalidUTF8: "a byte is not UTF-8; read as windows-1252"
        case .cdataEnd: "']]>' in text; kept"
        case .doubleHyphen: "'--' in a comment"
        case .unclosedElement(let name): "<\(name)> has no end tag; ended before the next element"
        case .duplicateAttribute(let name): "duplicate attribute \(name) in a tag; the first one is kept"
        case .skippedRecord(let reason): "skipped a record: \(reason)"
        case .skippedText: "skipped content outside any record"
        case .skippedTail: "skipped content after </tv>"
        case .badProlog(let reason): "skipped an invalid start of the document: \(reason)"
        case .secondDocument: "another document starts here"
        case .missingRoot: "a channel or programme is outside <tv>"
        }
    }
}

/// An unusual encoding of a document, and how the reader handled it.
///
/// Only a repairing reader reports notes. A strict reader rejects the document.
public struct EncodingNote: Hashable, Sendable {
    /// The kind of a note.
    public enum Kind: Hashable, Sendable {
        /// The bytes are not in the encoding that the document declares or the user requested. The bytes take
        /// precedence.
        case contradicted
        /// The document declares UTF-8 or nothing, and the bytes are not UTF-8. The reader used the most likely
        /// encoding.
        case guessed
        /// The declared encoding is unknown. The reader ignored the declaration.
        case unknownName
        /// The document declares ISO-8859-1 but has bytes from 0x80 to 0x9F, which are control characters there. They
        /// were read as windows-1252.
        case windows1252
        /// The number of byte sequences that are invalid in the encoding. Each was read as U+FFFD.
        case replaced(Int)
    }

    /// The kind of the note.
    public let kind: Kind
    /// The encoding that the document declares or the user requested; `nil` if there is none.
    public let declared: String?
    /// The encoding used from ``offset`` on.
    public let used: String
    /// The byte offset in the original document where the note starts to apply; for ``Kind/replaced(_:)``, of the first
    /// sequence.
    public let offset: Int

    /// Creates a note.
    public init(kind: Kind, declared: String?, used: String, offset: Int) {
        self.kind = kind
        self.declared = declared
        self.used = used
        self.offset = offset
    }
}

extension EncodingNote: CustomStringConvertible {
    /// Such as `the encoding ISO-8859-1 is declared, but the bytes are not in it; read as UTF-8`.
    public var description: String {
        switch kind {
        case .contradicted: "the encoding \(declared ?? "") is declared, but the bytes are not in it; read as \(used)"
        case .guessed:
            "the bytes are not \(declared ?? "UTF-8, and no encoding is declared"); read as \(used), the likeliest"
        case .unknownName: "the declared encoding \(declared ?? "") is unknown; read as \(used)"
        case .windows1252:
            "\(declared ?? "") is declared, but the document has windows-1252 characters; read as \(used)"
        case .replaced(let count): "\(count) byte sequences are not valid \(used); each was read as U+FFFD"
        }
    }
}
