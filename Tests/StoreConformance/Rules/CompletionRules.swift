import EPGImport
import EPGModel
import TestSupport
import Testing

extension StoreRule {
    /// The completion of listings by other sources (Rules.md, rule 22).
    static let completions = [
        StoreRule("Missing fields come from another source's listing of the same broadcast, in any order of imports") {
            guide in
            let (better, lesser) = (
                ["one 20:00-21:00 News", "one 21:00-22:00 Film / Own"],
                [
                    rich("20:02-21:00", "NEWS!", "<desc>Of the day</desc><category>News</category><date>2020</date>"),
                    rich("21:00-22:00", "Film", "<sub-title>Own</sub-title><icon src=\"http://a/b\"/>"),
                ]
            )
            let expected = [
                "20:00-21:00 News: Of the day [News] (2020) <other: desc date category>",
                "21:00-22:00 Film / Own @http://a/b <other: icon>",
            ]
            for order: [String] in [["best", "other"], ["other", "best"]] {
                let guide = try guide.another()
                for name in order {
                    try guide.importing(name == "best" ? better : lesser, as: name == "best" ? best : other)
                }
                try expectEqual(guide.texts(), expected)
                try expectEqual(guide.check().problems, [])
                try expectEqual(guide.airings().map(\.published), [nil, nil])
                let contents = try guide.contents()
                for _ in 0..<2 {
                    try expectEqual(guide.importing(better, as: best).changedGuide, false)
                    try expectEqual(guide.importing(lesser, as: other).changedGuide, false)
                }
                try expectEqual(guide.contents(), contents)
            }
        },
        StoreRule("A completed airing keeps its marks") { guide in
            try guide.importing(
                [
                    rich("20:00-21:00", "News", "<category>Film</category><previously-shown/>"),
                    rich("21:00-22:00", "Film", "<category>Film</category>"), rich("22:00-23:00", "Late", "<new/>"),
                ], as: best)
            let marks = try guide.airings().map(\.marks)
            expectEqual(marks, [.repeated, [], .new])
            let texts = "<desc>Text</desc>"
            try guide.importing(
                [
                    rich("20:00-21:00", "News", texts + "<new/>"),
                    rich("21:00-22:00", "Film", texts + "<previously-shown/>"),
                    rich("22:00-23:00", "Late", texts),
                ], as: other)
            try expectEqual(guide.airings().map(\.description), ["Text", "Text", "Text"])
            try expectEqual(guide.airings().map(\.marks), marks)
        },
        StoreRule("An import counts the airings that it completes, and logs the count") { guide in
            try guide.importing(["one 20:00-21:00 News"], as: best)
            let outcome = try guide.importing(["one 20:00-21:00 News / Late: Text"], as: other)
            var count = CompletionCount()
            count.add([.subtitle, .description])
            expectEqual(outcome.completed, ["other": count])
            expectEqual(outcome.changedGuide, true)
            try expectEqual(guide.imports(ofSource: "other", limit: 1).map(\.completed), [1])
            try expectEqual(guide.importing(["one 20:00-21:00 News / Late: Text"], as: other).completed, [:])
        },
        StoreRule("A listing of another broadcast completes nothing") { guide in
            let listings: [String] = [
                "one 20:20-21:30 News: Text", "one 20:00-20:30 News: Text", "one 20:00-21:00 Sport: Text",
                "one 20:00-21:00 News / Early: Text",
                rich("20:00-21:00", "News", "<desc>Text</desc><episode-num system=\"onscreen\">7</episode-num>"),
                rich("20:00-21:00", "News", "<desc>Text</desc><date>1999</date>"),
            ]
            for listing in listings {
                let guide = try guide.another()
                try guide.importing(
                    [
                        rich(
                            "20:00-21:00", "News",
                            "<sub-title>Late</sub-title><date>2020</date><episode-num system=\"onscreen\">8</episode-num>"
                        )
                    ], as: best)
                let before = try guide.texts()
                try guide.importing([listing], as: other)
                // A part of the other airing may be shown after it.
                try expectEqual(guide.texts().first, before.first)
            }
        },
        StoreRule("A completed airing follows the other source's listing") { guide in
            try guide.importing(["one 20:00-21:00 News", "one 21:00-22:00 Film"], as: best)
            try guide.importing(["one 20:00-21:00 News: First", "one 21:00-22:00 Film: Plot"], as: other)
            try guide.importing(["one 20:00-21:00 News: Second", "one 21:00-22:00 Film: Plot"], as: other)
            try expectEqual(
                guide.texts(),
                ["20:00-21:00 News: Second <other: desc>", "21:00-22:00 Film: Plot <other: desc>"])
            try guide.importing(["one 20:00-21:00 Other: Text", "one 21:00-22:00 Film: Plot"], as: other)
            try expectEqual(guide.texts(), ["20:00-21:00 News", "21:00-22:00 Film: Plot <other: desc>"])
            // The own listing gets a description, then another title, then moves.
            try guide.importing(["one 20:00-21:00 News", "one 21:00-22:00 Film: Own"], as: best)
            try expectEqual(guide.texts(), ["20:00-21:00 News", "21:00-22:00 Film: Own"])
            try guide.importing(["one 20:00-21:00 Other", "one 21:00-22:00 Film: Own"], as: best)
            try expectEqual(guide.texts(), ["20:00-21:00 Other: Text <other: desc>", "21:00-22:00 Film: Own"])
            try guide.importing(["one 20:05-21:00 Other", "one 21:00-22:00 Film: Own"], as: best)
            try expectEqual(
                guide.texts().suffix(2), ["20:05-21:00 Other: Text <other: desc>", "21:00-22:00 Film: Own"])
            let check = try guide.check()
            expectEqual(check.problems, [])
        },
        StoreRule("An airing that has ended stays completed, and is not completed later") { guide in
            try guide.importing(["one 18:00-19:00 News", "one 19:00-20:00 Film"], as: best)
            try guide.importing(["one 18:00-19:00 News: Text"], as: other)
            try guide.importing(
                ["one 18:00-19:00 Other: Text", "one 19:00-20:00 Film: Plot"], as: other, now: Day.instant("19:00"))
            let expected = ["18:00-19:00 News: Text <other: desc>", "19:00-20:00 Film: Plot <other: desc>"]
            try expectEqual(guide.texts(), expected)
            try guide.importing(
                ["one 18:00-19:00 News", "one 19:00-20:00 Film", "one 20:00-21:00 Late"], as: best,
                now: Day.instant("20:00"))
            try expectEqual(guide.texts(), expected + ["20:00-21:00 Late"])
            try expectEqual(guide.prune(before: Day.instant("19:00"), now: Day.instant("20:00")), 2)
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("Sources that rank higher provide first, and only shown airings are completed") { guide in
            try guide.importing(["one 20:00-21:00 News"], as: best)
            try guide.importing(
                ["one 20:00-21:00 News / Third: Text", "one 21:00-22:00 Film: Plot"],
                as: Source(name: "third", priority: -2))
            try guide.importing(["one 20:00-21:00 News: Better", "one 21:00-22:00 Film"], as: other)
            try expectEqual(
                guide.texts(),
                [
                    "20:00-21:00 News / Third: Better <other: desc> <third: sub-title>",
                    "21:00-22:00 Film: Plot <third: desc>",
                ])
            try guide.save(Source(name: "third", priority: 2))
            try expectEqual(guide.texts(), ["20:00-21:00 News / Third: Text", "21:00-22:00 Film: Plot"])
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("A switch and the removal of a source take effect at once") { guide in
            try guide.importing(["one 20:00-21:00 News"], as: best)
            try guide.importing(["one 20:00-21:00 News: Text"], as: other)
            let completed = ["20:00-21:00 News: Text <other: desc>"]
            for name: String in ["best", "other"] {
                let source = name == "best" ? best : other
                var silent = source
                silent.completes = false
                let generation = try guide.generation()
                try guide.save(silent)
                try expectEqual(guide.sourceRecords().first { $0.source.name == name }?.source.completes, false)
                try expectEqual(guide.texts(), ["20:00-21:00 News"])
                #expect(try guide.generation() > generation)
                try expectEqual(guide.importing(["one 20:00-21:00 News"], as: best).changedGuide, false)
                try guide.save(source)
                try expectEqual(guide.texts(), completed)
            }
            try expectEqual(guide.check().problems, [])
            try expectEqual(guide.removeSource(named: "other"), true)
            try expectEqual(guide.texts(), ["20:00-21:00 News"])
            try expectEqual(guide.check().programmes, 1)
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("Searches find completed texts, and other showings despite a completion") { guide in
            try guide.importing(["one 20:00-21:00 Film", "two 20:00-21:00 Film", "two 22:00-23:00 Film"], as: best)
            try guide.refreshSearchIndex()
            try guide.importing(["two 20:00-21:00 Film: With Zorro"], as: other)
            try guide.refreshSearchIndex()
            try expectEqual(guide.isSearchIndexCurrent(), true)
            let found = try guide.search(SearchQuery(words: "zorro", now: Day.now, order: .start)).matches
            expectEqual(found.map { Day.line($0.airing) }, ["20:00-21:00 Film"])
            for airing in try guide.airings(of: "two") + guide.airings(of: "one") {
                try expectEqual(guide.showings(of: airing.id, after: Day.now, limit: 10).count, 2)
            }
        },
        StoreRule("An exported completion is imported as content") { guide in
            try guide.importing(["one 20:00-21:00 News"], as: best)
            try guide.importing(["one 20:00-21:00 News: Text"], as: other)
            let text = try guide.exportedText()
            try guide.importing(text: text, as: Source(name: "copy", priority: -1))
            try guide.importing(["one 20:00-21:00 News"], as: best)
            try expectEqual(guide.texts(), ["20:00-21:00 News: Text <other: desc>"])
            let copy = try guide.another()
            try copy.importing(text: text)
            try expectEqual(copy.texts(), ["20:00-21:00 News: Text <other: desc>"])
            try expectEqual(copy.exportedText(), text)
        },
        StoreRule("The result does not depend on the order and the number of imports") { guide in
            for seed in 1...UInt64(TestScope.cases(25)) {
                var generator = SeededGenerator(seed: seed)
                let guide = try guide.another()
                let sources = (0..<3).map { Source(name: "s\($0)", priority: [2, 0, 5][$0]) }
                var feeds = sources.map { _ in randomFeed(using: &generator) }
                for place in sources.indices.shuffled(using: &generator) {
                    try guide.importing(feeds[place], as: sources[place])
                }
                for _ in 0..<4 {
                    let place = Int.random(in: 0..<3, using: &generator)
                    feeds[place] = changed(feeds[place], using: &generator)
                    try guide.importing(feeds[place], as: sources[place])
                }
                let fresh = try guide.another()
                for place in sources.indices { try fresh.importing(feeds[place], as: sources[place]) }
                try expectEqual(guide.texts(), fresh.texts())
                try expectEqual(guide.check().problems, [])
                for place in sources.indices {
                    try expectEqual(guide.importing(feeds[place], as: sources[place]).changedGuide, false)
                }
            }
        },
    ]
}

private let best = Source(name: "best", priority: 1)
private let other = Source(name: "other")

/// Returns an element of a programme on the station `one`.
private func rich(_ window: String, _ title: String, _ elements: String) -> String {
    let times = window.split(separator: "-").map { Day.stamp(String($0)) }
    return
        "<programme start=\"\(times[0])\" stop=\"\(times[1])\" channel=\"one\"><title>\(title)</title>\(elements)</programme>"
}

/// Returns listings from 19:00 to 24:00 with few titles and random details.
private func randomFeed(using generator: inout SeededGenerator) -> [String] {
    var listings: [String] = []
    var minute = 0
    while minute < 300 {
        let end = min(300, minute + ([30, 60].randomElement(using: &generator) ?? 30))
        listings.append(randomListing(minute, end, using: &generator))
        minute = end
    }
    return listings
}

private func randomListing(_ start: Int, _ end: Int, using generator: inout SeededGenerator) -> String {
    func clock(_ minute: Int) -> String { "\(19 + minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)" }
    var elements = ""
    if Bool.random(using: &generator) {
        elements += "<sub-title>\(["Alpha", "Omega"].randomElement(using: &generator) ?? "")</sub-title>"
    }
    if Bool.random(using: &generator) { elements += "<desc>Text \(Int.random(in: 0..<9, using: &generator))</desc>" }
    if Bool.random(using: &generator) { elements += "<category>Series</category>" }
    if Bool.random(using: &generator) {
        elements += "<episode-num system=\"xmltv_ns\">0.\(Int.random(in: 0..<2, using: &generator)).</episode-num>"
    }
    let title = ["News", "Film", "New: Film"].randomElement(using: &generator) ?? ""
    return rich("\(clock(start))-\(clock(end))", title, elements)
}

/// Returns a feed with another listing in one place.
private func changed(_ feed: [String], using generator: inout SeededGenerator) -> [String] {
    if Int.random(in: 0..<4, using: &generator) == 0 { return randomFeed(using: &generator) }
    var feed = feed
    let place = Int.random(in: 0..<feed.count, using: &generator)
    let donor = randomFeed(using: &generator)
    // The same times with other contents.
    let head = feed[place].prefix { $0 != ">" }
    feed[place] = String(head) + donor[0].drop { $0 != ">" }
    return feed
}

extension GuideUnderTest {
    /// Returns the airings of the station `one` with their texts, details, and the origins of their fields.
    fileprivate func texts() throws -> [String] {
        try airings().compactMap { try airing($0.id) }.map { detail in
            let programme = detail.programme
            var text = Day.line(detail.airing)
            if let subtitle = programme.subtitles.first { text += " / \(subtitle.text)" }
            if let description = programme.descriptions.first { text += ": \(description.text)" }
            for category in programme.categories { text += " [\(category.text)]" }
            if let date = programme.date { text += " (\(date))" }
            for number in programme.episodeNumbers { text += " #\(number.value)" }
            for icon in programme.icons { text += " @\(icon.source)" }
            for origin in programme.fieldOrigins {
                text += " <\(origin.source): \(origin.fields.map(\.rawValue).joined(separator: " "))>"
            }
            return text
        }
    }

    /// Returns the shown airings as XMLTV.
    fileprivate func exportedText() throws -> String {
        var bytes: [UInt8] = []
        var exporter = XMLTVExporter { bytes += $0 }
        try export(ExportSelection(), to: &exporter)
        return String(decoding: bytes, as: UTF8.self)
    }
}
