import EPGCalendar
import EPGModel
import EPGSQL
import EPGStore
import TestSupport
import Testing
import XMLTV

@testable import EPGImport

/// Derived listings (Rules.md, rule 19) at 18:00 UTC on Saturday, 28 March 2026. In London, the next day has 23 hours.
@Suite struct DerivedGuideTests {
    private static let now = ImportedGuide.now
    private static let news = """
        <channel id="news.example"><display-name>Gull News</display-name></channel>
        <channel id="later.example"><display-name>Gull News +1</display-name></channel>
        <programme channel="news.example" start="20260328180000 +0000" stop="20260328190000 +0000">
        <title>Six</title><live/></programme>
        <programme channel="news.example" start="20260328190000 +0000" stop="20260328200000 +0000">
        <title>Seven</title></programme>
        """

    private func settings(
        days: Int = 1, plusOne: Bool = false, _ change: (inout DerivedSettings) throws -> Void = { _ in }
    ) rethrows -> DerivedSettings {
        var settings = DerivedSettings()
        settings.zone = "Europe/London"
        settings.days = days
        settings.plusOne = plusOne
        try change(&settings)
        return settings
    }

    private func placeholders(days: Int = 1, every: Int64 = 7200, channels: [String] = []) -> DerivedSettings {
        settings(days: days) { settings in
            var template = PlaceholderTemplate()
            template.channels = channels
            template.every = every
            template.description = "Live from {channel}"
            template.category = "Nature"
            settings.placeholders = [template]
        }
    }

    private func lineup(_ entries: String..., in guide: ImportedGuide, header: String = "") throws {
        let text = "#EXTM3U \(header)\n" + entries.map { "#EXTINF:-1 \($0)\nhttp://x.example/\n" }.joined()
        _ = try GuideImporter(store: guide.store).importLineup(
            GuideFile(ChunkSource(Array(text.utf8))), named: "cable", now: Self.now)
    }

    @discardableResult
    private func update(
        _ guide: ImportedGuide, _ settings: DerivedSettings, at now: Instant = now
    ) throws -> DerivedGuide.Outcome {
        try DerivedGuide(settings, now: now).update(guide.store)
    }

    /// Returns the station of the first channel.
    private func shown(_ guide: ImportedGuide, _ index: Int = 0) throws -> String? {
        try guide.store.lineup(named: "cable")?.matches[index]?.station.rawValue
    }

    /// Returns the airings as `28T18:00–19:00 Title`, with `~` before derived ones.
    private func lines(_ guide: ImportedGuide, _ station: String, from start: String = "") throws -> [String] {
        try guide.airings(of: station).map { airing in
            let mark = airing.marks.contains(.derived) ? "~" : ""
            let end = airing.window.end.iso8601.dropFirst(11).prefix(5)
            return "\(mark)\(airing.window.start.iso8601.dropFirst(8).prefix(8))–\(end) \(airing.title)"
        }.filter { $0.contains(start) }
    }

    // MARK: - Placeholders

