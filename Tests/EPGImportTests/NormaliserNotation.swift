import EPGImport
import EPGModel

/// Listings and schedules as a few characters, so that a table of rules can be read and reckoned by hand.
///
/// `A 20:00-21:05 +30 0/2` is the programme `A`, published with those times (`?` for a stop that is missing), 30 bytes
/// rich (default 10), first part of a clump of two. Programmes that begin with the same letter have the same title.
/// Hours go on beyond 24 for the days after the first one, which is 2026-03-29 (UTC).
enum NormaliserNotation {
    /// 2026-03-29T00:00:00Z, by `date -u -d 2026-03-29 +%s`.
    static let midnight: Int64 = 1_774_742_400

    static func listing(_ text: String, line: Int = 1) -> Listing {
        let words = text.split(separator: " ")
        let times = words[1].split(separator: "-")
        let extras = words.dropFirst(2)
        let richness = extras.first { $0.first == "+" }.flatMap { UInt16($0.dropFirst()) } ?? 10
        let clump = extras.first { $0.contains("/") }.flatMap { text -> Clump? in
            let numbers = text.split(separator: "/").compactMap { Int($0) }
            return Clump(index: numbers[0], count: numbers[1])
        }
        let number = words[0].utf8.reduce(Int64(0)) { $0 * 256 + Int64($1) }
        return Listing(
            start: instant(times[0]), stop: times[1] == "?" ? nil : instant(times[1]), programme: number,
            contentKey: UInt64(number), titleKey: UInt32(words[0].utf8.first ?? 0), line: UInt32(line),
            richness: richness, clump: clump)
    }

    static func listings(_ texts: [String]) -> [Listing] {
        texts.enumerated().map { listing($1, line: $0 + 1) }
    }

    /// `A 20:00-21:00`, then `?` where the stop was inferred and the place in a clump.
    static func text(_ airing: ScheduledListing) -> String {
        name(airing.programme) + " " + text(airing.window) + (airing.isStopInferred ? " ?" : "")
            + (airing.clump.map { " \($0.index)/\($0.count)" } ?? "")
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
