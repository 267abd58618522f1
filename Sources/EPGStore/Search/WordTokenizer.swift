import EPGModel
import GRDB
import GRDBSQLite

/// Parts texts into words and folds them, just as the index for searches does.
///
/// It belongs to the connection that it was made with, and is used only while that one is.
struct WordTokenizer {
    /// A word of a text.
    struct Word: Hashable {
        /// UTF-8, without case, and without the accents of Latin letters.
        var folded: [UInt8]
        /// Where it stands: UTF-8 bytes of the text.
        var range: Range<Int>
    }

    private let tokenizer: any FTS5Tokenizer

    init(_ database: Database) throws {
        tokenizer = try database.makeTokenizer(.unicode61(diacritics: .remove, categories: SearchText.categories))
    }

    /// The words of a text, in order; each character of a script without blanks is one (see ``SearchText``).
    func words(of text: String) throws -> [Word] {
        var text = text
        guard text.withUTF8({ SearchText.mayNeedPreparation(UnsafeRawBufferPointer($0)) }) else {
            return try parts(of: text)
        }
        var origins: [Int] = []
        return try parts(of: SearchText.prepared(text) { origins += $0 }).map { word in
            // The end is that of the last byte: blanks that were put in belong to no word.
            Word(folded: word.folded, range: origins[word.range.lowerBound]..<origins[word.range.upperBound - 1] + 1)
        }
    }

    /// The words of a part of a search, in order.
    func searchWords(of text: String) throws -> [SearchExpression.Word] {
        let bytes = text.utf8
        return try words(of: text).map { word in
            let start = bytes.index(bytes.startIndex, offsetBy: word.range.lowerBound)
            let written = text[start..<bytes.index(start, offsetBy: word.range.count)]
            return SearchExpression.Word(
                text: String(written), folded: word.folded,
                isComplete: written.unicodeScalars.first.map(SearchText.isUnspaced) ?? false)
        }
    }

    /// The folded words of a text with blanks between them; punctuation is gone.
    func folded(_ text: String) throws -> [UInt8] {
        Array(try parts(of: text).map(\.folded).joined(separator: [UInt8(ascii: " ")]))
    }

    private func parts(of text: String) throws -> [Word] {
        var text = text
        var words: [Word] = []
        let code = withUnsafeMutablePointer(to: &words) { words in
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { bytes in
                    guard let base = bytes.baseAddress else { return SQLITE_OK }
                    return tokenizer.tokenize(
                        context: UnsafeMutableRawPointer(words), tokenization: .document, pText: base,
                        nText: CInt(clamping: bytes.count)
                    ) { context, _, token, count, start, end in
                        guard let context, let token, start < end else { return SQLITE_OK }
                        let folded = UnsafeRawBufferPointer(start: token, count: Int(count))
                        context.assumingMemoryBound(to: [Word].self).pointee
                            .append(Word(folded: Array(folded), range: Int(start)..<Int(end)))
                        return SQLITE_OK
                    }
                }
            }
        }
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        return words
    }
}
