/// What encoding a document is in, by its first bytes and its declaration (XML 1.0, appendix F).
struct EncodingDetection {
    enum Reading: Equatable {
        /// The bytes are passed on as UTF-8, and the scanner checks them.
        case utf8
        /// They are converted by an encoding.
        case converted(from: String)
        /// An encoding is declared that extends ASCII; the first bytes beyond ASCII will show whether it is true.
        case declared(NamedEncoding)
    }

    let reading: Reading
    /// The name for people.
    let displayName: String
    /// The encoding as it is declared, or as the user named it.
    let declared: String?
    /// Bytes of the byte order mark.
    let markLength: Int
    /// What a reader that repairs has to tell.
    private(set) var notes: [EncodingNote] = []

    /// Decides by the first bytes of a document: a thousand are enough.
    ///
    /// - Throws: `contradictoryEncoding` where the declaration names a family of encodings that the bytes are not in.
    init(_ bytes: [UInt8]) throws(XMLError.Reason) {
        let family = EncodingFamily(bytes)
        markLength = family.markLength
        declared = DeclaredEncoding.strict(family.beginning(of: bytes))
        guard let declared else {
            reading = Reading(family)
            displayName = family.displayName
            return
        }
        let name = declared.uppercased()
        displayName = declared
        switch family {
        case .utf16(let name16, _):
            guard name == "UTF-16" || name == name16 || name == "ISO-10646-UCS-2" || name == "UCS-2" else {
                throw .contradictoryEncoding(declared: declared, found: family.displayName)
            }
            reading = .converted(from: name16)
        case .utf32(let name32, _):
            guard name.hasPrefix("UTF-32") || name.hasPrefix("ISO-10646-UCS-4") || name == "UCS-4" else {
                throw .contradictoryEncoding(declared: declared, found: family.displayName)
            }
            reading = .converted(from: name32)
        case .ascii(let hasMark):
            let isWide = ["UTF-16", "UTF-32", "UCS-2", "UCS-4", "ISO-10646-UCS"].contains { name.hasPrefix($0) }
            guard !isWide else { throw .contradictoryEncoding(declared: declared, found: "8-bit characters") }
            let isUTF8 = ["UTF-8", "UTF8", "US-ASCII", "ASCII"].contains(name)
            // With the mark of UTF-8 the bytes say what they are.
            reading = isUTF8 || hasMark ? .utf8 : .converted(from: declared)
        }
    }

    /// Decides for a reader that repairs: the bytes win over the declaration.
    init(repairing bytes: [UInt8]) {
        let family = EncodingFamily(bytes)
        markLength = family.markLength
        declared = DeclaredEncoding.lenient(family.beginning(of: bytes))
        let named = declared.flatMap { NamedEncoding($0) }
        switch (family, named?.form) {
        case (.ascii(hasMark: false), .escaping?):
            reading = named.map { .converted(from: $0.name) } ?? .utf8
        case (.ascii(hasMark: false), .latin?), (.ascii(hasMark: false), .other?):
            reading = named.map { .declared($0) } ?? .utf8
        default:
            reading = Reading(family)
        }
        displayName = reading.name
        guard let declared, !family.agrees(with: named), reading == Reading(family) else { return }
        notes = [
            EncodingNote(
                kind: named == nil ? .unknownName : .contradicted, declared: declared, used: displayName, offset: 0)
        ]
    }

    /// Takes the encoding that the user names, whatever is declared; only a byte order mark says otherwise.
    ///
    /// - Throws: `unknownEncoding`.
    init(_ bytes: [UInt8], forced label: String) throws(XMLError.Reason) {
        guard let named = NamedEncoding(label) else { throw .unknownEncoding(label) }
        let family = EncodingFamily(bytes)
        markLength = family.markLength
        declared = label
        switch named.form {
        case _ where family.hasMark: reading = Reading(family)
        case .utf8: reading = .utf8
        case .wide where named.name.hasSuffix("E"): reading = .converted(from: named.name)
        // Without a mark, and where the first bytes don't show the order, the usual one.
        case .wide: reading = .converted(from: family.agrees(with: named) ? family.displayName : named.name + "LE")
        case .escaping, .latin, .other: reading = .converted(from: named.name)
        }
        displayName = reading.name
        guard family.hasMark, !family.agrees(with: named) else { return }
        notes = [EncodingNote(kind: .contradicted, declared: label, used: displayName, offset: 0)]
    }
}

extension EncodingDetection.Reading {
    fileprivate init(_ family: EncodingFamily) {
        self = family.conversion.map { .converted(from: $0) } ?? .utf8
    }

    fileprivate var name: String {
        switch self {
        case .utf8: "UTF-8"
        case .converted(let name): name
        case .declared(let named): named.name
        }
    }
}

extension EncodingFamily {
    /// Whether a document of this family may be in a named encoding: by its first bytes alone, nothing more is known.
    fileprivate func agrees(with named: NamedEncoding?) -> Bool {
        guard let named else { return false }
        switch self {
        case .ascii: return named.form == .utf8
        // `UTF-16` means both orders.
        case .utf16(let name, _), .utf32(let name, _): return name.hasPrefix(named.name)
        }
    }
}
