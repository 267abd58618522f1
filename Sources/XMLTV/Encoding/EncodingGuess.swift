#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The likeliest encoding of text that is no UTF-8.
///
/// Each encoding is taken with each language that is written in it, and the characters beyond ASCII are judged by how
/// often that language uses them and beside what. It needs about ten characters to be right where scripts differ, and
/// some dozens where only the places of a few letters do.
enum EncodingGuess {
    /// So many bytes beyond ASCII are looked at.
    private static let enough = 4096

    /// The encodings that it knows.
    static let names = Set(LanguageModel.all.flatMap(\.encodings) + CharacterSetModel.all.map(\.encoding))

    /// The name for iconv of the encoding that fits a text best; windows-1252 where nothing tells.
    ///
    /// - Complexity: O(languages · bytes beyond ASCII), of which the first 4,096 count.
    static func best(for text: ArraySlice<UInt8>) -> String {
        let sample = Sample(text, limit: enough)
        // What is likeliest before anything is read.
        var best = (name: "windows-1252", score: -Double.infinity)
        func take(_ name: String, _ score: Double) {
            if score > best.score { best = (name, score) }
        }
        var charts: [String: CodeChart] = [:]
        for language in LanguageModel.all {
            for (rank, name) in language.encodings.enumerated() {
                if charts[name] == nil { charts[name] = CodeChart(name) }
                guard let chart = charts[name] else { continue }
                let prior = name == "windows-1252" ? 1.5 : rank == 0 ? 0 : -0.5
                take(name, prior + score(sample, LetterScores(language, chart)))
            }
        }
        for model in CharacterSetModel.all {
            guard let score = score(sample, model) else { continue }
            take(model.encoding, score)
        }
        return best.name
    }

    /// The pieces of a text that have bytes beyond ASCII, each with the byte before it and two behind it.
    private struct Sample {
        let bytes: [UInt8]

        init(_ text: ArraySlice<UInt8>, limit: Int) {
            var taken: [UInt8] = [ASCII.space]
            var left = limit
            var copied = text.startIndex
            for index in text.indices where text[index] >= 0x80 {
                let start = max(copied, index - 1)
                // A gap is a word's end.
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

    // MARK: - One byte per character

    /// The logarithm of the likelihood of the bytes beyond ASCII.
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

    // MARK: - Several bytes per character

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

    /// Of a byte that is no character.
    static let invalid = -14.0
    /// Of a character that is none of the common ones.
    private static let rare = -15.0
}
