/// A handful of kinds of programme that a grid tells apart at a glance.
package enum Genre: String, Hashable, Sendable, CaseIterable {
    case news, sport, children, documentary, music, film, series, entertainment

    /// The genre that the first telling category names, or `nil`.
    ///
    /// Feeds write what they like, in any language: a category belongs to a genre when one of its words begins with one of
    /// the genre's (scripts without blanks: when it contains it).
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

    /// A sign of one column, for terminals and people without colors.
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

    /// A dark background of the 256-color palette, readable under ``TextGrid/cellForeground``.
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

    /// The bytes of a category in small letters, of the first 80; `nil` where one of them isn't ASCII.
    ///
    /// Most categories are ASCII, and a large grid asks for hundreds: letters of all scripts cost ten times as much.
    private static func loweredASCII(_ category: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        for byte in category.utf8.prefix(80) {
            // A return and a line feed are one character.
            guard byte < 0x80, byte != 0x0D else { return nil }
            bytes.append((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte)
        }
        // An accent behind the 80th byte would belong to it.
        return category.utf8.count <= 80 ? bytes : nil
    }

    /// For each genre the stems that can begin a word of ASCII.
    private static let asciiStems: [(genre: Genre, stems: [[UInt8]])] = allCases.map { genre in
        (genre, genre.stems.filter { $0.utf8.allSatisfy { $0 < 0x80 } }.map { Array($0.utf8) })
    }

    /// Beginnings of words, from the DTD's examples, ETSI EN 300 468's genres and common feeds.
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
    /// Whether one of the words of a text in small ASCII letters begins with these bytes.
    fileprivate func begins(wordIn text: [UInt8]) -> Bool {
        var index = 0
        while index < text.count {
            if text[index...].starts(with: self) { return true }
            while index < text.count, text[index].isSmallLetter { index += 1 }
            while index < text.count, !text[index].isSmallLetter { index += 1 }
        }
        return false
    }
}

extension UInt8 {
    fileprivate var isSmallLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
}
