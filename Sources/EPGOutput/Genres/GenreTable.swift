import CResources

/// Words of categories in many languages, and the genres they stand for.
///
/// The words come from `genres.txt`, which describes its format, and from settings, which take precedence.
package struct GenreTable: Hashable, Sendable {
    /// The meaning of a category.
    package enum Meaning: Hashable, Sendable {
        case genre(Genre)
        /// A word that names no genre, such as “Episode”.
        case noGenre
        /// A text that the table does not know.
        case unknown

        /// The genre; `nil` if there is none.
        package var genre: Genre? { if case .genre(let genre) = self { genre } else { nil } }
    }

    /// A genre with its precedence among the categories of a programme.
    private struct Entry: Hashable, Sendable {
        /// `nil` for words that name no genre.
        let genre: Genre?
        /// 0 without a genre, 1 for words that say little, 2 for a whole group of genres, 3 for one genre.
        let rank: UInt8
    }

    private var phrases: [String: Entry] = [:]
    /// Beginnings of words.
    private var stems: [String: Entry] = [:]
    /// Ends of words.
    private var tails: [String: Entry] = [:]
    /// Words of scripts without spaces, which match anywhere.
    private var fragments: [String: Entry] = [:]

    /// The maximum number of words of a phrase within a longer text.
    private static let longestPhrase = 5
    /// Shorter words match only as a whole category or a part of it: `ev`, `os`, and `din` are words of many languages.
    private static let shortestWord = 4
    private static let shortestStem = 3
    /// The maximum length of a category in UTF-8. A longer text is not a category.
    private static let longestCategory = 200

    /// The built-in table.
    package static let standard = GenreTable(lines: String(cString: cresources_genres_txt()))

    private init(lines: String) {
        for line in lines.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.firstIndex(of: " ") else { continue }
            let isWeak = line.hasPrefix("?")
            let code = line[..<space].drop { $0 == "?" }
            let genre = Genre(named: String(code))
            precondition(genre != nil || code == "none", "genres.txt: \(line)")
            let rank: UInt8 = genre.map { isWeak ? 1 : $0.isSpecific ? 3 : 2 } ?? 0
            for word in line[space...].split(separator: ",") { add(word, Entry(genre: genre, rank: rank)) }
        }
    }

    /// Creates the built-in table with words that replace its own.
    ///
    /// - Parameter words: Categories, or words with a hyphen as in `genres.txt`, and their genres; `nil` for none.
    package init(adding words: [GenreWord]) {
        self = .standard
        for word in words {
            let entry = Entry(genre: word.genre, rank: word.genre.map { $0.isSpecific ? 3 : 2 } ?? 0)
            add(word.text[...], entry, replaces: true)
        }
    }

    private mutating func add(_ word: Substring, _ entry: Entry, replaces: Bool = false) {
        let word = word.drop { $0 == " " }
        let folded = FoldedWords(word).joined
        guard !folded.isEmpty else { return }
        func store(_ table: inout [String: Entry]) {
            if replaces || table[folded] == nil { table[folded] = entry }
        }
        store(&phrases)
        if folded.isUnspaced {
            store(&fragments)
        } else if word.hasSuffix("-") {
            store(&stems)
        } else if word.hasPrefix("-") {
            store(&tails)
        }
    }

    // MARK: - Lookup

    /// Returns the meaning of a category.
    ///
    /// The category as a whole takes precedence, then its parts between slashes, commas and the like, then the words of a part.
    /// Among several matches, the most specific genre wins, then the first.
    ///
    /// - Complexity: O(n²) in the length of the category, which is limited.
    package func meaning(of category: String) -> Meaning { Self.meaning(entry(for: category)) }

    /// Returns the genre of a programme with categories: the most specific one of all, then the first.
    package func genre(of categories: [String]) -> Genre? {
        Self.best(categories.lazy.map { entry(for: $0) })?.genre
    }

    private static func meaning(_ entry: Entry?) -> Meaning {
        guard let entry else { return .unknown }
        return entry.genre.map { .genre($0) } ?? .noGenre
    }

    private static func best(_ entries: some Sequence<Entry?>) -> Entry? {
        var best: Entry?
        for case let entry? in entries where entry.rank > best?.rank ?? 0 || best == nil { best = entry }
        return best
    }

    private func entry(for category: String) -> Entry? {
        guard category.utf8.count <= Self.longestCategory else { return nil }
        if let entry = phrases[FoldedWords(category).joined] { return entry }
        let parts = category.split { "/,;|:&()>·•".contains($0) }
        return Self.best(parts.lazy.map { entry(forPart: FoldedWords($0).words) })
    }

    private func entry(forPart words: [String]) -> Entry? {
        let text = words.joined(separator: " ")
        if let entry = phrases[text] { return entry }
        if text.isUnspaced, let entry = entry(within: words.joined()) { return entry }
        var entries: [Entry?] = []
        var place = 0
        while place < words.count {
            let longest = min(Self.longestPhrase, words.count - place)
            let phrase = stride(from: longest, to: 1, by: -1).lazy.compactMap { count in
                self.phrases[words[place..<place + count].joined(separator: " ")].map { (entry: $0, count: count) }
            }.first
            entries.append(phrase?.entry ?? entry(forWord: words[place]))
            place += phrase?.count ?? 1
        }
        return Self.best(entries)
    }

    private func entry(forWord word: String) -> Entry? {
        let count = word.count
        if count >= Self.shortestWord, let entry = phrases[word] { return entry }
        guard count > Self.shortestStem else { return nil }
        for length in stride(from: count - 1, through: Self.shortestStem, by: -1) {
            if let entry = stems[String(word.prefix(length))] { return entry }
        }
        for length in stride(from: count - 1, through: Self.shortestStem, by: -1) {
            if let entry = tails[String(word.suffix(length))] { return entry }
        }
        return nil
    }

    /// Returns the best of all fragments within a text; the longest of those at one place comes first.
    private func entry(within text: String) -> Entry? {
        let characters = Array(text)
        var entries: [Entry?] = []
        for start in characters.indices {
            for end in stride(from: min(characters.count, start + 16), to: start, by: -1) {
                guard let entry = fragments[String(characters[start..<end])] else { continue }
                entries.append(entry)
                break
            }
        }
        return Self.best(entries)
    }
}

/// A word of the settings and its genre.
package struct GenreWord: Hashable, Sendable {
    package var text: String
    /// `nil` for a word that names no genre.
    package var genre: Genre?

    /// Creates a word.
    package init(_ text: String, _ genre: Genre?) {
        self.text = text
        self.genre = genre
    }
}

extension String {
    /// Whether the text has letters of a script that does not separate words with spaces, or compounds them freely: Thai, kana,
    /// Han or Hangul.
    fileprivate var isUnspaced: Bool {
        unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x0E00...0x0E7F, 0x3040...0x9FFF, 0xAC00...0xD7AF: true
            default: false
            }
        }
    }
}
