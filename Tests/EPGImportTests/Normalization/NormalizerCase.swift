import EPGImport
import EPGModel
import Testing
import TestSupport

/// A row of a table of rules: the input, the schedule, and the report.
struct NormalizerCase: Sendable, CustomTestStringConvertible {
    var rule: String
    var listings: [String]
    var airings: [String]
    var repairs: [String]

    init(_ rule: String, _ listings: [String], gives airings: [String], repairs: [String] = []) {
        self.rule = rule
        self.listings = listings
        self.airings = airings
        self.repairs = repairs
    }

    var testDescription: String { rule }

    var result: NormalizedListings {
        Normalizer().normalize(NormalizerNotation.listings(listings), stationNames: [UInt32(UInt8(ascii: "S"))])
    }
}

/// A short notation for listings and schedules, so that a table of rules can be read and verified by hand.
///
/// `A 20:00-21:05 +30 0/2` is the programme `A`, published with these times (`?` for a missing stop), with a richness
/// of 30 characters (default 10), the first part of a clump of two. `#3` is episode 3, `~7` a subtitle with the hash 7.
/// `*` is a release. Programmes that start with the same letter have the same title; `_` has none, and `S` the title of the
/// station. Hours above 24 are on the days after the first one, 2026-03-29 (UTC).
enum NormalizerNotation {
    /// 2026-03-29T00:00:00Z, by `date -u -d 2026-03-29 +%s`.
    static let midnight: Int64 = 1_774_742_400

    static func listing(_ text: String, line: Int = 1) -> Listing {
        let fields = text.split(separator: " ")
        let times = fields[1].split(separator: "-")
        let extras = fields.dropFirst(2)
        let richness = extras.first { $0.first == "+" }.flatMap { UInt16($0.dropFirst()) } ?? 10
        let clump = extras.first { $0.contains("/") }.flatMap { text -> Clump? in
            let numbers = text.split(separator: "/").compactMap { Int($0) }
            return Clump(index: numbers[0], count: numbers[1])
        }
        let episode = extras.first { $0.first == "#" }.flatMap { Int($0.dropFirst()) }
        let subtitle = extras.first { $0.first == "~" }.flatMap { UInt64($0.dropFirst()) }
        let number = fields[0].utf8.reduce(Int64(0)) { $0 * 256 + Int64($1) }
        var listing = Listing(
            start: instant(times[0]), stop: times[1] == "?" ? nil : instant(times[1]), programme: number,
            contentKey: UInt64(number), titleKey: fields[0] == "_" ? 0 : UInt32(fields[0].utf8.first ?? 0),
            episodeKey: EpisodeKey(season: nil, episode: episode, part: nil, subtitle: subtitle), line: UInt32(line),
            richness: richness, clump: clump)
        listing.isRelease = extras.contains("*")
        return listing
    }

    static func listings(_ texts: [String]) -> [Listing] {
        texts.enumerated().map { listing($1, line: $0 + 1) }
    }

    /// `A 20:00-21:00`, followed by `?` if the stop was inferred, and the position in a clump.
    static func text(_ airing: ScheduledListing) -> String {
        name(airing.programme) + " " + text(airing.window) + (airing.isStopInferred ? " ?" : "")
            + (airing.clump.map { " \($0.index)/\($0.count)" } ?? "")
    }

    /// The same for a listing that is published with a stop.
    static func text(_ listing: Listing) -> String {
        name(listing.programme) + " " + text(TimeWindow(start: listing.start, end: listing.stop ?? listing.start))
    }

    /// `overlap trimmedStop A 20:00 by B`.
    static func text(_ repair: Repair) -> String {
        "\(repair.keyword) \(repair.action) \(name(repair.listing.programme)) \(text(repair.listing.start))"
            + (repair.other.map { " by " + name($0.programme) } ?? "")
    }

    static func text(_ window: TimeWindow) -> String { text(window.start) + "-" + text(window.end) }

    static func text(_ instant: Instant) -> String {
        let (minutes, seconds) = (instant.secondsSince1970 - midnight).quotientAndRemainder(dividingBy: 60)
        let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
        return padded(hour) + ":" + padded(minute) + (seconds == 0 ? "" : ":" + padded(seconds))
    }

    static func instant(_ text: some StringProtocol) -> Instant {
        let numbers = text.split(separator: ":").compactMap { Int64($0) } + [0]
        return Instant(secondsSince1970: midnight + numbers[0] * 3600 + numbers[1] * 60 + numbers[2])
    }

    private static func name(_ number: Int64) -> String {
        var (rest, bytes) = (number, [UInt8]())
        while rest > 0 {
            bytes.insert(UInt8(rest % 256), at: 0)
            rest /= 256
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// Random listings of one station as in a bad feed, so dense that all rules interact.
enum NormalizerRandomListings {
    static func make(with random: inout SeededGenerator) -> [Listing] {
        let count = Int.random(in: 0...30, using: &random)
        let steps = Int64.random(in: 1...80, using: &random)
        return (0..<count).map { make(line: UInt32($0 + 1), steps: steps, with: &random) }
    }

    private static func make(line: UInt32, steps: Int64, with random: inout SeededGenerator) -> Listing {
        let start = Instant(
            secondsSince1970: NormalizerNotation.midnight + 300 * Int64.random(in: 0..<steps, using: &random))
        let programme = Int64.random(in: 1...8, using: &random)
        let count = Int.random(in: 2...3, using: &random)
        let isPart = Int.random(in: 0..<5, using: &random) == 0
        return Listing(
            start: start, stop: stop(after: start, with: &random), programme: programme,
            contentKey: UInt64(programme), titleKey: UInt32(programme / 3),
            episodeKey: EpisodeKey(
                season: nil, episode: Int.random(in: 0...3, using: &random) == 0 ? Int(programme % 2) : nil, part: nil,
                subtitle: nil), line: line,
            richness: [5, 10, 40].randomElement(using: &random) ?? 10,
            clump: isPart ? Clump(index: Int.random(in: 0..<count, using: &random), count: count) : nil)
    }

    private static func stop(after start: Instant, with random: inout SeededGenerator) -> Instant? {
        switch Int.random(in: 0..<20, using: &random) {
        case 0, 1: nil
        case 2: start
        case 3: start.advanced(by: -300)
        case 4: start.advanced(by: 3600 * Int64.random(in: 3...90, using: &random))
        default: start.advanced(by: 300 * Int64.random(in: 1...12, using: &random))
        }
    }
}
