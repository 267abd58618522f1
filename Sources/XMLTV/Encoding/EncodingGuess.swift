#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A guess at the most likely encoding of text that is not UTF-8.
///
/// It scores each encoding with each language that uses it: how often the language uses the non-ASCII characters, and
/// next to which others. It needs about ten characters to distinguish scripts, and a few dozen to distinguish encodings
/// that differ in only a few letters.
enum EncodingGuess {
    /// The maximum number of non-ASCII bytes to examine.
    private static let maximumCount = 4096

    /// The encodings that can be guessed.
    static let names = Set(LanguageModel.all.flatMap(\.encodings) + CharacterSetModel.all.map(\.encoding))

    /// Returns the iconv name of the encoding that fits a text best, or windows-1252 if nothing distinguishes them.
    ///
    /// - Complexity: O(languages × non-ASCII bytes), counting at most 4,096 bytes.
    static func best(for text: ArraySlice<UInt8>) -> String {
        let sample = Sample(text, limit: maximumCount)
        // The most likely encoding without any evidence.
        var best = (name: "windows-1252", score: -Double.infinity)
        func consider(_ name: String, _ score: Double) {
            if score > best.score { best = (name, score) }
        }
        var charts: [String: CodeChart] = [:]
        for language in LanguageModel.all {
            for (rank, name) in language.encodings.enumerated() {
                if charts[name] == nil { charts[name] = CodeChart(name) }
                guard let chart = charts[name] else { continue }
                let prior = name == "windows-1252" ? 1.5 : rank == 0 ? 0 : -0.5
                consider(name, prior + score(sample, LetterScores(language, chart)))
            }
        }
        for model in CharacterSetModel.all {
            guard let score = score(sample, model) else { continue }
            consider(model.encoding, score)
        }
        return best.name
    }

    /// The parts of a text that hold non-ASCII bytes, each with the preceding byte and the two following bytes.
    private struct Sample {
        let bytes: [UInt8]

        init(_ text: ArraySlice<UInt8>, limit: Int) {
            var taken: [UInt8] = [ASCII.space]
            var left = limit
            var copied = text.startIndex
            for index in text.indices where text[index] >= 0x80 {
                let start = max(copied, index - 1)
                // A gap counts as a word boundary.
                if start > copied { taken.append(ASCII.space) }
                let end = min(index + 3, text.endIndex)
                if end > start { taken += text[max(start, copied)..<end] }
                copied = max(copied, end)
                left -= 1
                if left == 0 { break }
            }
            bytes = taken + [ASCII.space, ASCII.space, ASCII.space, ASCII.space]
        }
    }

    // MARK: - Single-byte encodings

    /// Returns the log-likelihood of the non-ASCII bytes.
    private static func score(_ sample: Sample, _ scores: LetterScores) -> Double {
        var total = 0.0
        for index in sample.bytes.indices.dropFirst().dropLast(2) where sample.bytes[index] >= 0x80 {
            let kinds = (
                scores.kind(sample.bytes[index - 1]), scores.kind(sample.bytes[index]),
                scores.kind(sample.bytes[index + 1])
            )
            total += scores.value(sample.bytes[index]) + scores.context(kinds.0, kinds.1, kinds.2)
        }
        return total
    }

    // MARK: - Multi-byte encodings

    private static func score(_ sample: Sample, _ model: CharacterSetModel) -> Double? {
        guard let converter = Iconv(from: model.encoding) else { return nil }
        let common = Set(model.common.unicodeScalars)
        let commonValue = log(model.commonShare / Double(common.count))
        let signs = Set(CharacterSetModel.punctuation.unicodeScalars)
        let signValue = log(CharacterSetModel.punctuationShare / Double(signs.count))
        var total = 0.0
        var index = 0
        var input = sample.bytes
        var output = [UInt8](repeating: 0, count: 32)
        while index + 4 <= input.count {
            guard input[index] >= 0x80 else {
                index += 1
                continue
            }
            let length = model.length(of: input[index], input[index + 1])
            guard let scalar = converter.scalar(&input, index..<index + length, &output) else {
                total += invalid
                index += 1
                continue
            }
            let pair = UInt16(input[index]) << 8 | UInt16(input[index + 1])
            let isPair = length == 2
            if signs.contains(scalar) {
                total += signValue
            } else if common.contains(scalar) {
                total += commonValue
            } else if let range = model.ranges.first(where: { isPair && $0.bytes.contains(pair) }) {
                total += log(range.share / range.count)
            } else {
                total += rare
            }
            index += length
        }
        return total
    }

