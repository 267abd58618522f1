import Testing
import XMLTV

/// A guide that turns out to be in another encoding than UTF-8: the record in which that is met is read again.
@Suite struct ReconsideredEncodingTests {
    private static let titles = [
        "Вечерние новости", "Сегодня в мире", "Прогноз погоды на завтра", "Документальный фильм о море",
        "Художественный фильм", "Спокойной ночи, малыши", "Хоккей: чемпионат страны", "Музыка для всех",
    ]

    /// Windows-1251 by CP1251.TXT: А to я are C0 to FF.
    private static func windows1251(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { $0.value < 0x80 ? UInt8($0.value) : UInt8($0.value - 0x410 + 0xC0) }
    }

    /// `head` is in ASCII and longer than what is read at first, or short.
    @Test(arguments: [0, 1, 5000], [1, 7, 1000, 1 << 20])
    func undeclaredGuideIsReadInItsEncoding(_ channels: Int, chunk: Int) {
        let head =
            "<tv>\n"
            + String(
                repeating: "<channel id='c'><display-name>One &amp; two</display-name></channel>\n", count: channels)
        let records = Self.titles.map {
            "<programme start='1'>\n<title>x</title> <desc>\($0) &amp; &</desc></programme>\n"
        }
        let document = Array(head.utf8) + records.flatMap(Self.windows1251) + Array("</tv>\n".utf8)
        let reading = RepairReading(document, chunk: chunk)
        #expect(reading.fault == nil)
        #expect(reading.records.compactMap { $0.element.child("desc")?.text } == Self.titles.map { "\($0) & &" })
        #expect(reading.lines.suffix(8) == (0..<8).map { channels + 2 + $0 * 2 })
        #expect(reading.repairs.map(\.kind) == Self.titles.map { _ in .bareAmpersand })
        #expect(reading.notes.map(\.kind) == [.guessed])
        #expect(reading.notes.first?.used.lowercased() == "windows-1251")
    }
}
