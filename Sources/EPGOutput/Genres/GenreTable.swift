import CResources
package import EPGModel

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

    /// The genres of words; `nil` for words that name none. The rank is 0 without a genre, 1 for words that say little, 2 for a
    /// whole group of genres, and 3 for one genre.
    private var genres = WordTable<Genre?>()
    /// The words that name films or series, all with rank 1.
    private var forms = WordTable<ProgrammeGenre.Form>()

    /// The built-in table.
    package static let standard = GenreTable(lines: String(cString: cresources_genres_txt()))

    private init(lines: String) {
        for line in lines.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.firstIndex(of: " ") else { continue }
            let isWeak = line.hasPrefix("?")
            let code = line[..<space].drop { $0 == "?" }
            let words = line[space...].split(separator: ",")
            if let form: ProgrammeGenre.Form = code == "film" ? .film : code == "series" ? .series : nil {
                for word in words { forms.add(word, form, rank: 1) }
                continue
            }
            let genre = Genre(named: String(code))
            precondition(genre != nil || code == "none", "genres.txt: \(line)")
            let rank: UInt8 = genre.map { isWeak ? 1 : $0.isSpecific ? 3 : 2 } ?? 0
            for word in words { genres.add(word, genre, rank: rank) }
        }
    }

    /// Creates the built-in table with words that replace its own.
    ///
    /// - Parameter words: Categories, or words with a hyphen as in `genres.txt`, and their genres; `nil` for none.
    package init(adding words: [GenreWord]) {
        self = .standard
        for word in words {
            let rank: UInt8 = word.genre.map { $0.isSpecific ? 3 : 2 } ?? 0
            genres.add(word.text[...], word.genre, rank: rank, replaces: true)
        }
    }

    /// Returns the meaning of a category.
    ///
    /// The category as a whole takes precedence, then its parts between slashes, commas and the like, then the words of a part.
    /// Among several matches, the most specific genre wins, then the first.
    ///
    /// - Complexity: O(n²) in the length of the category, which is limited.
    package func meaning(of category: String) -> Meaning {
        guard let entry = genres.entry(for: category) else { return .unknown }
        return entry.value.map { .genre($0) } ?? .noGenre
    }

    /// Returns the genre of a programme with categories: the most specific one of all, then the first.
    package func genre(of categories: [String]) -> Genre? {
        categories.lazy.compactMap { genres.entry(for: $0) }.best()?.value
    }

    /// Returns what a category says.
    fileprivate func finding(for category: String) -> GenreFinder.Finding {
        let entry = genres.entry(for: category)
        let genre = entry?.value
        // “Dokumentarfilm” names a documentary, and “Kinderserie” a programme for children.
        let isFiction = genre.map { $0.code >> 4 == 1 } ?? true
        return GenreFinder.Finding(
            genre: genre, rank: entry?.rank ?? 0, form: isFiction ? forms.entry(for: category)?.value : nil)
    }
}

