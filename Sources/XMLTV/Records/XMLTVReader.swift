/// A streaming reader of XMLTV guides that reads one channel or programme at a time in constant memory.
///
/// ```swift
/// var reader = XMLTVReader(try FileSource(path: "guide.xml"))
/// while let record = try reader.next() {
///     if record == .programme { print(reader.element.child("title")?.text ?? "") }
/// }
/// ```
///
/// With ``XMLRecovery/repair``, a malformed guide loses only the records that can't be read. If channels and programmes
/// are outside `<tv>`, there is no ``Record/guide``. Of several concatenated documents, only the first one has one.
///
/// The bytes of a record stay valid until the next record is read. ``element`` converts the record to a tree of
/// strings. For speed, walk the tokens of ``scanner`` instead.
public struct XMLTVReader: ~Copyable {
    /// A kind of record.
    public enum Record: Hashable, Sendable {
        /// The start tag of `<tv>`, with its attributes.
        case guide
        /// A complete `<channel>`.
        case channel
        /// A complete `<programme>`.
        case programme
        /// An element that the DTD doesn't allow here.
        case other
        /// A record that a repairing reader can't read: ``takeRepairs()`` returns the reason, and
        /// ``XMLTVReader/element`` is empty.
        case skipped
    }

    /// The scanner, positioned at the current record.
    public private(set) var scanner: XMLScanner

    /// Creates a reader of a guide in any encoding that the system's C library supports.
    ///
    /// - Parameters:
    ///   - source: The source of the bytes.
    ///   - limits: Limits on the size and complexity of the guide.
    ///   - recovery: How to handle malformed input. The default rejects it.
    ///   - encoding: The encoding of the bytes, which overrides the declaration; `nil` detects it.
    public init(
        _ source: some ByteSource, limits: XMLLimits = XMLLimits(), recovery: XMLRecovery = .refuse,
        encoding: String? = nil
    ) {
        scanner = XMLScanner(source, limits: limits, recovery: recovery, encoding: encoding)
    }

    /// Reads the next record. Returns `nil` at the end of the guide.
    ///
    /// Channels and programmes may come in any order.
    /// - Throws: ``XMLError`` if the document is malformed, exceeds a limit, or is not XMLTV. The reader can't be used
    ///   afterwards. The records read before it are valid.
    public mutating func next() throws(XMLError) -> Record? {
        while let piece = try scanner.next() {
            switch piece {
            case .root:
                let root = scanner.token(firstElement)
                guard root.name == .tv else {
                    var name: [UInt8] = []
                    scanner.appendName(of: root, to: &name)
                    let text = String(decoding: name.prefix(100), as: UTF8.self)
                    throw XMLError(reason: .notXMLTV(root: text), line: scanner.line(), offset: 0)
                }
                return .guide
            case .child:
                switch scanner.token(firstElement).name {
                case .programme: return .programme
                case .channel: return .channel
                default: return .other
                }
            case .skippedChild:
                return .skipped
            case .rootEnd:
                continue
            }
        }
        return nil
    }

    /// Returns the line on which the current record starts, from 1.
    ///
    /// - Complexity: O(bytes since the last call).
    public mutating func line() -> Int { scanner.line() }

    /// Whether ``takeRepairs()`` returns any.
    public var hasRepairs: Bool { scanner.hasRepairs }

    /// The number of repairs so far, including those that were not kept.
    public var repairCount: Int { scanner.repairCount }

    /// Returns the repairs since the last call, in document order: at most 1,000 and one skipped record.
    ///
    /// The repairs of a record are available when ``next()`` returns it. If you take them after each record, no skipped
    /// record is missing.
    public mutating func takeRepairs() -> [XMLRepair] { scanner.takeRepairs() }

    /// Returns the encoding notes since the last call. A strict reader has none.
    public mutating func takeEncodingNotes() -> [EncodingNote] { scanner.takeEncodingNotes() }

    /// The current record as a tree of strings.
    ///
    /// - Complexity: O(bytes of the record).
    public var element: XMLTVElement { XMLTVElement(scanner, from: firstElement) }

    /// The index of the record's start tag. Text between records precedes it.
    package var firstElement: Int {
        var index = 0
        while index < scanner.tokenCount, scanner.token(index).kind != .start { index += 1 }
        return index
    }
}
