import Synchronization

/// A coarse genre, used to color and filter programmes.
package enum Genre: String, Hashable, Sendable, CaseIterable {
    case news, sport, children, documentary, music, film, series, entertainment

    /// Creates the genre of the first category that matches one, or `nil`; considers at most eight categories.
    ///
    /// Categories are free text in any language. A category matches a genre if one of its words begins with one of the
    /// genre's stems; for scripts that do not separate words with blanks, if it contains a stem.
    package init?(categories: [String]) {
        for category in categories.prefix(8) {
            if let bytes = Genre.loweredASCII(category) {
                let found = Genre.asciiStems.first { $0.stems.contains { $0.begins(wordIn: bytes) } }
                guard let found else { continue }
                self = found.genre
                return
            }
            let words = category.prefix(80).lowercased()
            if let genre = Genre.allCases.first(where: { $0.isNamed(in: words) }) {
                self = genre
                return
            }
        }
        return nil
    }

    /// The English name, for a legend.
    package var name: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// A symbol one column wide, for terminals without colors and for people who do not see them.
    package var sign: String {
        switch self {
        case .news: "≡"
        case .sport: "●"
        case .children: "☺"
        case .documentary: "◎"
        case .music: "♪"
        case .film: "▣"
        case .series: "◇"
        case .entertainment: "★"
        }
    }

    /// A dark background of the 256-color palette on which ``TextGrid/cellForeground`` is readable.
    package var background: TerminalColor {
        switch self {
        case .news: 24
        case .sport: 22
        case .children: 94
        case .documentary: 23
        case .music: 89
        case .film: 53
        case .series: 60
        case .entertainment: 58
        }
    }

    private func isNamed(in words: String) -> Bool {
        stems.contains { stem in
            guard stem.first?.isASCII == true else { return words.contains(stem) }
            return words.split { !$0.isLetter }.contains { $0.hasPrefix(stem) }
        }
    }

    /// Returns the first 80 bytes of a category in lowercase; `nil` if they are not all ASCII.
    ///
    /// Most categories are ASCII, a large grid looks up hundreds, and full Unicode lowercasing costs ten times as much.
    private static func loweredASCII(_ category: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        for byte in category.utf8.prefix(80) {
            // CR LF is a single Character, which the general path handles.
            guard byte < 0x80, byte != 0x0D else { return nil }
            bytes.append((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte)
        }
        // A combining accent after byte 80 would change the last letter.
        return category.utf8.count <= 80 ? bytes : nil
    }

    /// The ASCII stems of each genre.
    private static let asciiStems: [(genre: Genre, stems: [[UInt8]])] = allCases.map { genre in
        (genre, genre.stems.filter { $0.utf8.allSatisfy { $0 < 0x80 } }.map { Array($0.utf8) })
    }

    /// Stems from the examples of the XMLTV DTD, the genres of ETSI EN 300 468 and common feeds.
    private var stems: [String] {
        switch self {
        case .news:
            ["news", "current", "weather", "nachrichten", "journal", "notici", "actualit", "wetter", "新闻", "ニュース"]
        case .sport: ["sport", "football", "soccer", "fußball", "fussball", "deport", "体育", "スポーツ"]
        case .children: ["child", "kids", "kinder", "jeunesse", "infantil", "bambini", "cartoon", "少儿", "アニメ"]
        case .documentary:
            ["docu", "doku", "dok", "nature", "science", "history", "factual", "educat", "wissen", "纪录", "ドキュメンタリー"]
        case .music: ["music", "musik", "musique", "música", "concert", "konzert", "opera", "音乐", "音楽"]
        case .film: ["film", "movie", "spielfilm", "cine", "cinéma", "feature", "电影", "映画"]
        case .series: ["serie", "série", "drama", "soap", "sitcom", "comedy", "telenovela", "crime", "电视剧", "ドラマ"]
        case .entertainment:
            ["entertain", "show", "quiz", "game", "reality", "talk", "unterhaltung", "divertiss", "综艺", "バラエティ"]
        }
    }
}

extension [UInt8] {
    /// Returns whether a word of a lowercase ASCII text begins with these bytes.
    fileprivate func begins(wordIn text: [UInt8]) -> Bool {
        var index = 0
        while index < text.count {
            if text[index...].starts(with: self) { return true }
            while index < text.count, text[index].isLowercaseLetter { index += 1 }
            while index < text.count, !text[index].isLowercaseLetter { index += 1 }
        }
        return false
    }
}

extension UInt8 {
    fileprivate var isLowercaseLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
}

/// A cache of the genres of categories, so that the process classifies each category once.
///
/// Feeds use a few dozen categories. A feed with more than ``capacity`` of them empties the table.
final class GenreTable: Sendable {
    static let shared = GenreTable()

    private static let capacity = 2048

    private let numbers = Mutex<[String: Int]>([:])

    /// Returns the 1-based index of the genre in `Genre.allCases`; 0 for none. See ``Genre/init(categories:)``.
    func number(of categories: [String]) -> Int {
        for category in categories.prefix(8) {
            let number = number(of: category)
            if number > 0 { return number }
        }
        return 0
    }

    private func number(of category: String) -> Int {
        if let number = numbers.withLock({ $0[category] }) { return number }
        let genre = Genre(categories: [category])
        let number = genre.flatMap { Genre.allCases.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        // Long categories are rarely repeated and would only fill memory.
        if category.utf8.count <= 100 {
            numbers.withLock { numbers in
                if numbers.count >= GenreTable.capacity { numbers.removeAll() }
                numbers[category] = number
            }
        }
        return number
    }
}
