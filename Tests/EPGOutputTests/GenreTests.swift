import EPGModel
import EPGOutput
import TestSupport
import Testing

/// Expected codes and names come from ETSI EN 300 468, table 28, and from Tvheadend's `src/epg.c`.
struct GenreTests {
    @Test(arguments: [
        (0x10, "Movie / Drama"), (0x14, "Comedy"), (0x20, "News / Current affairs"), (0x30, "Show / Game show"),
        (0x43, "Football / Soccer"), (0x55, "Cartoons / Puppets"), (0x60, "Music / Ballet / Dance"),
        (0x70, "Arts / Culture (without music)"), (0x80, "Social / Political issues / Economics"),
        (0x90, "Education / Science / Factual topics"), (0xA0, "Leisure hobbies"), (0xA7, "Gardening"),
    ]) func codeHasTheNameOfTvheadend(code: UInt8, name: String) {
        expectEqual(Genre(code: code)?.name, name)
        expectEqual(Genre(named: name)?.code, code)
    }

    @Test(arguments: [0x00, 0x0F, 0x19, 0x25, 0x34, 0x4C, 0x56, 0x67, 0x7C, 0x84, 0x98, 0xA8, 0xB0, 0xFF])
    func undefinedCodeIsNoGenre(code: UInt8) {
        expectEqual(Genre(code: code), nil)
    }

    @Test func codeAndNameInAnyCaseNameAGenre() {
        expectEqual(Genre(named: "0x2A"), nil)
        expectEqual(Genre(named: "0x23")?.code, 0x23)
        expectEqual(Genre(named: "football/soccer")?.code, 0x43)
        expectEqual(Genre(named: "Children’s youth programs")?.code, 0x50)
        expectEqual(Genre(named: "Documentry"), nil)
    }

    @Test func everyNameOfAGenreStandsForIt() {
        for genre in Genre.all {
            expectEqual(GenreTable.standard.meaning(of: genre.name), .genre(genre), "\(genre.name)")
        }
        expectEqual(Genre.all.count, 9 + 5 + 4 + 12 + 6 + 7 + 12 + 4 + 8 + 8)
    }

    /// A line for each language: film genre words, news, football, children, cooking.
    @Test(arguments: [
        ("Documentary", 0x23), ("Sci-Fi", 0x13), ("Dokumentation", 0x23), ("Krimiserie", 0x11), ("Fußball", 0x43),
        ("FUSSBALL-BUNDESLIGA", 0x43), ("Nachrichten", 0x20), ("Zeichentrickserie", 0x55), ("Téléréalité", 0x30),
        ("Météo", 0x21), ("Dessin animé", 0x55), ("Documentales", 0x23), ("Noticias", 0x20), ("Fútbol", 0x43),
        ("Desenho animado", 0x55), ("Futebol", 0x43), ("Telegiornale", 0x20), ("Cartoni animati", 0x55),
        ("Calcio", 0x43),
        ("Voetbal", 0x43), ("Misdaadserie", 0x11), ("Nyheter", 0x20), ("Dokumentär", 0x23), ("Fotball", 0x43),
        ("Børneprogram", 0x50), ("Jääkiekko", 0x45), ("Uutiset", 0x20), ("Wiadomości", 0x20), ("Piłka nożna", 0x43),
        ("Zprávy", 0x20), ("Pohádka", 0x50), ("Híradó", 0x20), ("Vígjáték", 0x14), ("Știri", 0x20), ("Comedie", 0x14),
        ("Ειδήσεις", 0x20), ("Κωμωδία", 0x14), ("Haber", 0x20), ("Çizgi film", 0x55), ("İlahi", 0x73),
        ("Новости", 0x20), ("Мультфильмы", 0x55), ("Документальный фильм", 0x23), ("Новини", 0x20), ("Футбол", 0x43),
        ("חדשות", 0x20), ("כדורגל", 0x43), ("أخبار", 0x20), ("كرة القدم", 0x43), ("الأخبار", 0x20),
        ("رسوم متحركة", 0x55),
        ("新闻", 0x20), ("動畫片", 0x55), ("足球比赛", 0x43), ("ニュース", 0x20), ("アニメ", 0x55), ("뉴스", 0x20),
        ("한국영화", 0x10), ("ข่าว", 0x20), ("ละคร", 0x10), ("Thời sự", 0x20), ("Bóng đá", 0x43), ("Berita", 0x20),
        ("Sepak Bola", 0x43), ("Ｎｅｗｓ", 0x20),
    ]) func categoryOfALanguageHasItsGenre(category: String, code: UInt8) {
        expectEqual(GenreTable.standard.meaning(of: category).genre?.code, code)
    }

