/// A streaming reader of XMLTV guides: one channel or programme at a time, in memory that doesn't grow.
///
/// ```swift
/// var reader = XMLTVReader(try FileSource(path: "guide.xml"))
/// while let record = try reader.next() {
///     if record == .programme { print(reader.element.child("title")?.text ?? "") }
/// }
/// ```
///
/// With ``XMLRecovery/repair`` a guide that isn't well-formed loses no more than the records that can't be read. Where
/// channels and programmes stand without `<tv>` there is no ``Record/guide``, and of several documents one after the
/// other only the first has one.
///
/// The bytes of a record stay valid until the next one is read. ``element`` makes a tree of strings of it; who needs
/// speed walks ``scanner``'s tokens.
public struct XMLTVReader: ~Copyable {
    /// What was read.
    public enum Record: Hashable, Sendable {
        /// The beginning of `<tv>`, with its attributes.
        case guide
        case channel
        case programme
        /// An element that the DTD doesn't have here.
        case other
    }

    /// The scanner, at the record that was read.
    public private(set) var scanner: XMLScanner

    /// A reader of a guide in any encoding that the system's C library knows.
    ///
    /// - Parameters:
    ///   - source: Where the bytes come from.
    ///   - limits: How much the guide may ask.
    ///   - recovery: What becomes of faults. The default refuses them.
    ///   - encoding: The encoding that the bytes are in, whatever the guide declares; `nil` where it is to be found out.
    public init(
        _ source: some ByteSource, limits: XMLLimits = XMLLimits(), recovery: XMLRecovery = .refuse,
        encoding: String? = nil
    ) {
        scanner = XMLScanner(source, limits: limits, recovery: recovery, encoding: encoding)
    }

    /// Reads the next record; `nil` at the end of the guide.
    ///
    /// Channels and programmes may stand in any order.
    /// - Throws: ``XMLError``: the document isn't well-formed, asks too much, or is no guide. The reader can't be used
    ///   after it; what was read before is sound.
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
            case .rootEnd:
                continue
            }
        }
        return nil
    }

    /// The line on which the record begins, from 1.
    ///
    /// - Complexity: O(bytes since the last call).
    public mutating func line() -> Int { scanner.line() }

    /// Whether ``takeRepairs()`` gives any.
    public var hasRepairs: Bool { scanner.hasRepairs }

    /// How many repairs were made so far, with those that weren't kept.
    public var repairCount: Int { scanner.repairCount }

    /// The repairs since the last call, in the order of the guide: the first thousand of them.
    ///
    /// Those of a record are there when ``next()`` returns it.
    public mutating func takeRepairs() -> [XMLRepair] { scanner.takeRepairs() }

    /// What was unusual about the encoding, since the last call; a reader that refuses has none.
    public mutating func takeEncodingNotes() -> [EncodingNote] { scanner.takeEncodingNotes() }

    /// The record as a tree of strings.
    public var element: XMLTVElement { XMLTVElement(scanner, from: firstElement) }

    /// The index of the record's start tag: text that stands between records comes before it.
    package var firstElement: Int {
        var index = 0
        while index < scanner.tokenCount, scanner.token(index).kind != .start { index += 1 }
        return index
    }
}
