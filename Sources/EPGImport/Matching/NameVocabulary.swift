/// The words of channel names that have a meaning of their own. All are case-folded and without diacritics.
enum NameVocabulary {
    /// Words that names of the same station often have or lack.
    static let fillers: Set<String> = ["tv", "television", "channel", "kanal", "the", "and", "et", "und"]

    /// Words of quality and delivery; `nil` for those that state no resolution.
    static let qualities: [String: ChannelName.Quality?] = {
        var words: [String: ChannelName.Quality?] = [:]
        for word in ["uhd", "4k", "8k", "2160p", "3840p", "4320p", "超高清"] { words[word] = .ultra }
        for word in [
            "高清", "超清", "蓝光", "hd", "fhd", "hdtv", "1080p", "1080i", "1080", "720p", "720i", "1080p50", "1080p60", "hq",
        ] {
            words[word] = .high
        }
        let others = [
            "sd", "lq", "576p", "576i", "540p", "480p", "480i", "432p", "404p", "360p", "270p", "240p", "hevc", "h264",
            "h265",
            "x264", "x265", "avc", "raw", "vip", "backup", "backup1", "backup2", "50fps", "60fps", "25fps", "30fps",
            "hdr", "hdr10", "标清",
        ]
        for word in others { words[word] = .some(nil) }
        return words
    }()

    /// Words of quality that names join to another word, the longest first.
    static let joinedQualities = ["超高清", "高清", "超清", "蓝光", "标清", "uhd", "fhd", "hd", "sd", "4k", "8k"]

    /// Topics in Chinese that follow the number of a station, which tells stations apart by itself.
    static let topics: Set<String> = [
        "综合", "财经", "综艺", "国际", "中文国际", "体育", "赛事", "体育赛事", "电影", "军事", "国防军事", "电视剧", "纪录", "科教", "戏曲",
        "社会与法", "新闻", "少儿", "音乐", "奥林匹克", "农业", "农业农村", "频道",
    ]

    /// Notes in brackets.
    static let notes: [[String]] = [
        ["geo", "blocked"], ["geoblocked"], ["not", "24", "7"], ["offline"], ["24", "7"], ["alt"], ["h", "264"],
        ["h", "265"], ["multi", "audio"],
        ["multi"],
        ["multi", "sub"],
    ]

    /// Numbers as words and Roman numerals, anywhere but at the beginning of a name.
    static let numerals: [String: String] = [
        "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
        "nine": "9",
        "ten": "10", "eleven": "11", "twelve": "12", "i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6",
        "vii": "7",
        "viii": "8", "ix": "9", "x": "10", "xi": "11", "xii": "12",
    ]

    /// Numbers as words at the end of a name; elsewhere, some are other words.
    static let finalNumerals: [String: String] = {
        let words: [[String]] = [
            ["uno", "eins"], ["due", "dos", "zwei", "deux", "dois", "twee"], ["tre", "tres", "drei", "trois", "drie"],
            ["quattro", "cuatro", "quatro", "vier", "quatre"], ["cinque", "cinco", "funf", "cinq", "vijf"],
            ["sei", "seis", "sechs", "zes"], ["sette", "siete", "sete", "sieben", "zeven"],
            ["otto", "ocho", "oito", "acht", "huit"], ["nove", "nueve", "neun", "neuf", "negen"],
        ]
        var numerals: [String: String] = [:]
        for (index, words) in words.enumerated() {
            for word in words { numerals[word] = String(index + 1) }
        }
        return numerals
    }()

    /// Abbreviations of words.
    static let abbreviations: [String: String] = [
        "intl": "international", "int": "international", "ent": "entertainment", "doc": "documentary",
        "docu": "documentary",
        "jr": "junior", "ch": "channel", "chan": "channel",
    ]

    /// Domains of countries that stand for something else in identifiers.
    static let genericDomains: Set<String> = [
        "tv", "me", "io", "co", "fm", "ai", "gg", "cc", "ws", "to", "st", "hd", "sd",
    ]

