/// A genre of digital television: the content nibbles of ETSI EN 300 468, table 28.
package struct Genre: Hashable, Sendable {
    /// The first nibble in the upper four bits, such as 1 (movie and drama), and the second in the lower ones.
    package let code: UInt8

    /// Creates a genre; `nil` for a code that the standard does not define.
    package init?(code: UInt8) {
        guard code >= 0x10, Genre.names.indices.contains(Int(code >> 4) - 1),
            Genre.names[Int(code >> 4) - 1].indices.contains(Int(code & 15))
        else { return nil }
        self.code = code
    }

    /// Finds a genre by its name in ``all``, or by its code as `0x14`. Ignores case, white space and punctuation of names.
    package init?(named text: String) {
        if text.hasPrefix("0x"), let code = UInt8(text.dropFirst(2), radix: 16) {
            self.init(code: code)
            return
        }
        let words = FoldedWords(text).words
        guard let genre = Genre.all.first(where: { FoldedWords($0.name).words == words }) else { return nil }
        self = genre
    }

    /// Whether the second nibble names a part of the first one's genre.
    package var isSpecific: Bool { code & 15 != 0 }

    /// The English name, byte for byte as Tvheadend compares it (`_epg_genre_names` in its `src/epg.c`).
    package var name: String { Genre.names[Int(code >> 4) - 1][Int(code & 15)] }

    /// All genres in the order of their codes.
    package static let all: [Genre] = (0x10...0xAF).compactMap { Genre(code: $0) }

    private static let names: [[String]] = [
        [
            "Movie / Drama", "Detective / Thriller", "Adventure / Western / War", "Science fiction / Fantasy / Horror",
            "Comedy", "Soap / Melodrama / Folkloric", "Romance",
            "Serious / Classical / Religious / Historical movie / Drama", "Adult movie / Drama",
        ],
        [
            "News / Current affairs", "News / Weather report", "News magazine", "Documentary",
            "Discussion / Interview / Debate",
        ],
        ["Show / Game show", "Game show / Quiz / Contest", "Variety show", "Talk show"],
        [
            "Sports", "Special events (Olympic Games, World Cup, etc.)", "Sports magazines", "Football / Soccer",
            "Tennis / Squash", "Team sports (excluding football)", "Athletics", "Motor sport", "Water sport",
            "Winter sports", "Equestrian", "Martial sports",
        ],
        [
            "Children's / Youth programs", "Pre-school children's programs", "Entertainment programs for 6 to 14",
            "Entertainment programs for 10 to 16", "Informational / Educational / School programs",
            "Cartoons / Puppets",
        ],
        [
            "Music / Ballet / Dance", "Rock / Pop", "Serious music / Classical music", "Folk / Traditional music",
            "Jazz", "Musical / Opera", "Ballet",
        ],
        [
            "Arts / Culture (without music)", "Performing arts", "Fine arts", "Religion",
            "Popular culture / Traditional arts", "Literature", "Film / Cinema", "Experimental film / Video",
            "Broadcasting / Press", "New media", "Arts magazines / Culture magazines", "Fashion",
        ],
        [
            "Social / Political issues / Economics", "Magazines / Reports / Documentary", "Economics / Social advisory",
            "Remarkable people",
        ],
        [
            "Education / Science / Factual topics", "Nature / Animals / Environment", "Technology / Natural sciences",
            "Medicine / Physiology / Psychology", "Foreign countries / Expeditions", "Social / Spiritual sciences",
            "Further education", "Languages",
        ],
        [
            "Leisure hobbies", "Tourism / Travel", "Handicraft", "Motoring", "Fitness and health", "Cooking",
            "Advertisement / Shopping", "Gardening",
        ],
    ]
}
