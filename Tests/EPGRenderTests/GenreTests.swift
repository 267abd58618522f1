import EPGModel
import EPGRender
import TestSupport
import Testing

/// The genres in which airings are drawn. ETSI EN 300 468, table 28, defines the codes.
@Suite struct DrawnGenreTests {
    @Test(
        arguments: [
            (0x12, .film, 20, .film), (0x55, .film, 90, .film), (0, .film, 90, .film),
            (0x12, .series, 120, .series), (0x12, .unknown, 79, .series), (0x12, .unknown, 80, .film),
            (0x12, .dated, 59, .series), (0x12, .dated, 60, .film), (0x15, .dated, 120, .series),
            (0, .dated, 74, nil), (0, .dated, 75, .film), (0, .dated, 241, nil), (0, .unknown, 90, nil),
            (0, .series, 90, nil),
            (0x23, .dated, 90, .documentary), (0x22, .unknown, 30, .news), (0x32, .unknown, 60, .entertainment),
            (0x43, .unknown, 120, .sport), (0x50, .series, 25, .children), (0x64, .unknown, 60, .music),
            (0x73, .unknown, 60, nil), (0x72, .unknown, 60, .documentary), (0x91, .unknown, 60, .documentary),
            (0xA5, .unknown, 30, .entertainment), (0xA6, .unknown, 30, nil),
        ] as [(Int, ProgrammeGenre.Form, Int64, Genre?)])
    func genreFollowsFromCodeFormAndLength(code: Int, form: ProgrammeGenre.Form, minutes: Int64, expected: Genre?) {
        expectEqual(Genre(ProgrammeGenre(code: UInt8(code), form: form), duration: minutes * 60), expected)
    }
}
