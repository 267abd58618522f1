extension Programme {
    /// The age in years, from 0 to 21, from which the programme is suitable by its ratings: the highest of them. `nil` if
    /// none is known.
    ///
    /// A rating without an age that asks for parental guidance (`PG`, `TV-PG`) counts as 8, the age that the BBFC gives for
    /// `PG`.
    public var minimumAge: Int? { ratings.compactMap(\.minimumAge).max() }
}

extension Programme.Rating {
    /// The age in years, from 0 to 21, of an age rating; `nil` for one that is unknown (`NR`, `Unrated`), and for content
    /// advice.
    ///
    /// Case, spaces, hyphens and what follows in parentheses don't matter: `TV14 (D,L,V)` is `TV-14`. A label is looked up
    /// in the table of its system. Without a system or with an unknown one, a label that several systems have means the
    /// highest of their ages. What no table has is a number: `12`, `12+`, `+12`, `-12`, `FSK 12`, `14A`, `13 ans+`, `15세 이상
    /// 관람가`.
    public var minimumAge: Int? {
        let name = (system ?? "").ratingLabel
        guard name != "ADVISORY" else { return nil }
        var label = value.prefix { $0 != "(" }.ratingLabel
        // Such as CAN_ENG_PG.
        for prefix in ["CANENG", "CANFRE"] where label.hasPrefix(prefix) { label.removeFirst(prefix.count) }
        if name == "DVB", let age = Self.age(dvbCode: label) { return age }
        if let system = AgeRatingSystem.all.first(where: { $0.names.contains(name) }), let age = system.ages[label] {
            return age
        }
        return AgeRatingSystem.all.compactMap { $0.ages[label] }.max() ?? Self.age(inNumber: label)
    }

    /// The age of a `parental_rating_descriptor` (ETSI EN 300 468, 6.2.28), which is its code, 0x01 to 0x0F, plus 3.
    /// Receivers write either the code in hexadecimal or the age as a number, which is no code.
    private static func age(dvbCode text: String) -> Int? {
        guard text.hasPrefix("0X"), let code = Int(text.dropFirst(2), radix: 16), (1...15).contains(code) else {
            return nil
        }
        return code + 3
    }

    /// The age in a label with one number up to 21, and nothing else but what systems add to numbers.
    private static func age(inNumber label: String) -> Int? {
        let parts = label.split { !$0.isASCII || !$0.isNumber }
        guard parts.count == 1, let digits = parts.first, digits.count <= 2, let age = Int(digits), age <= 21 else {
            return nil
        }
        let before = label[..<digits.startIndex]
        let after = label[digits.endIndex...]
        guard ["", "+", "FSK", "PEGI", "AGE", "AB", "R", "RP", "X", "C", "VM"].contains(before),
            ["", "+", "A", "PG", "ANS", "ANS+", "YEARS", "YEARS+", "JAHREN", "JAHRE"].contains(after)
                || after.hasPrefix("세")
        else { return nil }
        return age
    }
}

extension StringProtocol {
    /// The text in uppercase without white space, hyphens and underscores.
    fileprivate var ratingLabel: String { uppercased().filter { !$0.isWhitespace && $0 != "-" && $0 != "_" } }
}

/// The labels of a rating system that are not numbers, with their ages in years.
private struct AgeRatingSystem: Sendable {
    /// The names under which feeds know it, as labels.
    let names: Set<String>
    let ages: [String: Int]

    /// The age of labels that ask for parental guidance without naming an age.
    private static let guidance = 8

    static let all = [unitedStates, unitedKingdom, australia, newZealand, canada, netherlands, france, spain, korea]

    /// The TV Parental Guidelines (47 CFR 15.120, tvguidelines.org) and the ratings of the Motion Picture Association
    /// (filmratings.com). Feeds mix them, and write either under the name of the other.
    private static let unitedStates = AgeRatingSystem(
        names: [
            "VCHIP", "TVPARENTALGUIDELINES", "USAPARENTALRATING", "TVPG", "MPAA", "MPA",
            "MOTIONPICTUREASSOCIATIONOFAMERICA", "US",
            "USA",
        ],
        ages: [
            "TVY": 0, "TVY7": 7, "TVY7FV": 7, "TVG": 0, "TVPG": guidance, "TV14": 14, "TVMA": 17, "G": 0,
            "PG": guidance, "PG13": 13,
            "R": 17, "NC17": 18, "X": 18,
        ])

    /// British Board of Film Classification (bbfc.co.uk): `PG` should not unsettle a child aged around eight or older.
    private static let unitedKingdom = AgeRatingSystem(
        names: ["BBFC", "GB", "UK"], ages: ["U": 0, "UC": 0, "PG": 8, "12A": 12, "R18": 18])

    /// National Classification Code (classification.gov.au) and the code of practice of Free TV Australia: `M` is not
    /// recommended under 15.
    private static let australia = AgeRatingSystem(
        names: ["ACB", "OFLC", "ACMA", "FREETV", "AU", "AUSTRALIA"],
        ages: [
            "P": 0, "C": 0, "G": 0, "PG": guidance, "M": 15, "MA": 15, "MA15": 15, "MA15+": 15, "AV15+": 15, "R": 18,
            "R18+": 18,
            "X18+": 18,
        ])

    /// Te Mana Whakaatu, the Classification Office (classificationoffice.govt.nz), and the Broadcasting Standards Authority:
    /// `M` is more suitable for 16 and over, `AO` for adults.
    private static let newZealand = AgeRatingSystem(
        names: ["NEWZEALAND", "NZ", "BSA"], ages: ["G": 0, "PG": guidance, "PGR": guidance, "M": 16, "AO": 18])

    /// The classification of the Canadian Broadcast Standards Council (`C`, `C8+`, `G`, `PG`, `14+`, `18+`) and of film
    /// boards (`14A`).
    private static let canada = AgeRatingSystem(
        names: ["CA", "CANADA", "CANADIANPARENTALRATING", "CHVRS", "CBSC"],
        ages: ["C": 0, "C8": 8, "C8+": 8, "G": 0, "PG": guidance, "R": 18, "A": 18])

    /// NICAM's Kijkwijzer (kijkwijzer.nl): `AL` is for all ages.
    private static let netherlands = AgeRatingSystem(names: ["KIJKWIJZER", "NICAM", "NL"], ages: ["AL": 0])

    /// Arcom, once CSA (arcom.fr): numbers from `-10` to `-18`, and `TP` or `U` for everyone.
    private static let france = AgeRatingSystem(
        names: ["CSA", "ARCOM", "CNC", "FR"], ages: ["TP": 0, "TOUSPUBLICS": 0, "TOUTPUBLIC": 0, "U": 0])

    /// Instituto de la Cinematografía y de las Artes Audiovisuales and the code of Spanish broadcasters: `A` and `TP` are
    /// for everyone, `ERI` and `INF` especially for children.
    private static let spain = AgeRatingSystem(
        names: ["ICAA", "ES", "SPAIN"], ages: ["A": 0, "TP": 0, "APTA": 0, "ERI": 0, "INF": 0, "X": 18])

    /// Korea Communications Standards Commission and Media Rating Board: numbers of years, `전체 관람가` for everyone, and
    /// `청소년 관람불가`, not for the young.
    private static let korea = AgeRatingSystem(
        names: ["KMRB", "KCSC", "KR"], ages: ["전체관람가": 0, "모든연령시청가": 0, "ALL": 0, "청소년관람불가": 18])
}