    @Test func channelWithoutStationGetsPlaceholders() throws {
        let guide = try ImportedGuide(Self.news)
        try lineup(#"tvg-chno="7" tvg-logo="http://l.example/c.png",Pier Camera"#, in: guide)
        let outcome = try update(guide, placeholders())
        expectEqual(outcome.changedGuide, true)
        expectEqual(outcome.stations, [.placeholder: 2])
        try expectEqual(shown(guide), "derived:Pier Camera")
        try expectEqual(guide.store.lineup(named: "cable")?.matches[0]?.rule, .derived)
        let lines = try lines(guide, "derived:Pier Camera")
        // Yesterday, today, the day of 23 hours, which ends with one hour, and nothing after it.
        expectEqual(lines.count, 36)
        expectEqual(lines.first, "~27T00:00–02:00 Pier Camera")
        expectEqual(lines.suffix(2), ["~29T20:00–22:00 Pier Camera", "~29T22:00–23:00 Pier Camera"])
        let airing = try #require(try guide.airings(of: "derived:Pier Camera").first)
        let detail = try #require(try guide.store.airing(airing.id))
        expectEqual(detail.source, "derived")
        expectEqual(detail.programme.descriptions.first?.text, "Live from Pier Camera")
        expectEqual(detail.programme.categories.first?.text, "Nature")
        let row = try #require(try guide.store.station(StationID("derived:Pier Camera")))
        expectEqual(row.row, 0)
        expectEqual(row.channelNumber?.description, "7")
        expectEqual(row.station.icons.first?.source, "http://l.example/c.png")
    }

    /// In London, 25 October 2026 lasts from 23:00 UTC of the day before to 00:00 UTC of the next day.
    @Test func dayOf25HoursEndsWithAnHour() throws {
        let guide = try ImportedGuide(Self.news)
        try lineup(",Pier Camera", in: guide)
        try update(guide, placeholders(), at: try #require(Instant(iso8601: "2026-10-24T12:00:00Z")))
        let lines = try lines(guide, "derived:Pier Camera")
        expectEqual(lines.count, 12 + 12 + 13)
        expectEqual(lines.suffix(14).first, "~24T21:00–23:00 Pier Camera")
        expectEqual(lines.suffix(2), ["~25T21:00–23:00 Pier Camera", "~25T23:00–00:00 Pier Camera"])
    }

    @Test func stationOfFeedWithoutListingsKeepsItsRow() throws {
        let guide = try ImportedGuide(Self.news)
        try lineup(#"tvg-id="later.example",Later"#, in: guide)
        try update(guide, placeholders())
        try expectEqual(shown(guide), "later.example")
        try expectEqual(lines(guide, "later.example", from: "28T18"), ["~28T18:00–20:00 Later"])
        try expectEqual(guide.store.station(StationID("later.example"))?.station.derivation, nil)
        try expectEqual(guide.store.station(StationID("derived:later.example")), nil)
    }

    @Test func patternsSelectChannels() throws {
        let guide = try ImportedGuide(Self.news)
        try lineup(
            ",Pier Camera", #"tvg-id="dock.cam",Dock"#, #"group-title="Cameras",Lock"#, ",Harbour", in: guide)
        try update(guide, placeholders(channels: ["* camera", "*.cam", "cameras"]))
        try expectEqual((0..<4).map { try shown(guide, $0) != nil }, [true, true, true, false])
        try expectEqual(lines(guide, "later.example"), [])
    }

    @Test func derivedListingsNeverReplaceListingsOfFeed() throws {
        let guide = try ImportedGuide(Self.news)
        try lineup(#"tvg-id="later.example",Later"#, #"tvg-id="news.example",Gull News"#, in: guide)
        try update(guide, placeholders())
        try expectEqual(lines(guide, "news.example"), ["28T18:00–19:00 Six", "28T19:00–20:00 Seven"])
        // A feed lists the station now.
        _ = try guide.importing(
            Array(
                """
                <tv><programme channel="later.example" start="20260328190000 +0000" stop="20260328200000 +0000">
                <title>Six</title></programme></tv>
                """.utf8), as: Source(name: "other", priority: -5))
        // Before the update, derived listings are cut.
        try expectEqual(lines(guide, "later.example", from: "28T19"), ["28T19:00–20:00 Six"])
        try expectEqual(lines(guide, "later.example", from: "28T18"), ["~28T18:00–19:00 Later"])
        try expectEqual(update(guide, placeholders()).changedGuide, true)
        try expectEqual(lines(guide, "later.example"), ["28T19:00–20:00 Six"])
        try expectEqual(guide.store.check().problems, [])
    }

    @Test func channelThatFindsItsStationLosesTheDerivedOne() throws {
        let guide = try ImportedGuide(Self.news)
        try lineup(#"tvg-id="dock.example",Dock"#, ",Pier Camera", in: guide)
        try update(guide, placeholders())
        try expectEqual(shown(guide), "derived:dock.example")
        _ = try guide.importing(
            Array(
                """
                <tv><channel id="dock.example"><display-name>Dock</display-name></channel>
                <programme channel="dock.example" start="20260328190000 +0000" stop="20260328200000 +0000">
                <title>Boats</title></programme></tv>
                """.utf8), as: Source(name: "other"))
        try expectEqual(shown(guide), "dock.example")
        try update(guide, placeholders())
        try expectEqual(guide.store.station(StationID("derived:dock.example")), nil)
        try expectEqual(shown(guide, 1), "derived:Pier Camera")
        try expectEqual(guide.store.check().problems, [])
    }

    // MARK: - Idempotence

    @Test func secondUpdateWritesNothing() throws {
        let guide = try ImportedGuide(Self.news)
        try lineup(",Pier Camera", #"tvg-id="news.example" tvg-shift="1",Gull News +1"#, in: guide)
        try expectEqual(update(guide, placeholders()).changedGuide, true)
        let (generation, sources) = (try guide.store.generation(), try guide.store.sources())
        let later = Self.now.advanced(by: 3600)
        try expectEqual(update(guide, placeholders(), at: later).changedGuide, false)
        try expectEqual(guide.store.generation(), generation)
        try expectEqual(guide.store.sources(), sources)
    }

    @Test func nextDayAddsBlocksAtTheEndAndRemovesThoseBeforeYesterday() throws {
        let guide = try ImportedGuide(Self.news)
        try lineup(",Pier Camera", in: guide)
        try update(guide, placeholders())
        let before = try guide.airings(of: "derived:Pier Camera")
        try update(guide, placeholders(), at: Self.now.advanced(by: 86_400))
        let after = try guide.airings(of: "derived:Pier Camera")
        // A day has twelve blocks. The blocks of the days that stay keep their identifiers.
        expectEqual(after.count, before.count)
        expectEqual(after.dropLast(12).map(\.id), before.dropFirst(12).map(\.id))
        try expectEqual(guide.store.check().problems, [])
    }

    @Test func unknownSettingsUpdateOnlyChannelsWithShift() throws {
        let guide = try ImportedGuide(Self.news)
        try lineup(",Pier Camera", "tvg-id=\"news.example\" tvg-shift=\"1\",Late", in: guide)
        try update(guide, placeholders())
        let camera = try lines(guide, "derived:Pier Camera")
        let unknown = settings { $0.areKnown = false }
        try expectEqual(update(guide, unknown).changedGuide, false)
        try lineup(",Pier Camera", "tvg-id=\"news.example\" tvg-shift=\"2\",Late", in: guide)
        try expectEqual(update(guide, unknown).stations, [.shift: 1])
        #expect(try lines(guide, "derived:Pier Camera") == camera && shown(guide, 1) == "derived:news.example+2h")
        try lineup(",Pier Camera", in: guide)
        try expectEqual(update(guide, unknown).changedGuide, true)
        try expectEqual(lines(guide, "derived:Pier Camera"), camera)
        try expectEqual(guide.store.station(StationID("derived:news.example+2h")), nil)
        try expectEqual(guide.store.check().problems, [])
    }

    @Test func pastListingsAreRemovedWithUnknownSettings() throws {
        let later = """
            <programme channel="news.example" start="20260330180000 +0000" stop="20260330190000 +0000">
            <title>Monday</title></programme>
            """
        let guide = try ImportedGuide(Self.news + later)
        try lineup("tvg-id=\"news.example\" tvg-shift=\"1\",Late", in: guide)
        let unknown = settings(days: 3) { $0.areKnown = false }
        try update(guide, unknown)
        try expectEqual(lines(guide, "derived:news.example+1h").count, 3)
        let state = try guide.store.sourceRecords().first { $0.source.name == "derived" }?.state
        try expectEqual(update(guide, unknown, at: Self.now.advanced(by: 60)).changedGuide, false)
        // Equal listings are not imported again.
        try expectEqual(guide.store.sourceRecords().first { $0.source.name == "derived" }?.state, state)
        // Two days later, the listings of 28 March are before yesterday.
        try update(guide, unknown, at: Self.now.advanced(by: 2 * 86_400))
        try expectEqual(lines(guide, "derived:news.example+1h"), ["~30T19:00–20:00 Monday"])
        try expectEqual(guide.store.check().problems, [])
    }

    @Test func channelWithoutNameHasNoDerivedListings() throws {
        let guide = try ImportedGuide(Self.news)
        try lineup(",", in: guide)
        try expectEqual(guide.store.lineup(named: "cable")?.lineup.channels.map(\.name), ["http://x.example/"])
        // Only the station of the feed without listings has placeholders.
        try expectEqual(update(guide, placeholders()).stations, [.placeholder: 1])
        try expectEqual(shown(guide), nil)
    }

    @Test func withoutSettingsDerivedListingsAreRemoved() throws {
        let guide = try ImportedGuide(Self.news)
        try lineup(",Pier Camera", in: guide)
        let stations = try guide.store.stationCount()
        try update(guide, placeholders())
        try expectEqual(guide.store.stationCount(), stations + 1)
        try expectEqual(update(guide, settings()).changedGuide, true)
        try expectEqual(guide.store.stationCount(), stations)
        try expectEqual(guide.store.sourceRecords().map(\.source.name), ["feed"])
        try expectEqual(update(guide, settings()).changedGuide, false)
        try expectEqual(guide.store.check().problems, [])
    }

    @Test func removedFeedRemovesItsStationsWithDerivedListings() throws {
        let guide = try ImportedGuide(Self.news)
        try lineup(",Pier Camera", in: guide)
        try update(guide, placeholders())
        try expectEqual(guide.store.removeSource(named: "feed", matcher: StationMatcher(), now: Self.now), true)
        try update(guide, placeholders())
        try expectEqual(guide.store.stations(inRows: 0..<9).map(\.station.name), ["Pier Camera"])
        try expectEqual(guide.store.check().problems, [])
    }

    /// Otherwise a refresh with a wrong clock, which derives listings for its own time, could remove the guide.
    @Test func derivedListingsDoNotConfirmClock() throws {
        let guide = try ImportedGuide(Self.news)
        try lineup(",Pier Camera", in: guide)
        let ahead = Self.now.advanced(by: 365 * 86_400)
        try update(guide, placeholders(), at: ahead)
        #expect(try !guide.airings(of: "derived:Pier Camera").isEmpty)
        try expectEqual(guide.store.isAnythingOn(at: ahead), false)
        expectThrows(RefusedPruning.self) {
            try guide.store.prune(before: ahead.advanced(by: -86_400), now: ahead, limit: .half)
        }
    }

    // MARK: - Shifts

    @Test func channelWithShiftShowsItsOwnStation() throws {
        let guide = try ImportedGuide(Self.news)
        try lineup(
            #"tvg-id="news.example",Gull News"#, #"tvg-id="news.example" tvg-shift="1",Gull News +1"#, in: guide)
        let outcome = try update(guide, settings())
        expectEqual(outcome.stations, [.shift: 1])
        try expectEqual((0..<2).map { try shown(guide, $0) }, ["news.example", "derived:news.example+1h"])
        try expectEqual(guide.store.lineup(named: "cable")?.matches[1]?.rule, .exactID)
        try expectEqual(lines(guide, "derived:news.example+1h"), ["~28T19:00–20:00 Six", "~28T20:00–21:00 Seven"])
        // The content equals the station's, with another mark.
        try expectEqual(guide.airings(of: "derived:news.example+1h").first?.marks, [.live, .derived])
        // A player must not shift the listings again.
        var text: [UInt8] = []
        try PlayerPlaylist(of: ["cable"], in: guide.store).write { text += $0 }
        let playlist = String(decoding: text, as: UTF8.self)
        expectText(playlist, contains: [#"tvg-id="derived:news.example+1h""#], lacks: ["tvg-shift"])
    }

    @Test func shiftOfHeaderAppliesToAllChannels() throws {
        let guide = try ImportedGuide(Self.news)
        try lineup(#"tvg-id="news.example",Gull News"#, in: guide, header: #"tvg-shift="-0.5""#)
        try update(guide, settings())
        try expectEqual(shown(guide), "derived:news.example-30min")
        try expectEqual(lines(guide, "derived:news.example-30min"), ["~28T17:30–18:30 Six", "~28T18:30–19:30 Seven"])
    }

    @Test func shiftOfMappingReplacesThatOfPlaylistAndSurvivesImports() throws {
        let guide = try ImportedGuide(Self.news)
        let entry = #"tvg-id="late" tvg-shift="1",Gull News late"#
        try lineup(entry, in: guide)
        let matcher = StationMatcher()
        try guide.store.setMapping("late", to: StationID("news.example"), matcher: matcher, now: Self.now)
        try update(guide, settings())
        try expectEqual(shown(guide), "derived:late+1h")
        try guide.store.setShift(ofMapping: "late", to: 7200, matcher: matcher, now: Self.now)
        try update(guide, settings())
        try expectEqual(shown(guide), "derived:late+2h")
        try expectEqual(guide.store.station(StationID("derived:late+1h")), nil)
        try lineup(entry, ",Other", in: guide)
        try update(guide, settings())
        try expectEqual(guide.store.mappingShifts(), ["late": 7200])
        try expectEqual(shown(guide), "derived:late+2h")
        // 0 is a choice, too.
        try guide.store.setShift(ofMapping: "late", to: 0, matcher: matcher, now: Self.now)
        try update(guide, settings())
        try expectEqual(shown(guide), "news.example")
        try guide.store.setShift(ofMapping: "late", to: nil, matcher: matcher, now: Self.now)
        try update(guide, settings())
        try expectEqual(shown(guide), "derived:late+1h")
        try expectEqual(guide.store.check().problems, [])
    }

    // MARK: - "+1"

    @Test func plusOneStationTakesListingsOfItsParent() throws {
        let guide = try ImportedGuide(Self.news)
        try expectEqual(update(guide, settings(plusOne: false)).stations, [:])
        try expectEqual(update(guide, settings(plusOne: true)).stations, [.shift: 1])
        try expectEqual(lines(guide, "later.example"), ["~28T19:00–20:00 Six", "~28T20:00–21:00 Seven"])
    }

    @Test func plusOneChannelTakesListingsOfItsParent() throws {
        let guide = try ImportedGuide(Self.news.replacing("Gull News +1", with: "Something"))
        try lineup(",Gull News + 1", ",GULL NEWS +2 HD", ",Gull News plus one", in: guide)
        try expectEqual(update(guide, settings(plusOne: true)).stations, [.shift: 3])
        let expected = ["~28T19:00–20:00 Six", "~28T20:00–21:00 Seven"]
        try expectEqual(lines(guide, "derived:Gull News + 1"), expected)
        try expectEqual(lines(guide, "derived:Gull News plus one"), expected)
        try expectEqual(lines(guide, "derived:GULL NEWS +2 HD"), ["~28T20:00–21:00 Six", "~28T21:00–22:00 Seven"])
        let derivation = try guide.store.station(StationID("derived:Gull News + 1"))?.station.derivation
        expectEqual(derivation?.parent, StationID("news.example"))
        expectEqual(derivation?.delay, 3600)
    }

    @Test(arguments: ["Other News +1", "Gull News", "+1", "Gull News +", "Gull News +9"])
    func plusOneNeedsParentWithListings(name: String) throws {
        let guide = try ImportedGuide(Self.news.replacing("Gull News +1", with: "Something"))
        try lineup(",\(name)", in: guide)
        try expectEqual(update(guide, settings(plusOne: true)).stations, [:])
    }

    // MARK: - Names

    private func ppv(_ change: (inout ChannelNamePattern) -> Void = { _ in }) throws -> DerivedSettings {
        try settings { settings in
            var pattern = ChannelNamePattern(
                try NameExpression(#"^(?<channel>PPV \d+): (?<title>.+) @ (?<time>[\d:]+) (?<date>\d+ \w+)$"#))
            pattern.before = "Upcoming: {title} ({time})"
            pattern.category = "Sports"
            change(&pattern)
            settings.names = [pattern]
        }
    }

    @Test func programmeIsReadFromNameWithFillerAroundIt() throws {
        let guide = try ImportedGuide(Self.news)
        try lineup(",PPV 3: Rook vs Harrow @ 21:30 28 Mar", in: guide)
        try expectEqual(update(guide, ppv()).stations, [.channelName: 1])
        try expectEqual(shown(guide), "derived:PPV 3")
        try expectEqual(guide.store.station(StationID("derived:PPV 3"))?.station.name, "PPV 3")
        let evening = try lines(guide, "derived:PPV 3", from: "28T2")
        expectEqual(
            evening,
            [
                "~28T21:30–23:30 Rook vs Harrow", "~28T23:30–00:00 Ended: Rook vs Harrow",
            ])
        let day = try lines(guide, "derived:PPV 3", from: "28T00:00–21:30")
        expectEqual(day, ["~28T00:00–21:30 Upcoming: Rook vs Harrow (Sat 28 Mar 21:30)"])
        let categories = try guide.airings(of: "derived:PPV 3").map(\.categories)
        expectEqual(categories.filter { !$0.isEmpty }, [["Sports"]])
    }

    @Test func renamedChannelKeepsItsStation() throws {
        let guide = try ImportedGuide(Self.news)
        try lineup(",PPV 3: Rook vs Harrow @ 21:30 28 Mar", in: guide)
        try update(guide, ppv())
        let row = try guide.store.station(StationID("derived:PPV 3"))?.row
        try lineup(",PPV 3: Quill vs Wren @ 20:00 29 Mar", in: guide)
        try update(guide, ppv())
        try expectEqual(shown(guide), "derived:PPV 3")
        try expectEqual(guide.store.station(StationID("derived:PPV 3"))?.row, row)
        // 20:00 British Summer Time.
        try expectEqual(lines(guide, "derived:PPV 3", from: "00 Quill"), ["~29T19:00–21:00 Quill vs Wren"])
        try expectEqual(lines(guide, "derived:PPV 3", from: "Rook"), [])
    }

    @Test func timeWithoutDateStaysOnItsDay() throws {
        let guide = try ImportedGuide(Self.news)
        let settings = try settings(days: 2) { settings in
            settings.names = [
                ChannelNamePattern(try NameExpression(#"^(?<channel>BALL): (?<title>.+) (?<time>\d+:\d\d)$"#))
            ]
        }
        try lineup(",BALL: Otters at Herons 19:30", in: guide)
        try update(guide, settings)
        try expectEqual(lines(guide, "derived:BALL", from: "30 Otters"), ["~28T19:30–21:30 Otters at Herons"])
        try update(guide, settings, at: Self.now.advanced(by: 86_400))
        try expectEqual(lines(guide, "derived:BALL", from: "30 Otters"), ["~28T19:30–21:30 Otters at Herons"])
    }

    @Test func channelsWithTheSameShortNameHaveOwnStations() throws {
        let guide = try ImportedGuide(Self.news)
        try lineup(
            ",PPV 3: Rook vs Harrow @ 21:30 28 Mar", ",PPV 3: Quill vs Wren @ 21:30 28 Mar", in: guide)
        try update(guide, ppv())
        try expectEqual(shown(guide, 0), "derived:PPV 3")
        try expectEqual(shown(guide, 1), "derived:PPV 3: Quill vs Wren @ 21:30 28 Mar")
    }

    @Test func entryInTwoGroupsHasOneStation() throws {
        let guide = try ImportedGuide(Self.news)
        let entry = "PPV 3: Rook vs Harrow @ 21:30 28 Mar"
        try lineup(#"group-title="Sports",\#(entry)"#, #"group-title="Boxing",\#(entry)"#, in: guide)
        try expectEqual(update(guide, ppv()).stations, [.channelName: 1])
        try expectEqual((0..<2).map { try shown(guide, $0) }, ["derived:PPV 3", "derived:PPV 3"])
        try expectEqual(update(guide, ppv(), at: Self.now.advanced(by: 60)).changedGuide, false)
    }

    // MARK: - Export

    /// Returns the XMLTV of a guide with placeholders.
    private func exportedGuide() throws -> [UInt8] {
        let guide = try ImportedGuide(Self.news)
        try lineup(",Pier Camera", in: guide)
        try update(guide, placeholders())
        var text: [UInt8] = []
        var exporter = XMLTVExporter { text += $0 }
        try guide.store.export(ExportSelection(), to: &exporter)
        return text
    }

    @Test func derivedStationOfAnotherGuideIsStationOfFeed() throws {
        let text = try exportedGuide()
        let copy = try ImportedGuide(bytes: text)
        try lineup(#"tvg-id="derived:Pier Camera",Camera"#, ",Dock", in: copy)
        try update(copy, placeholders())
        try expectEqual((0..<2).map { try shown(copy, $0) }, ["derived:Pier Camera", "derived:Dock"])
        try expectEqual(copy.store.lineup(named: "cable")?.matches[0]?.rule, .exactID)
        try expectEqual(update(copy, placeholders()).changedGuide, false)
        try lineup(",Dock", in: copy)
        try update(copy, placeholders())
        #expect(try copy.store.station(StationID("derived:Pier Camera")) != nil)
    }

    @Test func markSurvivesRoundTrip() throws {
        let text = try exportedGuide()
        expectText(String(decoding: text, as: UTF8.self), contains: ["<derived>placeholder</derived>"])
        let copy = try ImportedGuide(bytes: text)
        #expect(try copy.airings(of: "derived:Pier Camera").allSatisfy { $0.marks == .derived })
    }
}
