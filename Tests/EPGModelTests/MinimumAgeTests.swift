import TestSupport
import Testing

@testable import EPGModel

/// Tests of minimum ages with the published definitions of rating systems.
@Suite struct MinimumAgeTests {
    @Test(
        arguments: [
            // TV Parental Guidelines and MPA, which feeds mix, with the content descriptors of either.
            ("VCHIP", "TV-Y", 0), ("VCHIP", "TV-Y7", 7), ("VCHIP", "TV-Y7-FV", 7), ("VCHIP", "TV-G", 0),
            ("VCHIP", "TV-PG", 8), ("VCHIP", "TV-14", 14), ("VCHIP", "TV-MA", 17), ("MPAA", "TV14 (D,L,V)", 14),
            ("TV Parental Guidelines", "TVMA", 17), ("MPAA", "G", 0), ("MPAA", "PG", 8), ("MPAA", "PG-13", 13),
            ("mpaa", "pg13", 13), ("MPAA", "R", 17), ("MPAA", "NC-17", 18), ("US", "PG-13", 13),
            // BBFC.
            ("BBFC", "U", 0), ("BBFC", "PG", 8), ("BBFC", "12", 12), ("BBFC", "12A", 12), ("BBFC", "15", 15),
            ("BBFC", "18", 18), ("GB", "R18", 18),
            // FSK, Kijkwijzer, Arcom.
            ("FSK", "0", 0), ("FSK", "6", 6), ("FSK", "FSK 16", 16), ("Kijkwijzer", "AL", 0), ("Kijkwijzer", "9", 9),
            ("CSA", "-10", 10), ("CSA", "TP", 0), ("CSA", "Tous publics", 0), ("CSA", "-18", 18),
            // Australia and New Zealand, where M means different ages.
            ("ACB", "M", 15), ("ACB", "MA 15+", 15), ("ACB", "MA15+", 15), ("ACB", "R18+", 18),
            ("New Zealand", "M", 16),
            ("New Zealand", "R16", 16), ("New Zealand", "RP13", 13), ("New Zealand", "18", 18), ("NZ", "AO", 18),
            // ICAA, Korea, Canada.
            ("ES", "TP", 0), ("ES", "INF", 0), ("ES", "7", 7), ("ES", "A", 0), ("ICAA", "X", 18),
            ("KMRB", "전체 관람가", 0), ("KMRB", "15세 이상 관람가", 15), ("KMRB", "청소년 관람불가", 18), ("CA", "14A", 14),
            ("CA", "C8+", 8), ("Canadian Parental Rating", "14+", 14), (nil, "CAN_ENG_PG", 8), (nil, "13 ans+", 13),
            // DVB: a hexadecimal code is the age minus 3, a decimal number is the age.
            ("dvb", "0x01", 4), ("dvb", "0x0F", 18), ("dvb", "12", 12),
            // Adults only, in no system.
            (nil, "XXX", 18), ("MPAA", "XXX", 18), (nil, "Adults only", 18), (nil, "adult", 18), (nil, "99", 18),
            // The content descriptors of the TV Parental Guidelines.
            (nil, "TV-MA LSV", 17), ("VCHIP", "TV-MA-L,S,V", 17), (nil, "TV-14-DLSV", 14), (nil, "TVPG D", 8),
            (nil, "TV-Y7-FV", 7), (nil, "TV-G", 0), (nil, "TV-S", nil),
            // Systems in the data of Schedules Direct.
            ("Australian Classification Board", "M", 15), ("British Board of Film Classification", "PG", 8),
            ("Ontario Film Review Board", "14A", 14), ("Maritime Film Classification Board", "A", 18),
            ("Departamento de Justiça, Classificação, Títulos e Qualificação", "L", 0),
            ("Departamento de Justiça, Classificação, Títulos e Qualificação", "A14", 14),
            ("Mediakasvatus- ja kuvaohjelmayksikkö", "K12", 12), ("Mediakasvatus- ja kuvaohjelmayksikkö", "S", 0),
            ("Film & Publication Board", "A", 0), ("Film & Publication Board", "10-12PG", 10),
            ("Freiwillige Selbstkontrolle der Filmwirtschaft", "12", 12),
            // Unknown ratings have no age.
            (nil, "", nil), (nil, "NR", nil), (nil, "NA", nil), (nil, "UNRATED", nil), (nil, "Not Rated", nil),
            (nil, "22", nil), (nil, "1990", nil), (nil, "12/15", nil), (nil, "Good", nil), (nil, "S2", nil),
            ("advisory", "Adult Situations", nil), ("advisory", "12", nil), ("dvb", "0x10", nil), ("dvb", "0x00", nil),
            (nil, "١٢", nil), (nil, "(12)", nil),
        ] as [(String?, String, Int?)])
    func ageMatchesRatingSystem(system: String?, value: String, age: Int?) {
        expectEqual(Programme.Rating(system: system, value: value).minimumAge, age)
    }

    @Test(
        arguments: [
            ("M", 16), ("R", 18), ("PG", 8), ("G", 0), ("TVY7", 7), ("12", 12), ("12+", 12), ("+12", 12), ("-12", 12),
            (" 16 ", 16), ("21", 21), ("MA 15+", 15),
        ])
    func labelWithoutSystemHasHighestAge(value: String, age: Int) {
        expectEqual(Programme.Rating(value: value).minimumAge, age)
        expectEqual(Programme.Rating(system: "unheard-of", value: value).minimumAge, age)
    }

    @Test func highestRatingDeterminesAge() {
        var programme = Programme()
        expectEqual(programme.minimumAge, nil)
        programme.ratings = [Programme.Rating(system: "advisory", value: "Language"), Programme.Rating(value: "NR")]
        expectEqual(programme.minimumAge, nil)
        programme.ratings += [
            Programme.Rating(system: "BBFC", value: "12"), Programme.Rating(system: "FSK", value: "6"),
        ]
        expectEqual(programme.minimumAge, 12)
    }
}
