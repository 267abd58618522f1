/// The meanings of a word beside a number.
struct EpisodeWord: OptionSet {
    let rawValue: UInt16

    /// The number of a season or an episode follows the word (`Season 2`), or precedes it (`2. évad`).
    static let seasonBefore = EpisodeWord(rawValue: 1)
    static let seasonAfter = EpisodeWord(rawValue: 2)
    static let episodeBefore = EpisodeWord(rawValue: 4)
    static let episodeAfter = EpisodeWord(rawValue: 8)
    /// A letter, which needs a number without white space: `S2`.
    static let letter = EpisodeWord(rawValue: 16)
    /// A word that has other meanings, too: `Series 2`.
    static let weak = EpisodeWord(rawValue: 32)
    /// An abbreviation, which needs a period or a number without white space.
    static let dotted = EpisodeWord(rawValue: 64)
    /// The number before the word needs no period: `5 серия`.
    static let cardinal = EpisodeWord(rawValue: 128)
    /// `of` in `5 of 8`, `and` in `5 and 6`, and the endings of ordinal numbers.
    static let of = EpisodeWord(rawValue: 256)
    static let and = EpisodeWord(rawValue: 512)
    static let ordinal = EpisodeWord(rawValue: 1024)
    /// A letter that needs its number without a period as well.
    static let glued = EpisodeWord(rawValue: 2048)
    /// A word for years, which counts seasons only up to 40: `ปี 8`.
    static let years = EpisodeWord(rawValue: 4096)

    /// A word that also numbers sequels of films, which are at most 5: `Capítulo 2`.
    static let chapter = EpisodeWord(rawValue: 8192)

    /// A letter that counts only beside another mark: `S6 F13`.
    static let pairs = EpisodeWord(rawValue: 16384)

    /// Words before the names of models, which look like seasons: `Audi S3`.
    static let models: Set = [
        "audi", "galaxy", "samsung", "model", "class", "klasse", "tesla", "bmw", "type", "formula",
    ]

    static let series: EpisodeWord = [.seasonBefore, .weak]

    init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Looks up a word in lowercase.
    init(_ word: String) {
        guard word.utf8.count <= 40 else {
            self = []
            return
        }
        // Hungarian words have many endings: `évadában`.
        self = Self.words[word] ?? (word.hasPrefix("évad") ? [.seasonAfter] : [])
    }

    /// Looks up the end of a word in a script that does not separate words.
    init(endOf word: String) {
        let isLong = (word.unicodeScalars.first?.value ?? 0) >= 0x0E00 && word.utf8.count <= 600
        self = isLong ? Self.suffixes.first { word.hasSuffix($0.0) }?.1 ?? [] : []
    }

    private static let words: [String: EpisodeWord] = {
        var words: [String: EpisodeWord] = [:]
        for (roles, list) in table {
            for word in list.split(separator: " ") { words[String(word), default: []].formUnion(roles) }
        }
        return words
    }()

