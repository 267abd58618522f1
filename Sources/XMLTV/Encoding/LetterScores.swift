#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The characters of the bytes from 0x80 on.
struct CodeChart {
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

/// How likely each byte of an encoding is in a language, and beside what.
struct LetterScores {
    enum Kind { case lower, upper, asciiLower, asciiUpper, sign, outside }

    private var values = [Double](repeating: EncodingGuess.invalid, count: 128)
    private var kinds = [Kind](repeating: .sign, count: 128)
    private let isLatin: Bool

    private static let signs = Set("“”‘’‚„…–—«»\u{A0}°€™®©·½№´".unicodeScalars)

    init(_ language: LanguageModel, _ chart: CodeChart) {
        isLatin = language.isLatin
        let letters = Array(language.letters.unicodeScalars)
        // Frequencies fall about twenty-five-fold from the first letter to the last.
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

    /// The logarithm of how likely a character stands between two others.
    func context(_ before: Kind, _ kind: Kind, _ after: Kind) -> Double {
        let isASCII = { (kind: Kind) in kind == .asciiLower || kind == .asciiUpper }
        let isOwn = { (kind: Kind) in kind == .lower || kind == .upper }
        guard isOwn(kind) else {
            // An apostrophe may stand within a word, and quotes beside one.
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
    /// The first character of bytes that are characters by themselves; `nil` where they are none.
    ///
    /// - Parameter output: Room for at least 32 bytes.
    func scalar(_ input: inout [UInt8], _ range: Range<Int>, _ output: inout [UInt8]) -> Unicode.Scalar? {
        let step = convert(&input, range, to: &output, 0..<output.count)
        // What is held back comes now, and the next character finds nothing left.
        let held = finish(&output, step.produced..<output.count)
        guard step.outcome == .consumedAll, step.consumed == range.count else { return nil }
        var decoder = UTF8()
        var bytes = output[..<(step.produced + held)].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&bytes) else { return nil }
        return scalar
    }
}
