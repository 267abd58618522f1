import GRDB

/// The words that a person looks for stations with.
struct StationWords {
    /// A word as it is looked for.
    private enum Word {
        /// With letters or digits: UTF-8, folded.
        case folded([UInt8])
        /// Without any, such as `+`: byte for byte.
        case sign([UInt8])
    }

    private let tokenizer: WordTokenizer
    private let words: [Word]

    init(_ text: String, _ database: Database) throws {
        let tokenizer = try WordTokenizer(database)
        self.tokenizer = tokenizer
        words = try text.split(whereSeparator: \.isWhitespace).map { word in
            let folded = try tokenizer.folded(String(word))
            return folded.isEmpty ? .sign(Array(word.utf8)) : .folded(folded)
        }
    }

    var isEmpty: Bool { words.isEmpty }

    /// Whether each word stands in some of the texts.
    func stand(in texts: [String]) throws -> Bool {
        let folded = try texts.map { try tokenizer.folded($0) }
        return words.allSatisfy { word in
            switch word {
            case .folded(let bytes): folded.contains { $0.contains(bytes) }
            case .sign(let bytes): texts.contains { Array($0.utf8).contains(bytes) }
            }
        }
    }
}
