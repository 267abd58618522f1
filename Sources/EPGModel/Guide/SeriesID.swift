/// The identifier of the series that a programme belongs to, by which a client groups airings.
///
/// It is a text such as `dd_progid:01234567`: whose identifier it is, a colon, and the identifier. Airings of a series have
/// the same one as long as their feeds identify the series in the same way.
public struct SeriesID: Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    /// The identifier of a programme's series; `nil` if nothing says that the programme is part of one.
    ///
    /// The first of these that the programme has:
    /// 1. `dd_progid`, the program identifiers of Gracenote (Schedules Direct): `EP` (an episode) or `SH` (a show), eight
    ///    digits that identify the series, and four that identify the episode, with or without a period before them.
    ///    `EP01234567.0012` and `SH01234567.0000` are one series. `MV` (movies) and `SP` (sports) are not series.
    /// 2. `dd_seriesid`, the same company's identifier of the series alone.
    /// 3. A reference to a series on a web site: an `<episode-num>` whose system is the site and whose value is `series/…`,
    ///    `show/…` or `tv/…`, such as `series/123` of `thetvdb.com`. That site takes precedence, then `themoviedb.org`,
    ///    which feeds also write as `themoviedb.com`, then the others in the order of the feed.
    /// 4. A series CRID (ETSI TS 102 323, 12.1): `<crid type="series">`, as `tv_grab_dvb` writes it.
    /// 5. The first title in lowercase, if an episode number (`xmltv_ns`, `onscreen`, `SxxExx`, `common`) makes the
    ///    programme an episode, and no identifier makes it a movie (`MV…` of `dd_progid`, `movie/…` of a web site).
    public init?(_ programme: Programme) {
        let numbers = programme.episodeNumbers.map { (system: $0.system.lowercased(), value: $0.value.trimmed) }
        if let series = numbers.lazy.filter({ $0.system == "dd_progid" }).compactMap({ Self.gracenote($0.value) }).first
        {
            rawValue = "dd_progid:" + series
        } else if let number = numbers.first(where: { $0.system == "dd_seriesid" && !$0.value.isEmpty }) {
            rawValue = "dd_seriesid:" + number.value
        } else if let site = Self.site(numbers) {
            rawValue = site
        } else if let crid = programme.extras.elements.lazy.filter({
            $0.name == "crid" && $0[attribute: "type"] == "series"
        })
        .map(\.text.trimmed).first(where: { !$0.isEmpty }) {
            rawValue = crid.lowercased().hasPrefix("crid:") ? crid : "crid:" + crid
        } else if let title = programme.titles.first?.text.trimmed, !title.isEmpty,
            numbers.contains(where: { Self.episodeSystems.contains($0.system) }),
            !numbers.contains(where: { $0.value.hasPrefix("MV") || $0.value.hasPrefix("movie/") })
        {
            rawValue = "title:" + title.lowercased()
        } else {
            return nil
        }
    }

    public var description: String { rawValue }

    private static let episodeSystems: Set = ["xmltv_ns", "onscreen", "sxxexx", "common"]

    /// The digits of the series in `EP01234567.0012` or `SH012345670000`; `nil` for other forms.
    private static func gracenote(_ text: String) -> String? {
        let digits = text.utf8.dropFirst(2)
        guard ["EP", "SH"].contains(text.prefix(2).uppercased()), digits.count >= 8,
            digits.prefix(8).allSatisfy({ (0x30...0x39).contains($0) }),
            digits.dropFirst(8).first.map({ $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }) ?? true
        else { return nil }
        return String(decoding: digits.prefix(8), as: UTF8.self)
    }

    /// `thetvdb.com:123` for the first reference to a series on a web site.
    private static func site(_ numbers: [(system: String, value: String)]) -> String? {
        let series = numbers.compactMap { number -> (site: String, id: Substring)? in
            let parts = number.value.split(separator: "/", maxSplits: 1)
            guard number.system.contains("."), parts.count == 2,
                ["series", "show", "tv"].contains(parts[0].lowercased())
            else { return nil }
            return (number.system == "themoviedb.com" ? "themoviedb.org" : number.system, parts[1])
        }
        let preferred = ["thetvdb.com", "themoviedb.org"].lazy.compactMap { site in series.first { $0.site == site } }
        return (preferred.first ?? series.first).map { "\($0.site):\($0.id)" }
    }
}

extension Programme {
    /// The series that the programme belongs to (``SeriesID/init(_:)``); `nil` if nothing says that it is part of one.
    public var series: SeriesID? { SeriesID(self) }
}
