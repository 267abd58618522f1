import EPGModel
import TestSupport
import Testing

/// Rules.md, rule 22. A listing is `start-stop Title / Subtitle | key value …`, in minutes.
struct ListedBroadcastTests {
    private static func listing(_ text: String) -> ListedBroadcast {
        let parts = text.split(separator: "|").map(\.trimmed)
        let words = parts[0].split(separator: " ", maxSplits: 1).map { String($0) }
        let times = words[0].split(separator: "-").map { Instant(secondsSince1970: (Int64($0) ?? 0) * 60) }
        let titles = words[1].split(separator: "/").map(\.trimmed)
        var listing = ListedBroadcast(
            window: TimeWindow(start: times[0], end: times[1]), title: titles[0],
            subtitle: titles.count > 1 ? titles[1] : nil)
        for part in parts.dropFirst() {
            let pair = part.split(separator: " ", maxSplits: 1).map { String($0) }
            switch pair[0] {
            case "date": listing.date = pair[1]
            case "director": listing.directors.append(pair[1])
            default: listing.episodes.append(EpisodeNumber(value: pair[1], system: pair[0]))
            }
        }
        return listing
    }

    @Test(
        arguments: [
            ("600-660 News", "600-660 News", true),
            // Windows.
            ("600-660 News", "610-660 News", true), ("600-660 News", "620-660 News", false),
            ("600-660 News", "600-630 News", false),
            ("600-620 News", "610-630 News", false), ("0-400 Block", "0-400 Block", false),
            // Titles.
            ("600-660 Tom & Jerry", "600-660 TOM AND JERRY", true),
            ("600-660 New: Who's Next?", "600-660 Whos next (HD)", true),
            ("600-660 Film (1999)", "600-660 Film", true), ("600-660 Show S03E05", "600-660 Show", true),
            ("600-660 Show S03E05", "600-660 Show (3/6)", false),
            ("600-660 Heute Folge 12", "600-660 Heute Folge 13", false),
            ("600-660 Show: The End", "605-660 Show / The End", true),
            ("600-660 Show: The End", "600-660 Show / Begin", false),
            ("600-660 Evening News", "600-660 News", true), ("600-660 Evening News", "610-660 News", false),
            ("600-660 Rocky II", "600-660 Rocky III", false), ("600-660 Film 2", "600-660 Film", false),
            ("600-660 Pokémon", "600-660 Pokemon", true), ("600-660 晚间新闻联播", "600-660 晚间新闻", true),
            ("600-660 News", "600-660 Sport", false),
            // Episodes.
            ("600-660 A | xmltv_ns 0.4.", "600-660 A | SxxExx S01E05", true),
            ("600-660 A | xmltv_ns 0.4.", "600-660 A | xmltv_ns .5.", false),
            ("600-660 A | xmltv_ns 0.4.", "600-660 A | xmltv_ns .4.", true),
            ("600-660 A | onscreen S3 E5", "600-660 A | onscreen 3/5", true),
            ("600-660 A | onscreen S3 E5", "600-660 A | onscreen Ep. 6", false),
            // Subtitles.
            ("600-660 A / The Big One", "600-660 A / Big one", true),
            ("600-660 A / The Big One", "600-660 A / Small Talk", false),
            ("600-660 A / Teil 1", "600-660 A / Teil 2", false), ("600-660 A / A", "600-660 A / Small Talk", true),
            ("600-660 A / Die Große | SxxExx S01E05", "600-660 A / Big | SxxExx S01E05", true),
            // Dates and directors.
            ("600-660 A | date 1999", "600-660 A | date 20000101", true),
            ("600-660 A | date 1999", "600-660 A | date 2019", false),
            ("600-660 A | director Jane Doe", "600-660 A | director J. Doe | director X Y", true),
            ("600-660 A | director Jane Doe", "600-660 A | director Max Roe", false),
        ] as [(String, String, Bool)])
    func listingsAreTheSameBroadcast(_ left: String, _ right: String, _ isSame: Bool) {
        let (one, two) = (Self.listing(left), Self.listing(right))
        expectEqual([one.isSame(as: two), two.isSame(as: one)], [isSame, isSame])
    }

    @Test(
        arguments: [
            (nil, "Text", true), ("", "Text", true), ("Title", "A longer text", true), ("Sub", "A longer text", true),
            ("A short text that ends", "A longer text", false), ("An own text", "Text", false),
            ("The inspector looks for…", "The inspector looks for the thief in the harbor.", true),
            ("The inspector", "The inspector looks for the thief in the harbor.", false),
        ] as [(String?, String, Bool)])
    func descriptionIsPoorer(_ own: String?, _ other: String, _ isPoorer: Bool) {
        expectEqual(CompletedTexts(title: "Title", subtitle: "Sub", description: own).isPoorer(than: other), isPoorer)
    }
}
