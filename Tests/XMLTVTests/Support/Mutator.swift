/// Mutates valid documents, in the same way for the same seed.
struct Mutator {
    private var random: SplitMix
    private let documents: [[UInt8]]

    /// Markup and bytes that often cause faults.
    private static let fragments: [[UInt8]] = texts.joined().map { Array($0.utf8) } + notUTF8.joined()

    private static let texts: [[String]] = [
        ["&", "<", ">", "]]>", "]]", "--", "-->", "<!--", "<![CDATA[", "<?", "?>", "<?a b?>", "</", "\"", "'", "="],
        ["<!DOCTYPE tv SYSTEM \"x\">", "<!DOCTYPE tv [", "]>", "<?xml version=\"1.0\"?>", "<!ENTITY a \"b\">", "%a;"],
        ["<!ATTLIST tv a NMTOKEN #IMPLIED>", "standalone='yes'", "version='1.1'"],
        ["&#0;", "&#x10FFFF;", "&#x110000;", "&#xD800;", "&#65;", "&#x41;", "&;", "&#;", "&#x;"],
        ["&lt;", "&amp;", "&apos;", "&nbsp;", "&eacute"],
        ["</tv>", "<a>", "</a>", "<a/>", "<a b='c'/>", " b=\"&lt;\"", " b='1' b='2'", "<tv:a/>"],
        ["\r", "\r\n", "\n", "\t", " ", "\u{0}", "\u{1}", "\u{7F}", "\u{85}", "\u{FEFF}", "\u{FFFE}", "\u{2028}"],
        ["\u{E9}", "\u{4E2D}", "\u{1F600}", "<\u{E9}l\u{E9}ment/>"],
    ]

    /// Overlong forms, a surrogate, beyond U+10FFFF, incomplete characters, marks of other encodings.
    private static let notUTF8: [[[UInt8]]] = [
        [[0xC0, 0x80], [0xC0, 0xAF], [0xE0, 0x80, 0x80], [0xF0, 0x80, 0x80, 0xAF], [0xED, 0xA0, 0x80]],
        [[0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0x80], [0xBF, 0xBF], [0xC3], [0xE4, 0xB8]],
        [[0xF0, 0x9F, 0x98], [0xFF], [0xFE], [0xFF, 0xFE], [0xFE, 0xFF], [0xEF, 0xBB, 0xBF]],
    ]

    private static let declarations: [[UInt8]] = [
        "", "<?xml version=\"1.0\"?>", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
        "<?xml version='1.0' encoding='iso-8859-1'?>", "<?xml version='1.0' encoding='Shift_JIS'?>",
        "<?xml version='1.0' encoding='windows-1251' standalone='no'?>", "<?xml version='1.0' encoding='GB18030'?>",
        "<?xml version='1.0' encoding='UTF-16'?>", "<?xml version='1.0' standalone='yes'?>", "<?xml version='1.0'>",
        "<?xml ?>", "<?xml version='1.0' encoding='no-such'?>", "<?xml version='2'?>",
    ].map { Array($0.utf8) }

    init(of documents: [[UInt8]], seed: UInt64) {
        self.documents = documents
        random = SplitMix(seed: seed)
    }

    /// Returns a document with one to five faults, some of them harmless.
    mutating func next() -> [UInt8] {
        guard var document = documents.randomElement(using: &random) else { return [] }
        let faults = Bool.random(using: &random) ? 1 : Int.random(in: 2...5, using: &random)
        for _ in 0..<faults { mutate(&document) }
        if Int.random(in: 0..<40, using: &random) == 0 { document = widened(document) }
        return document
    }

    private mutating func mutate(_ document: inout [UInt8]) {
        let place = Int.random(in: 0...document.count, using: &random)
        let slice = place..<min(document.count, place + Int.random(in: 1...40, using: &random))
        switch Int.random(in: 0..<12, using: &random) {
        case 0 where !slice.isEmpty:
            document[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1 where !slice.isEmpty:
            document[place] = UInt8.random(in: 0...255, using: &random)
        case 2:
            document.removeSubrange(slice)
        case 3:
            document.insert(contentsOf: document[slice], at: place)
        case 4:
            let target = Int.random(in: 0...document.count, using: &random)
            document.insert(contentsOf: document[slice], at: target)
        case 5:
            document.removeSubrange(place...)
        case 6:
            document = (Self.declarations.randomElement(using: &random) ?? []) + document
        case 7:
            document = (Self.declarations.randomElement(using: &random) ?? []) + afterDeclaration(document)
        default:
            document.insert(contentsOf: Self.fragments.randomElement(using: &random) ?? [], at: place)
        }
    }

    private func afterDeclaration(_ document: [UInt8]) -> [UInt8] {
        guard document.starts(with: "<?xml".utf8), let end = document.firstIndex(of: UInt8(ascii: ">")) else {
            return document
        }
        return Array(document[(end + 1)...])
    }

    /// Returns the bytes as UTF-16 in either byte order, with or without a mark.
    private mutating func widened(_ document: [UInt8]) -> [UInt8] {
        let isBigEndian = Bool.random(using: &random)
        let mark: [UInt8] = isBigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]
        let wide = document.flatMap { (byte: UInt8) -> [UInt8] in isBigEndian ? [0, byte] : [byte, 0] }
        return Bool.random(using: &random) ? mark + wide : wide
    }
}
