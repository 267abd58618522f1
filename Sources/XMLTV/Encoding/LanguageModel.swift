/// What letters beyond ASCII a language is written with, and the encodings of one byte that it may come in.
///
/// Letters stand in the order of how often they occur in running text; that order is all that the guess knows of a
/// language. Capitals follow from them.
struct LanguageModel {
    let encodings: [String]
    let letters: String
    /// Whether its words mix these letters with those of ASCII.
    let isLatin: Bool

    static let all: [LanguageModel] = [
        // The first one is taken where nothing tells them apart.
        latin(["windows-1252", "ISO-8859-15"], "éèàêçôîûâùïëœæ"),
        latin(["windows-1252", "ISO-8859-15"], "üäößé"),
        latin(["windows-1252", "ISO-8859-15"], "óíáñéúü¿¡"),
        latin(["windows-1252", "ISO-8859-15"], "ãçáéíóõêâúàô"),
        latin(["windows-1252", "ISO-8859-15"], "åäöøæéü"),
        latin(["windows-1252", "ISO-8859-15"], "àèùìòé"),
        latin(["windows-1252", "ISO-8859-15"], "áíðöéóúæýþ"),
        latin(["windows-1252", "ISO-8859-15"], "äöõüšž"),
        latin(["windows-1250", "ISO-8859-2"], "áéöóőüíúű"),
        latin(["windows-1250", "ISO-8859-2"], "ąęłóśżćńź"),
        latin(["windows-1250", "ISO-8859-2"], "íáéěřýčžšůúťňóď"),
        latin(["windows-1250", "ISO-8859-2"], "áíýčéžľšúťňôóďäŕĺ"),
        latin(["windows-1250", "ISO-8859-2"], "čšžćđ"),
        latin(["windows-1250", "ISO-8859-2"], "ăîşţâ"),
        latin(["ISO-8859-16"], "ăîșțâ"),
        latin(["windows-1254"], "ıüşğçöâî"),
        latin(["windows-1257"], "ėšžųįąūčę"),
        latin(["windows-1257"], "āīēšūņļžģčķ"),
        other(["windows-1251", "KOI8-R", "ISO-8859-5", "CP866"], "оаеинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"),
        other(["windows-1251", "KOI8-U", "ISO-8859-5"], "оаинвіретсклудмпязьбгчйхцїжєюшщфґ"),
        other(["windows-1251", "ISO-8859-5"], "аиоетнрсвлкдпмзугяъбчшщжцйхюфь"),
        other(["windows-1251", "ISO-8859-5"], "аиоентрсјвуклдмпзгбчцжшљњћђџфх"),
        other(["windows-1253", "ISO-8859-7"], "αοιτεσνηρκπμυςλίάγδέωόχθφήύβξώζψϊ"),
        other(["windows-1255"], "יוהלאמרתשבנםדקפעחטןגסכזצךףץ"),
        other(["windows-1256", "ISO-8859-6"], "اليمونرتبعدسهفكقحأةجشإصطخىذضزثئغءآظؤ"),
        other(["windows-1256"], "ایرنمدهتوسبشلکزگفقخحعصجپطذچغضئظ"),
        other(["CP874"], "นรากอเงมยลวสทตั่ดิี้บปคะหแจไพชืขโุ์ถูำใณซ็ธผภศษญฟึฐฉ"),
    ]

    private static func latin(_ encodings: [String], _ letters: String) -> LanguageModel {
        LanguageModel(encodings: encodings, letters: letters, isLatin: true)
    }

    private static func other(_ encodings: [String], _ letters: String) -> LanguageModel {
        LanguageModel(encodings: encodings, letters: letters, isLatin: false)
    }
}

/// How the characters of two bytes of an encoding are spread, in a language that is written with them.
struct CharacterSetModel {
    let encoding: String
    /// Characters that every text is full of, and their share.
    let common: String
    let commonShare: Double
    /// Ranges of characters by their bytes, each with its share and how many characters it has.
    let ranges: [(bytes: ClosedRange<UInt16>, share: Double, count: Double)]

    /// The encodings of which most characters are two bytes.
    static let encodings = Set(all.map(\.encoding) + ["CP950"])

    static let punctuation = "，。、：；！？（）《》“”「」『』・…—～　【】·"
    static let punctuationShare = 0.08

    /// All these sets are ordered alike: signs and kana first, then what is common, then what is rare.
    static let all: [CharacterSetModel] = [
        CharacterSetModel(
            encoding: "GB18030", common: "的一是在不了有人我他这中大来上个国到说们为子和你地出会时要也就可以下得生年天新电视剧集节目午间今日早晚频道卫综合体育",
            commonShare: 0.3,
            ranges: [(0xB0A1...0xD7FE, 0.6, 3755), (0xD8A1...0xF7FE, 0.01, 3008), (0xA4A1...0xA5FE, 0.001, 169)]),
        CharacterSetModel(
            encoding: "BIG5-HKSCS", common: "的一是在不了有人我他這中大來上個國到說們為子和你地出會時要也就可以下得生年天新電視劇集節目午間今日早晚頻道衛綜合體育",
            commonShare: 0.3,
            ranges: [(0xA440...0xC67E, 0.6, 5401), (0xC940...0xF9D5, 0.01, 7652), (0xC6E7...0xC7F2, 0.001, 169)]),
        CharacterSetModel(
            encoding: "CP949", common: "이다는을의에가고하지은를로한기사리어나아도인자시스라서만일정부그대수주전보제해연상원화드방오장신구마들으회재",
            commonShare: 0.45, ranges: [(0xB0A1...0xC8FE, 0.45, 2350), (0xCAA1...0xFDFE, 0.005, 4888)]),
        CharacterSetModel(
            encoding: "EUC-JP-MS", common: "のにはをたがでとしるいてかなれらもこっスンルトラアイ日本人大新",
            commonShare: 0.35,
            ranges: [
                (0xA4A1...0xA4F3, 0.15, 83), (0xA5A1...0xA5F6, 0.15, 86), (0xB0A1...0xCFD3, 0.22, 2965),
                (0xD0A1...0xF4A6, 0.01, 3390),
            ]),
        CharacterSetModel(
            encoding: "CP932", common: "のにはをたがでとしるいてかなれらもこっスンルトラアイ日本人大新",
            commonShare: 0.35,
            ranges: [
                (0x829F...0x82F1, 0.15, 83), (0x8340...0x8396, 0.15, 86), (0x889F...0x9872, 0.22, 2965),
                (0x989F...0xEAA4, 0.01, 3390),
            ]),
    ]

    /// How many bytes the character takes that begins with two bytes: what the encodings have in common.
    func length(of first: UInt8, _ second: UInt8) -> Int {
        switch encoding {
        case "CP932" where 0xA1...0xDF ~= first: 1
        case "GB18030" where 0x30...0x39 ~= second: 4
        case "EUC-JP-MS" where first == 0x8F: 3
        default: first > 0x80 && first < 0xFF && second >= 0x40 ? 2 : 1
        }
    }
}