/// A finder of the genre of a programme, which reads its categories one after the other.
///
/// Feeds use a few dozen categories. It looks each of them up once.
package struct GenreFinder {
    /// What a category says.
    fileprivate struct Finding {
        var genre: Genre?
        var rank: UInt8 = 0
        var form: ProgrammeGenre.Form?
    }

    private static let capacity = 2048
    /// Longer categories rarely repeat, and would only fill memory.
    private static let longestKnownCategory = 100

    private let table: GenreTable
    private var known: [String: Finding] = [:]
    private var best = Finding()
    private var isFilm = false
    private var isSeries = false

    /// Creates a finder that has read no category.
    package init(_ table: GenreTable = .standard) {
        self.table = table
    }

    /// Begins another programme.
    package mutating func begin() {
        best = Finding()
        (isFilm, isSeries) = (false, false)
    }

    /// Reads the next category of the programme.
    package mutating func add(_ category: String) {
        let found = finding(for: category)
        if found.rank > best.rank { best = found }
        switch found.form {
        case .film: isFilm = true
        case .series: isSeries = true
        case .dated, .unknown, nil: break
        }
    }

    /// Returns the genre of the programme.
    ///
    /// - Parameters:
    ///   - isDated: Whether the feed has the year of production.
    ///   - hasEpisode: Whether the feed has a number of an episode.
    package func genre(isDated: Bool, hasEpisode: Bool) -> ProgrammeGenre {
        let form: ProgrammeGenre.Form =
            if isFilm && !(isSeries && hasEpisode) { .film } else if isSeries || hasEpisode { .series } else if isDated
            {
                .dated
            } else { .unknown }
        return ProgrammeGenre(code: best.genre?.code ?? 0, form: form)
    }

    /// Returns the genre of a programme with the stored elements `nodes`.
    package mutating func genre(of nodes: [ContentNode]) -> ProgrammeGenre {
        begin()
        var (isDated, hasEpisode) = (false, false)
        for element in nodes.elements {
            switch element.name {
            case "category": add(element.textContent)
            case "date": isDated = isDated || Self.isYear(element.text.utf8)
            case "episode-num":
                let number = EpisodeNumber(value: element.text, system: element[attribute: "system"] ?? "onscreen")
                let position = number.position ?? EpisodePosition(seasonAndEpisode: number.value)
                hasEpisode = hasEpisode || position?.episode.number != nil
            default: break
            }
        }
        return genre(isDated: isDated, hasEpisode: hasEpisode)
    }

    /// Whether a date is a year: the year of production. Dates with a day are mostly dates of the first transmission, which
    /// episodes have, too.
    package static func isYear(_ date: some Collection<UInt8>) -> Bool {
        date.count == 4 && date.allSatisfy { (0x30...0x39).contains($0) }
    }

    private mutating func finding(for category: String) -> Finding {
        if let finding = known[category] { return finding }
        let finding = table.finding(for: category)
        if category.utf8.count <= Self.longestKnownCategory {
            if known.count >= Self.capacity { known.removeAll() }
            known[category] = finding
        }
        return finding
    }
}

/// Words with values, and the rules by which a category matches them.
private struct WordTable<Value: Hashable & Sendable>: Hashable, Sendable {
    /// A value with its precedence among several matches.
    struct Entry: Hashable, Sendable {
        let value: Value
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
    private static var longestPhrase: Int { 5 }
    /// Shorter words match only as a whole category or a part of it: `ev`, `os`, and `din` are words of many languages.
    private static var shortestWord: Int { 4 }
    private static var shortestStem: Int { 3 }
    /// The maximum length of a category in UTF-8. A longer text is not a category.
    private static var longestCategory: Int { 200 }

    mutating func add(_ word: Substring, _ value: Value, rank: UInt8, replaces: Bool = false) {
        let word = word.drop { $0 == " " }
        let folded = FoldedWords(word).joined
        guard !folded.isEmpty else { return }
        func store(_ table: inout [String: Entry]) {
            if replaces || table[folded] == nil { table[folded] = Entry(value: value, rank: rank) }
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

    func entry(for category: String) -> Entry? {
        guard category.utf8.count <= Self.longestCategory else { return nil }
        if let entry = phrases[FoldedWords(category).joined] { return entry }
        let parts = category.split { "/,;|:&()>·•".contains($0) }
        return parts.lazy.compactMap { entry(forPart: FoldedWords($0).words) }.best()
    }

    private func entry(forPart words: [String]) -> Entry? {
        let text = words.joined(separator: " ")
        if let entry = phrases[text] { return entry }
        if text.isUnspaced, let entry = entry(within: words.joined()) { return entry }
        var entries: [Entry] = []
        var place = 0
        while place < words.count {
            let longest = min(Self.longestPhrase, words.count - place)
            let phrase = stride(from: longest, to: 1, by: -1).lazy.compactMap { count in
                self.phrases[words[place..<place + count].joined(separator: " ")].map { (entry: $0, count: count) }
            }.first
            if let entry = phrase?.entry ?? entry(forWord: words[place]) { entries.append(entry) }
            place += phrase?.count ?? 1
        }
        return entries.best()
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
        var entries: [Entry] = []
        for start in characters.indices {
            for end in stride(from: min(characters.count, start + 16), to: start, by: -1) {
                guard let entry = fragments[String(characters[start..<end])] else { continue }
                entries.append(entry)
                break
            }
        }
        return entries.best()
    }
}

extension Sequence {
    /// The entry with the highest rank; of several, the first.
    fileprivate func best<Value>() -> Element? where Element == WordTable<Value>.Entry {
        reduce(nil) { best, entry in best.map { entry.rank > $0.rank } ?? true ? entry : best }
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
