package import EPGModel

/// A coarse genre, used to color and filter programmes.
package enum Genre: String, Hashable, Sendable, CaseIterable {
    case news, sport, children, documentary, music, film, series, entertainment

    /// Creates the genre of an airing; `nil` if its categories name none.
    ///
    /// A category decides whether fiction is a film or a series, then the number of an episode. Otherwise it is a film if it is as long
    /// as one: at least 60 minutes with a year of production, else 80. A programme of unknown genre with a year is a film from 75 to
    /// 240 minutes.
    package init?(_ genre: ProgrammeGenre, duration seconds: Int64) {
        let minutes = seconds / 60
        switch (genre.form, genre.code >> 4) {
        case (.film, _): self = .film
        case (.dated, 0) where (75...240).contains(minutes): self = .film
        case (.unknown, 1) where minutes >= 80 && genre.code != 0x15: self = .film
        case (.dated, 1) where minutes >= 60 && genre.code != 0x15: self = .film
        case (_, 1): self = .series
        case (_, 2): self = genre.code == 0x23 ? .documentary : .news
        case (_, 3): self = .entertainment
        case (_, 4): self = .sport
        case (_, 5): self = .children
        case (_, 6): self = .music
        // Neither services of worship nor shopping are any of them.
        case (_, 7) where genre.code != 0x73, (_, 8), (_, 9): self = .documentary
        case (_, 10) where genre.code != 0xA6: self = .entertainment
        default: return nil
        }
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

    /// A dark background of the 256-color palette on which ``CellDrawing/foreground`` is readable.
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
}

extension Airing {
    /// The genre in which the airing is drawn; `nil` for none.
    package var drawnGenre: Genre? { Genre(genre, duration: window.seconds) }
}
