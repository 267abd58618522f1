/// What becomes of a guide that isn't well-formed.
public enum XMLRecovery: Hashable, Sendable {
    /// The first fault is thrown.
    case refuse
    /// What is meant plainly is read so, a record that can't be read is left out, and both are noted as ``XMLRepair``.
    case repair
}

/// A fault of a document that was read in spite of it, and what was made of it.
public struct XMLRepair: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// `&` that begins no reference: it is the character.
        case bareAmpersand
        /// One of the 252 entities of HTML 4, by its name: it is their character, whatever the DOCTYPE says.
        case htmlEntity(String)
        /// An entity that nothing declares, by its name: `&name;` stays as it is written.
        case unknownEntity(String)
        /// `&#0;`, `&#xD800;` and the like: controls, U+FFFE and U+FFFF are left out, two halves of a pair are put
        /// together, anything else is U+FFFD.
        case badCharacterReference
        /// A character that XML doesn't allow: it is left out.
        case invalidCharacter(UInt32)
        /// A byte that is no UTF-8: it is read as windows-1252, as U+FFFD where that has no character.
        case invalidUTF8
        /// `]]>` in a text: it is kept.
        case cdataEnd
        /// `--` in a comment: the comment goes on to its end.
        case doubleHyphen
        /// `<br>` or another element that HTML doesn't end, by its name: it is read as `<br/>`.
        case unclosedElement(String)
        /// The same attribute again in one tag: the first counts.
        case duplicateAttribute(String)
        /// A child of the root that can't be read, and why: it is left out.
        case skippedRecord(XMLError.Reason)
        /// Something between two children of the root, or after the root: it is left out.
        case skippedText
        /// The XML declaration, the DOCTYPE, or what stands before or between them, is wrong: it is left out.
        case badProlog(XMLError.Reason)
        /// Another document begins: its records follow, its root is no piece of its own.
        case secondDocument
        /// A channel or programme stands outside of `<tv>`: it is read as if it stood in it.
        case missingRoot
    }

    public let kind: Kind
    /// The line where it begins, from 1.
    public let line: Int
    /// The byte's place in the document, from 0, after its conversion to UTF-8.
    public let offset: Int
    /// What stands there: at most 60 bytes of the document, with blanks for its controls.
    public let quote: String
    /// The line of the fault itself, which may be further on in what was left out.
    public let faultLine: Int
    /// Bytes that were left out from ``offset`` on; 0 where less than a record was repaired.
    public let skippedBytes: Int

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
    /// `line 12: '&' begins no reference; it was read as it stands: "Tom & Jerry"`.
    public var description: String { "line \(line): \(kind)" + (quote.isEmpty ? "" : ": \"\(quote)\"") }
}

extension XMLRepair.Kind: CustomStringConvertible {
    public var description: String {
        switch self {
        case .bareAmpersand: "'&' begins no reference; it was read as it stands"
        case .htmlEntity(let name): "&\(name); is not declared; it was read as HTML means it"
        case .unknownEntity(let name): "the entity &\(name); is not declared; it stays as it is written"
        case .badCharacterReference: "a reference to a character that XML does not allow; it was replaced"
        case .invalidCharacter(let scalar):
            "the character U+\(String(scalar, radix: 16, uppercase: true)) is not allowed in XML; it was left out"
        case .invalidUTF8: "a byte is not UTF-8; it was read as windows-1252"
        case .cdataEnd: "']]>' in a text; it was kept"
        case .doubleHyphen: "'--' in a comment"
        case .unclosedElement(let name): "<\(name)> has no end; it was read as <\(name)/>"
        case .duplicateAttribute(let name): "the attribute \(name) stands twice in one tag; the first counts"
        case .skippedRecord(let reason): "a record was left out: \(reason)"
        case .skippedText: "something that belongs to no record was left out"
        case .badProlog(let reason): "the beginning is wrong and was read over: \(reason)"
        case .secondDocument: "another document begins"
        case .missingRoot: "a channel or programme stands outside of <tv>"
        }
    }
}