    @Test func decomposedTextEqualsComposedText() {
        expectEqual(GenreTable.standard.meaning(of: "Fu\u{308}r Kinder"), GenreTable.standard.meaning(of: "Für Kinder"))
        expectEqual(GenreTable.standard.meaning(of: "Me\u{301}te\u{301}o").genre?.code, 0x21)
    }

    @Test func mostSpecificPartOfACategoryWins() {
        let table = GenreTable.standard
        expectEqual(table.meaning(of: "Sports, Tennis").genre?.code, 0x44)
        expectEqual(table.meaning(of: "Film / Komödie").genre?.code, 0x14)
        expectEqual(table.meaning(of: "Comedy/Horror").genre?.code, 0x14)
    }

    @Test func mostSpecificCategoryOfAProgrammeWins() {
        let table = GenreTable.standard
        expectEqual(table.genre(of: ["Series", "Episode", "Crime drama"])?.code, 0x11)
        expectEqual(table.genre(of: ["Series", "News"])?.code, 0x20)
        expectEqual(table.genre(of: ["Series"])?.code, 0x10)
        expectEqual(table.genre(of: ["Episode", "Unknown"]), nil)
        expectEqual(table.genre(of: []), nil)
    }

    @Test func wordWithoutGenreDiffersFromUnknownText() {
        expectEqual(GenreTable.standard.meaning(of: "Episode"), .noGenre)
        expectEqual(GenreTable.standard.meaning(of: "Qwrtz Plmk"), .unknown)
        expectEqual(GenreTable.standard.meaning(of: String(repeating: "news ", count: 50)), .unknown)
    }

    @Test func shortWordsMatchOnlyAsAWholePart() {
        // `ev` is a house in Turkish, `os` an article in Portuguese and the Olympic Games in Swedish.
        expectEqual(GenreTable.standard.meaning(of: "OS").genre?.code, 0x41)
        expectEqual(GenreTable.standard.meaning(of: "Qwrtz os Plmk"), .unknown)
    }

    @Test func wordsOfSettingsTakePrecedence() throws {
        let gardening = try #require(Genre(code: 0xA7))
        let table = GenreTable(adding: [
            GenreWord("Feature", Genre(code: 0x10)), GenreWord("News", nil), GenreWord("Beetle-", gardening),
        ])
        expectEqual(table.meaning(of: "feature").genre?.code, 0x10)
        expectEqual(table.meaning(of: "NEWS"), .noGenre)
        expectEqual(table.meaning(of: "Beetlewatch").genre, gardening)
        expectEqual(GenreTable.standard.meaning(of: "Beetlewatch"), .unknown)
    }

    // MARK: - Genres of programmes

    @Test(
        arguments: [
            (["Spielfilm", "Komödie"], 0x14, .film), (["Film", "Drama"], 0x10, .film),
            (["TV Series", "Crime"], 0x11, .series),
            (["Сериал", "Детектив"], 0x11, .series), (["художественный фильм"], 0x10, .film), (["电视剧"], 0x10, .series),
            (["Kinderfilm"], 0x50, .unknown), (["Film", "Documentary"], 0x23, .film),
            (["Drama", "Action"], 0x12, .unknown),
            (["Sports"], 0x40, .unknown), (["Episode"], 0, .unknown), ([], 0, .unknown),
        ] as [([String], Int, ProgrammeGenre.Form)])
    func categoriesNameFilmsAndSeries(categories: [String], code: Int, form: ProgrammeGenre.Form) {
        var finder = GenreFinder()
        finder.begin()
        for category in categories { finder.add(category) }
        expectEqual(finder.genre(isDated: false, hasEpisode: false), ProgrammeGenre(code: UInt8(code), form: form))
    }

    @Test func nextProgrammeBeginsWithoutCategories() {
        var finder = GenreFinder()
        finder.add("Film")
        finder.begin()
        expectEqual(finder.genre(isDated: false, hasEpisode: false), .none)
    }

    /// A TV movie with the number of an episode, such as in a crime series of 90 minutes, belongs to the series.
    @Test func episodeOfAFilmSeriesIsSeries() {
        var finder = GenreFinder()
        for category in ["TV movie", "Series"] { finder.add(category) }
        expectEqual(finder.genre(isDated: false, hasEpisode: true).form, .series)
        expectEqual(finder.genre(isDated: true, hasEpisode: false).form, .film)
    }
}