    /// Codes that are also words or marks of quality at the end of a name in capitals.
    static let ambiguousCodes: Set<String> = [
        "it", "in", "no", "is", "be", "al", "me", "my", "so", "ma", "am", "pm", "id", "la", "de", "ar",
    ]

    /// The codes (ISO 3166-1; `uk` for `gb`) and names of countries.
    static let countries: [String: [String]] = {
        var countries: [String: [String]] = [:]
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ").map { String($0) }
            for word in words { countries[word] = [words[0]] }
        }
        return countries
    }()

    /// Prefixes that stand for several countries.
    static let regions: [String: [String]] = {
        let arab = [
            "ae", "sa", "eg", "qa", "kw", "bh", "om", "jo", "lb", "sy", "iq", "ma", "dz", "tn", "ly", "ye", "ps", "sd",
        ]
        let latin = [
            "mx", "ar", "co", "cl", "pe", "ve", "ec", "bo", "uy", "py", "cr", "pa", "do", "gt", "hn", "sv", "ni", "pr",
            "cu",
        ]
        let english = ["uk", "us", "ca", "au", "nz", "ie", "za"]
        return [
            // Argentina, or Arabic.
            "ar": arab + ["ar"], "arab": arab, "arabic": arab, "mena": arab, "lat": latin, "latam": latin,
            "latino": latin, "la": latin,
            "en": english, "eng": english, "exyu": ["rs", "hr", "ba", "si", "me", "mk", "xk"],
            "exyugoslavia": ["rs", "hr", "ba", "si", "me", "mk", "xk"], "nordic": ["se", "no", "dk", "fi", "is"],
            "dach": ["de", "at", "ch"],
        ]
    }()

    /// The countries of languages that names state.
    static let countriesOfLanguage: [String: [String]] = [
        "arabic": regions["arab"] ?? [], "arabia": regions["arab"] ?? [], "english": regions["en"] ?? [],
        "francais": ["fr", "ca", "be", "ch"], "deutsch": ["de", "at", "ch"], "hindi": ["in"], "turk": ["tr"],
    ]

    private static let table = """
        uk gb gbr england britain
        us usa america
        ca can canada
        au aus australia
        nz nzl
        ie irl ireland eire
        za rsa
        fr fra france
        de ger deu germany deutschland
        at aut austria osterreich
        ch sui schweiz suisse svizzera switzerland
        it ita italy italia
        es esp spain espana
        pt por prt portugal
        nl ned nld netherlands nederland holland
        be bel belgium belgique belgie
        lu lux luxembourg
        se swe sweden sverige
        no nor norway norge
        dk den dnk denmark danmark
        fi fin finland suomi
        is isl iceland
        pl pol poland polska
        cz cze czechia cesko
        sk svk slovakia slovensko
        hu hun hungary
        ro rou rom romania
        bg bgr bul bulgaria
        gr gre grc greece hellas
        tr tur turkey turkiye
        ru rus russia
        ua ukr ukraine
        by blr belarus
        rs srb serbia srbija
        hr cro hrv croatia hrvatska
        ba bih bosnia
        si slo svn slovenia slovenija
        mk mkd macedonia
        me mne montenegro
        al alb albania shqiperi
        xk kosovo
        lt ltu lithuania lietuva
        lv lva latvia latvija
        ee est estonia eesti
        il isr israel
        in ind india
        pk pak pakistan
        bd bangladesh
        lk
        ir irn iran
        iq iraq
        sa ksa
        ae uae
        eg egy egypt
        qa qat qatar
        kw kuwait
        lb lebanon
        jo jordan
        ma mar morocco maroc
        dz alg algeria algerie
        tn tunisia tunisie
        ng nigeria
        ke kenya
        gh ghana
        br bra brazil brasil
        mx mex mexico
        ar arg argentina
        co col colombia
        cl chl chile
        pe per peru
        ve ven venezuela
        ec ecuador
        uy uruguay
        py paraguay
        cn chn china
        hk hongkong
        tw twn taiwan
        jp jpn japan
        kr kor korea
        vn vnm vietnam
        th tha thailand
        id idn indonesia
        my mys malaysia
        sg singapore
        ph phl philippines
        """
}