    /// The words by their meanings, one line per language or group of languages.
    private static let table: [(EpisodeWord, String)] = [
        // English
        ([.seasonBefore], "season"), ([.seasonAfter], "season"), (.series, "series"),
        ([.episodeBefore], "episode ep eps epi epis"),
        // German
        ([.seasonBefore, .seasonAfter], "staffel"), ([.episodeBefore, .episodeAfter], "folge"),
        // French
        ([.seasonBefore, .seasonAfter], "saison"), ([.episodeBefore, .episodeAfter], "épisode episode"),
        // Spanish, Catalan, Portuguese, Italian
        ([.seasonBefore, .seasonAfter], "temporada stagione"), ([.seasonBefore, .dotted], "temp stag"),
        ([.seasonBefore, .dotted, .pairs], "st"),
        ([.episodeBefore, .episodeAfter], "episodio episódio episodi puntata"),
        ([.episodeBefore, .episodeAfter, .chapter], "capítulo capitulo capítol"),
        ([.episodeBefore, .dotted], "cap"),
        // Polish
        ([.seasonBefore, .cardinal, .seasonAfter], "sezon"), ([.seasonBefore, .dotted], "sez"),
        ([.episodeBefore, .episodeAfter], "odcinek"), ([.episodeBefore], "odc"), ([.seasonBefore, .weak], "seria"),
        // Russian, Ukrainian, Bulgarian, Serbian
        ([.seasonBefore, .seasonAfter, .cardinal], "сезон сезона сезону"),
        ([.episodeBefore, .episodeAfter, .cardinal], "серия серія выпуск випуск эпизод епизод епізод эпізод"),
        ([.episodeBefore], "еп"), ([.episodeBefore, .dotted], "сер вып"),
        // Czech, Slovak, Croatian, Slovenian
        ([.seasonBefore, .seasonAfter], "sezóna sezona"), ([.seasonAfter], "série séria řada rada"),
        ([.episodeBefore, .episodeAfter], "díl diel epizoda epizóda"),
        // Hungarian
        ([.seasonAfter], "évad"), ([.episodeAfter], "rész epizód"),
        // Dutch, Danish, Swedish, Norwegian, Finnish
        ([.seasonBefore], "seizoen sæson säsong sesong kausi"), ([.seasonAfter], "säsongen"),
        ([.episodeBefore], "aflevering avsnitt afsnit episod jakso"), ([.episodeBefore, .dotted], "afl avsn"),
        // Greek
        ([.seasonBefore], "κύκλος σεζόν"), ([.episodeBefore], "επεισόδιο επ"),
        // Turkish, Romanian
        ([.seasonAfter, .seasonBefore], "sezon"), ([.episodeAfter], "bölüm"), ([.episodeBefore], "bölüm episodul"),
        ([.seasonBefore], "sezonul"),
        // Hebrew, Arabic, Persian
        ([.seasonBefore], "עונה الموسم"), ([.episodeBefore], "פרק הפרק الحلقة حلقة الحلقه قسمت"),
        // Vietnamese, Indonesian, Malay
        ([.seasonBefore], "mùa musim"), ([.episodeBefore], "tập episod"),
        // Korean
        ([.seasonBefore], "시즌"), ([.seasonAfter, .cardinal], "기"), ([.episodeAfter, .cardinal], "회 화"),
        ([.episodeBefore], "에피소드"),
        // Thai
        ([.episodeBefore], "ตอนที่ ตอน"), ([.seasonBefore], "ซีซั่น ซีซัน ซีซั่นที่ ซีซันที่"),
        ([.seasonBefore, .years], "ปี"), ([.seasonBefore, .dotted, .letter], "ss"),
        // Mongolian
        ([.episodeAfter], "анги"),
        // Letters
        ([.seasonBefore, .letter], "s"), ([.seasonBefore, .letter, .glued], "t т κ"),
        ([.episodeBefore, .letter], "e ε"), ([.episodeBefore, .letter, .glued, .pairs], "f"),
        // Others
        ([.of], "of von de di z ze из із av sur van od"), ([.and], "and und et y e и і i og och en a"),
        ([.ordinal], "я й ая ый ой th nd rd st e ª р ère ème a га"),
    ]

    /// Words that end a run of letters without white space, the longer ones first.
    private static let suffixes: [(String, EpisodeWord)] = [
        ("ตอนที่", [.episodeBefore]), ("ตอน", [.episodeBefore]), ("ซีซั่น", [.seasonBefore]), ("ซีซัน", [.seasonBefore]),
        ("ปี", [.seasonBefore, .years]), ("시즌", [.seasonBefore]),
    ]

    /// Words after the season of another broadcast: `Season 2 champion Kit Marlow returns`.
    static let people: Set = ["champion", "champions", "winner", "winners", "star", "stars", "contestant", "finalist"]
    /// Words before the season at the start of a description: `In this season 3 finale, …`.
    static let openings: Set = ["in", "the", "this", "a", "az", "der", "die", "la"]
    /// Words before the season of the broadcast: `is back for season 3`.
    static let returns: Set = ["for", "with", "through"]

    static func isChineseDigit(_ character: String) -> Bool { "一二三四五六七八九十百零〇两".contains(character) }

    /// Returns the value of a number up to 999 in Chinese characters.
    static func chineseNumber(_ characters: [String]) -> Int? {
        var (total, digit): (Int, Int?) = (0, nil)
        for character in characters {
            switch character {
            case "十":
                total += (digit ?? 1) * 10
                digit = nil
            case "百":
                total += (digit ?? 1) * 100
                digit = nil
            case "零", "〇": digit = nil
            case "两": digit = 2
            default:
                guard digit == nil, let index = ["一", "二", "三", "四", "五", "六", "七", "八", "九"].firstIndex(of: character)
                else { return nil }
                digit = index + 1
            }
        }
        let value = total + (digit ?? 0)
        return value > 0 ? value : nil
    }

    /// Returns the value of a Roman number up to 89 in lowercase letters.
    static func romanNumber(_ text: String) -> Int? {
        guard (1...7).contains(text.utf8.count) else { return nil }
        let values = text.utf8.map { byte -> Int in
            switch byte {
            case UInt8(ascii: "i"): 1
            case UInt8(ascii: "v"): 5
            case UInt8(ascii: "x"): 10
            case UInt8(ascii: "l"): 50
            default: 0
            }
        }
        guard values.allSatisfy({ $0 > 0 }) else { return nil }
        var value = 0
        for (index, digit) in values.enumerated() {
            value += values[(index + 1)...].first.map { $0 > digit } ?? false ? -digit : digit
        }
        return value > 0 && value < 90 ? value : nil
    }
}
