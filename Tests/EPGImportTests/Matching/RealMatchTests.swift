import EPGImport
import EPGModel
import Testing

/// Real lists with the guides that belong to them. What matches was counted with a program in Python (unicodedata).
@Suite(.enabled(if: RealGuide.isThere, "the folder shared/data with real guides isn't beside the package"))
struct RealMatchTests {
    @Test(arguments: [
        ("BurningC4", 58, "58 exactID"), ("decovn", 259, "257 name"), ("erandrory", 1, "1 exactID"),
    ])
    func allMatchThatAnotherProgramMatches(_ folder: String, _ count: Int, _ expected: String) throws {
        let (channels, matches) = try matched(folder)
        #expect(channels.count == count)
        let rules = matches.compactMap { $0?.rule.rawValue }
        #expect(Set(rules).count == 1)
        #expect("\(rules.count) \(rules.first ?? "")" == expected)
    }

    /// A sample, checked by eye: `tvg-name` is the guide's identifier in this list.
    @Test func sampleOfThoseMatchedByName() throws {
        let (channels, matches) = try matched("decovn")
        let named = zip(channels.map(\.name), matches.map { $0?.station.rawValue })
        let stations = Dictionary(named) { first, _ in first }
        #expect(stations["VTV Huế"] == "8")
        #expect(stations["VTV9"] == "7")
        #expect(stations["VTV Cần Thơ 1"] == "9")
        #expect(stations["Fox Sports 2"] == "89")
        #expect(stations["NinhBinhTV"] == .some(nil))
        #expect(stations["M+ 2"] == .some(nil))
    }

    private func matched(_ folder: String) throws -> ([Channel], [ChannelMatch?]) {
        let playlist = try #require(RealPlaylist.all.first { $0.name.hasPrefix(folder) })
        let channels = try PlaylistReading.lineup(try playlist.text()).channels
        return (channels, StationMatcher().matches(of: channels, among: try playlist.stations(), mappings: [:]))
    }
}