    /// The score of a byte that is not part of a character.
    fileprivate static let invalid = -14.0
    /// The score of an uncommon character.
    private static let rare = -15.0
}

/// The characters that an encoding assigns to the bytes from 0x80 on.
private struct CodeChart {
    let scalars: [Unicode.Scalar?]

    init?(_ name: String) {
        guard let converter = Iconv(from: name) else { return nil }
        var output = [UInt8](repeating: 0, count: 32)
        scalars = (0x80...0xFF).map { byte in
            var input = [UInt8(byte)]
            return converter.scalar(&input, 0..<1, &output)
        }
    }
}

/// The likelihood of each byte of an encoding in a language, and of its neighbors.
private struct LetterScores {
    enum Kind { case lower, upper, asciiLower, asciiUpper, sign, outside }

    private var values = [Double](repeating: EncodingGuess.invalid, count: 128)
    private var kinds = [Kind](repeating: .sign, count: 128)
    private let isLatin: Bool

    private static let signs = Set("“”‘’‚„…–—«»\u{A0}°€™®©·½№´".unicodeScalars)

    init(_ language: LanguageModel, _ chart: CodeChart) {
        isLatin = language.isLatin
        let letters = Array(language.letters.unicodeScalars)
        // The first letter is about twenty-five times as frequent as the last.
        let falls = letters.indices.map { exp(-3.2 * Double($0) / Double(letters.count)) }
        let sum = falls.reduce(0, +)
        var shares: [Unicode.Scalar: Double] = [:]
        for (letter, fall) in zip(letters, falls) {
            shares[letter, default: 0] += 0.8 * fall / sum
            let capital = letter.properties.uppercaseMapping.unicodeScalars
            if let first = capital.first, capital.count == 1, first != letter {
                shares[first, default: 0] += 0.12 * fall / sum
            }
        }
        for place in 0..<128 {
            guard let scalar = chart.scalars[place], scalar.properties.generalCategory != .control else { continue }
            let isLetter = scalar.properties.isAlphabetic || shares[scalar] != nil
            if isLetter { kinds[place] = scalar.properties.isUppercase ? .upper : .lower }
            let other = Self.signs.contains(scalar) ? 0.06 / Double(Self.signs.count) : 0.02 / 128
            values[place] = log(shares[scalar] ?? other)
        }
    }

    func value(_ byte: UInt8) -> Double { values[Int(byte & 0x7F)] }

    func kind(_ byte: UInt8) -> Kind {
        guard byte < 0x80 else { return kinds[Int(byte & 0x7F)] }
        guard (byte | 0x20) &- 0x61 < 26 else { return .outside }
        return byte >= 0x61 ? .asciiLower : .asciiUpper
    }

    /// Returns the log-likelihood of a kind of character between two others.
    func context(_ before: Kind, _ kind: Kind, _ after: Kind) -> Double {
        let isASCII = { (kind: Kind) in kind == .asciiLower || kind == .asciiUpper }
        let isOwn = { (kind: Kind) in kind == .lower || kind == .upper }
        guard isOwn(kind) else {
            // An apostrophe may be part of a word, and quotes may adjoin one.
            let isWithin = (isASCII(before) || isOwn(before)) && (isASCII(after) || isOwn(after))
            return isWithin ? -2 : -0.7
        }
        var value = 0.0
        if isLatin {
            value += isASCII(before) ? -0.5 : isOwn(before) ? -2.3 : -1.2
            if !isASCII(before), !isASCII(after) { value -= 1 }
        } else {
            value += isOwn(before) ? -0.2 : isASCII(before) ? -5 : -1.7
            if isASCII(after) { value -= 4 }
        }
        if kind == .upper, before == .lower || before == .asciiLower { value -= 4 }
        if kind == .lower, before == .asciiUpper || before == .upper { value -= 0.7 }
        return value
    }
}

