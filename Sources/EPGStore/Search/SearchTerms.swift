import EPGModel
import GRDB
import GRDBSQLite

/// The words of a search: to find the texts that have them, and to tell whether and where a text does.
struct SearchTerms {
    private let tokenizer: WordTokenizer
    private let terms: [SearchExpression.Term]

    /// - Throws: ``SearchExpressionError``.
    init(_ text: String, _ database: Database) throws {
        tokenizer = try WordTokenizer(database)
        terms = try SearchExpression(text, words: tokenizer.searchWords).terms
    }

    var isEmpty: Bool { terms.isEmpty }

    /// The words in the query language of FTS5 (sqlite.org/fts5.html#full_text_query_syntax), to find the programmes of a rank:
    /// only words in quotation marks, AND, stars and names of columns, which are always valid.
    func matchExpression(rank: Int) -> String {
        let text = terms.map { term -> String in
            let words = term.words.map { word in
                // No word holds a quotation mark, which ends a string of FTS5, or U+0000, which ends all; this makes it so.
                String(decoding: word.folded.filter { $0 != UInt8(ascii: "\"") && $0 != 0 }, as: UTF8.self)
            }
            return "\"\(words.joined(separator: " "))\"" + (term.isPrefix ? " *" : "")
        }.joined(separator: " AND ")
        return switch rank {
        case 1: "title : (\(text))"
        case 2: "{title subtitle} : (\(text))"
        default: text
        }
    }

    func highlights(in airing: Airing) throws -> [SearchMatch.Field: [Range<Int>]] {
        let texts: [SearchMatch.Field: String?] = [
            .title: airing.title, .subtitle: airing.subtitle, .description: airing.description,
        ]
        return try texts.mapValues { try ranges(in: $0 ?? "") }.filter { !$0.value.isEmpty }
    }

    /// Where the words stand in a text: UTF-8 bytes, ascending, not touching.
    private func ranges(in text: String) throws -> [Range<Int>] {
        let words = try tokenizer.words(of: text)
        let found = terms.flatMap { term in
            Self.places(of: term, in: words).map { start in
                words[start].range.lowerBound..<words[start + term.words.count - 1].range.upperBound
            }
        }
        return Array(RangeSet(found).ranges)
    }

    /// Whether each of the words stands in some of the texts.
    func stand(in texts: [String]) throws -> Bool {
        let texts = try texts.map { try tokenizer.words(of: $0) }
        return terms.allSatisfy { term in texts.contains { !Self.places(of: term, in: $0).isEmpty } }
    }

    /// The numbers of the words at which a term begins.
    private static func places(of term: SearchExpression.Term, in words: [WordTokenizer.Word]) -> [Int] {
        guard words.count >= term.words.count else { return [] }
        let last = term.words.count - 1
        return (0...words.count - term.words.count).filter { start in
            term.words.indices.allSatisfy { index in
                let (word, wanted) = (words[start + index].folded, term.words[index].folded)
                return index == last && term.isPrefix ? word.starts(with: wanted) : word == wanted
            }
        }
    }
}

/// Parts texts into words and folds them, just as the index for searches does, while its connection is open.
struct WordTokenizer {
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