extension Iconv {
    /// Decodes bytes that form exactly one character; returns `nil` otherwise.
    ///
    /// - Parameter output: A buffer of at least 32 bytes.
    func scalar(_ input: inout [UInt8], _ range: Range<Int>, _ output: inout [UInt8]) -> Unicode.Scalar? {
        let step = convert(&input, range, to: &output, 0..<output.count)
        // Flush what the converter holds back, so that the next call starts fresh.
        let held = finish(&output, step.produced..<output.count)
        guard step.outcome == .consumedAll, step.consumed == range.count else { return nil }
        var decoder = UTF8()
        var bytes = output[..<(step.produced + held)].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&bytes) else { return nil }
        return scalar
    }
}

/// The non-ASCII letters of a language, and the single-byte encodings used for it.
///
/// Letters are ordered by their frequency in running text. The guess uses no other knowledge of a language, and derives
/// the uppercase letters.
private struct LanguageModel {
    let encodings: [String]
    let letters: String
    /// Whether words mix these letters with ASCII letters.
    let isLatin: Bool

    static let all: [LanguageModel] = [
        // The first model wins ties.
        latin(["windows-1252", "ISO-8859-15"], "éèàêçôîûâùïëœæ"),
        latin(["windows-1252", "ISO-8859-15"], "üäößé"),
        latin(["windows-1252", "ISO-8859-15"], "óíáñéúü¿¡"),
        latin(["windows-1252", "ISO-8859-15"], "ãçáéíóõêâúàô"),
        latin(["windows-1252", "ISO-8859-15"], "åäöøæéü"),
        latin(["windows-1252", "ISO-8859-15"], "àèùìòé"),
        latin(["windows-1252", "ISO-8859-15"], "áíðöéóúæýþ"),
        latin(["windows-1252", "ISO-8859-15"], "äöõüšž"),
        latin(["windows-1250", "ISO-8859-2"], "áéöóőüíúű"),
        latin(["windows-1250", "ISO-8859-2"], "ąęłóśżćńź"),
        latin(["windows-1250", "ISO-8859-2"], "íáéěřýčžšůúťňóď"),
        latin(["windows-1250", "ISO-8859-2"], "áíýčéžľšúťňôóďäŕĺ"),
        latin(["windows-1250", "ISO-8859-2"], "čšžćđ"),
        latin(["windows-1250", "ISO-8859-2"], "ăîşţâ"),
        latin(["ISO-8859-16"], "ăîșțâ"),
        latin(["windows-1254"], "ıüşğçöâî"),
        latin(["windows-1257"], "ėšžųįąūčę"),
        latin(["windows-1257"], "āīēšūņļžģčķ"),
        other(["windows-1251", "KOI8-R", "ISO-8859-5", "CP866"], "оаеинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"),
        other(["windows-1251", "KOI8-U", "ISO-8859-5"], "оаинвіретсклудмпязьбгчйхцїжєюшщфґ"),
        other(["windows-1251", "ISO-8859-5"], "аиоетнрсвлкдпмзугяъбчшщжцйхюфь"),
        other(["windows-1251", "ISO-8859-5"], "аиоентрсјвуклдмпзгбчцжшљњћђџфх"),
        other(["windows-1253", "ISO-8859-7"], "αοιτεσνηρκπμυςλίάγδέωόχθφήύβξώζψϊ"),
        other(["windows-1255"], "יוהלאמרתשבנםדקפעחטןגסכזצךףץ"),
        other(["windows-1256", "ISO-8859-6"], "اليمونرتبعدسهفكقحأةجشإصطخىذضزثئغءآظؤ"),
        other(["windows-1256"], "ایرنمدهتوسبشلکزگفقخحعصجپطذچغضئظ"),
        other(["CP874"], "นรากอเงมยลวสทตั่ดิี้บปคะหแจไพชืขโุ์ถูำใณซ็ธผภศษญฟึฐฉ"),
    ]

    private static func latin(_ encodings: [String], _ letters: String) -> LanguageModel {
        LanguageModel(encodings: encodings, letters: letters, isLatin: true)
    }

    private static func other(_ encodings: [String], _ letters: String) -> LanguageModel {
        LanguageModel(encodings: encodings, letters: letters, isLatin: false)
    }
}

/// The distribution of an encoding's double-byte characters in the language written with them.
struct CharacterSetModel {
    let encoding: String
    /// The most common characters, and their share of running text.
    let common: String
    let commonShare: Double
    /// Ranges of characters by their bytes, each with its share of text and its number of characters.
    let ranges: [(bytes: ClosedRange<UInt16>, share: Double, count: Double)]

    /// The encodings in which most characters take two bytes.
    static let encodings = Set(all.map(\.encoding) + ["CP950"])

    fileprivate static let punctuation = "，。、：；！？（）《》“”「」『』・…—～　【】·"
    fileprivate static let punctuationShare = 0.08

    /// The models. All these sets have the same order: symbols and kana first, then common characters, then rare ones.
    static let all: [CharacterSetModel] = [
        CharacterSetModel(
            encoding: "GB18030", common: "的一是在不了有人我他这中大来上个国到说们为子和你地出会时要也就可以下得生年天新电视剧集节目午间今日早晚频道卫综合体育",
            commonShare: 0.3,
            ranges: [(0xB0A1...0xD7FE, 0.6, 3755), (0xD8A1...0xF7FE, 0.01, 3008), (0xA4A1...0xA5FE, 0.001, 169)]),
        CharacterSetModel(
            encoding: "BIG5-HKSCS", common: "的一是在不了有人我他這中大來上個國到說們為子和你地出會時要也就可以下得生年天新電視劇集節目午間今日早晚頻道衛綜合體育",
            commonShare: 0.3,
            ranges: [(0xA440...0xC67E, 0.6, 5401), (0xC940...0xF9D5, 0.01, 7652), (0xC6E7...0xC7F2, 0.001, 169)]),
        CharacterSetModel(
            encoding: "CP949", common: "이다는을의에가고하지은를로한기사리어나아도인자시스라서만일정부그대수주전보제해연상원화드방오장신구마들으회재",
            commonShare: 0.45, ranges: [(0xB0A1...0xC8FE, 0.45, 2350), (0xCAA1...0xFDFE, 0.005, 4888)]),
        CharacterSetModel(
            encoding: "EUC-JP-MS", common: "のにはをたがでとしるいてかなれらもこっスンルトラアイ日本人大新",
            commonShare: 0.35,
            ranges: [
                (0xA4A1...0xA4F3, 0.15, 83), (0xA5A1...0xA5F6, 0.15, 86), (0xB0A1...0xCFD3, 0.22, 2965),
                (0xD0A1...0xF4A6, 0.01, 3390),
            ]),
        CharacterSetModel(
            encoding: "CP932", common: "のにはをたがでとしるいてかなれらもこっスンルトラアイ日本人大新",
            commonShare: 0.35,
            ranges: [
                (0x829F...0x82F1, 0.15, 83), (0x8340...0x8396, 0.15, 86), (0x889F...0x9872, 0.22, 2965),
                (0x989F...0xEAA4, 0.01, 3390),
            ]),
    ]

    /// Returns the length of the character that starts with two given bytes.
    func length(of first: UInt8, _ second: UInt8) -> Int {
        switch encoding {
        case "CP932" where 0xA1...0xDF ~= first: 1
        case "GB18030" where 0x30...0x39 ~= second: 4
        case "EUC-JP-MS" where first == 0x8F: 3
        default: first > 0x80 && first < 0xFF && second >= 0x40 ? 2 : 1
        }
    }
}
