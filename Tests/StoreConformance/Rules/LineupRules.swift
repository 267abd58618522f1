import EPGImport
import EPGModel
import TestSupport
import Testing

extension StoreRule {
    /// Lineups are stored without loss, their channels are matched to stations, and rows follow lineups.
    static let lineups: [StoreRule] = [
        StoreRule("A lineup is returned as it was saved") { guide in
            let texts = ["", "\"q\"\r\n", "a;b,c", "日本 \u{1F4FA}", "\u{1}\u{7}", "e\u{301}"]
            let attributes = texts.map { ContentAttribute(name: "x-\($0)", value: $0) }
            let lineup = Lineup(
                name: "Büro \"1\"", attributes: attributes,
                channels: texts.enumerated().map { index, text in
                    Channel(
                        name: text, number: ChannelNumber("\(index).1"), guideID: index == 0 ? nil : text,
                        guideName: index == 1 ? nil : text, logo: index == 2 ? nil : text,
                        groups: Array(texts.prefix(index)), url: text, attributes: Array(attributes.prefix(index)),
                        directives: Array(texts.suffix(index)))
                })
            try guide.importFive()
            let outcome = try guide.saveLineup(lineup)
            expectEqual((outcome.channels, outcome.unmatched, outcome.changedGuide), (6, 6, true))
            try expectEqual(guide.lineups(), ["Büro \"1\""])
            try expectEqual(guide.lineup(named: "Büro \"1\"")?.lineup, lineup)
            try expectEqual(guide.lineup(named: "other")?.lineup, nil)
            try expectEqual(guide.lineup(named: "Büro \"1\"")?.matches, [nil, nil, nil, nil, nil, nil])
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("The lineups of a station contain only the channels that show it") { guide in
            try guide.importFive()
            var cable = Lineup("cable", ["two 9", "three 1", "nobody 4", "two 2"])
            cable.attributes = [ContentAttribute(name: "tvg-shift", value: "1")]
            cable.channels[3].groups = ["News", "e\u{301}"]
            _ = try guide.saveLineup(cable)
            _ = try guide.saveLineup(Lineup("air", ["one 1", "two 3"]))
            var (air, shortCable) = (Lineup("air", ["two 3"]), cable)
            shortCable.channels = [cable.channels[0], cable.channels[3]]
            try expectEqual(guide.lineups(containing: StationID("two")), [air, shortCable])
            air.channels = Lineup("air", ["one 1"]).channels
            try expectEqual(guide.lineups(containing: StationID("one")), [air])
            try expectEqual(guide.lineups(containing: StationID("four")), [])
            try expectEqual(guide.lineups(containing: StationID("nobody")), [])
        },
        StoreRule("Saving the same lineup again changes nothing") { guide in
            try guide.importFive()
            let lineup = Lineup("cable", ["three 1", "two", "nobody 4"])
            let first = try guide.saveLineup(lineup)
            expectEqual(
                first,
                LineupOutcome(
                    matches: [
                        .init(station: StationID("three"), rule: .exactID),
                        .init(station: StationID("two"), rule: .exactID), nil,
                    ], changedGuide: true))
            expectEqual((first.matched, first.unmatched), ([.exactID: 2], 1))
            let before = try guide.contents()
            let second = try guide.saveLineup(lineup)
            expectEqual((second.matched, second.changedGuide), ([.exactID: 2], false))
            try guide.setMapping("none", to: nil)
            try expectEqual(guide.contents(), before)
        },
        StoreRule("Lineups are compared byte for byte") { guide in
            try guide.importFive()
            var lineup = Lineup("cable", ["three 1"])
            lineup.channels[0].url = "http://stream.test/\u{E9}"
            _ = try guide.saveLineup(lineup)
            lineup.channels[0].url = "http://stream.test/e\u{301}"
            try expectEqual(guide.saveLineup(lineup).changedGuide, true)
            let stored = try #require(try guide.lineup(named: "cable")?.lineup.channels.first?.url)
            expectEqual(Array(stored.utf8), Array(lineup.channels[0].url.utf8))
        },
        StoreRule("Changing lineups keeps the search index current") { guide in
            try guide.importFive()
            try guide.refreshSearchIndex()
            _ = try guide.saveLineup(Lineup("cable", ["three 1"]))
            try guide.setMapping("three", to: StationID("two"))
            try expectEqual(guide.isSearchIndexCurrent(), true)
            try expectEqual(guide.removeLineup(named: "cable"), true)
            try expectEqual(guide.isSearchIndexCurrent(), true)
        },
        StoreRule("A lineup replaces the lineup with the same name") { guide in
            try guide.importFive()
            _ = try guide.saveLineup(Lineup("cable", ["three 1", "two 2"]))
            let generation = try guide.generation()
            let next = Lineup("cable", ["five 8"])
            try expectEqual(guide.saveLineup(next).changedGuide, true)
            try expectEqual(guide.lineup(named: "cable")?.lineup, next)
            try expectEqual(guide.order, "five=8 four two one three")
            try expectEqual(guide.generation(), Generation(generation.rawValue + 1))
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("Rows are sorted by lineup number, then by lineup order, then by the feed") { guide in
            try guide.importFive()
            try expectEqual(guide.order, "four two one three five")
            _ = try guide.saveLineup(Lineup("cable", ["five", "two 7.10", "one 7.2", "four"]))
            try expectEqual(guide.order, "one=7.2 two=7.10 five four three")
            try expectEqual(guide.station(StationID("two"))?.row, 1)
            try expectEqual(guide.station(StationID("two"))?.channelNumber, ChannelNumber("7.10"))
            try expectEqual(guide.station(StationID("two"))?.station.number, ChannelNumber("9"))
            try expectEqual(guide.removeLineup(named: "cable"), true)
            try expectEqual(guide.order, "four two one three five")
            try expectEqual(guide.removeLineup(named: "cable"), false)
        },
        StoreRule("Rows have the order of a reordered lineup, and not the order of its numbers") { guide in
            try guide.importFive()
            var lineup = Lineup("cable", ["five", "two 7.10", "one 7.2", "four"])
            let moves = [lineup.move(0, to: 2), lineup.move(3, to: 0), lineup.move(0, to: 4)]
            expectEqual(moves, [true, true, false])
            _ = try guide.saveLineup(lineup)
            try expectEqual(guide.order, "four two=7.10 one=7.2 five three")
            try expectEqual(guide.lineup(named: "cable")?.lineup, lineup)
            try expectEqual(guide.saveLineup(lineup).changedGuide, false)
            lineup.removeEdits()
            _ = try guide.saveLineup(lineup)
            try expectEqual(guide.order, "one=7.2 two=7.10 five four three")
            try expectEqual(
                guide.lineup(named: "cable")?.lineup, Lineup("cable", ["five", "two 7.10", "one 7.2", "four"]))
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("A new version of a list keeps numbers, groups, hidden channels and the order of the user") { guide in
            try guide.importFive()
            _ = try guide.replace(Lineup("cable", ["one 1", "two 2", "three 3", "four 4"]))
            var lineup = try #require(try guide.lineup(named: "cable")?.lineup)
            lineup.channels[0].setNumber(ChannelNumber("8"))
            lineup.channels[1].setGroups(["News", "e\u{301}"])
            lineup.channels[2].setHidden(true)
            let isMoved = lineup.move(3, to: 0)
            expectEqual(isMoved, true)
            _ = try guide.storage.write(waiting: .forOthers) {
                try $0.saveLineup(lineup, matcher: StationMatcher(), now: Day.now)
            }
            // The station of the hidden channel follows the stations of the lineup.
            try expectEqual(guide.order, "four=4 one=8 two=2 three five")
            // The list drops a channel, numbers another way, and has a new channel after the second one.
            let outcome = try guide.replace(Lineup("cable", ["one 10", "three 30", "five 5", "four 40"]))
            expectEqual(outcome.changedGuide, true)
            try expectEqual(guide.order, "four=40 one=8 five=5 two three")
            let stored = try #require(try guide.lineup(named: "cable")?.lineup)
            expectEqual(stored.channels.map(\.guideID), ["four", "one", "three", "five"])
            expectEqual((stored.channels[2].isHidden, stored.channels[1].number), (true, ChannelNumber("8")))
            try expectEqual(
                guide.replace(Lineup("cable", ["one 10", "three 30", "five 5", "four 40"])).changedGuide, false)
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("A new version of a playlist raises one generation and logs its changed channels") { guide in
            try guide.importFive()
            let source = Source(name: "tv", location: "http://provider.test/tv.m3u")
            try guide.save(source)
            let first = try guide.refresh([("one", "One", "a"), ("two", "Two", "a"), ("nobody", "Zed", "b")])
            expectEqual((first.channels, first.unmatched, first.changes, first.changedGuide), (3, 1, [], true))
            let summary = try #require(try guide.sources().first { $0.source.name == "tv" })
            expectEqual((summary.channels?.all, summary.channels?.matched, summary.lastImport?.read), (3, 2, 3))
            try expectEqual(guide.sourceRecords().map(\.kind), [.guide, .playlist])
            let before = try guide.contents()
            try expectEqual(
                guide.refresh([("one", "One", "a"), ("two", "Two", "a"), ("nobody", "Zed", "b")]).changedGuide, false)
            try expectEqual(guide.contents(), before)

            let generation = try guide.generation()
            let second = try guide.refresh([("four", "Four", "a"), ("two", "Two HD", "a"), ("one", "One", "a")])
            let changes = [
                ChannelChange(from: nil, to: "Four"), ChannelChange(from: "Two", to: "Two HD"),
                ChannelChange(from: "Zed", to: nil),
            ]
            expectEqual((second.changes, second.unmatched), (changes, 0))
            try expectEqual(guide.generation(), Generation(generation.rawValue + 1))
            try expectEqual(guide.channelChanges(ofLineup: "tv", limit: 10).map(\.change), changes)
            try expectEqual(
                guide.imports(ofSource: "tv", limit: 1).map { [$0.read, $0.inserted, $0.changed, $0.removed] },
                [[3, 1, 1, 1]])
            #expect(throws: RefusedImport.fewChannels(found: 1, stored: 3, share: 50)) {
                try guide.refresh([("one", "One", "a")], minimumShare: 50)
            }
            try expectEqual(guide.refresh([("one", "One", "a")], minimumShare: 33).channels, 1)
            try expectEqual(guide.check().problems, [])
            // The lineup belongs to the source.
            try expectEqual(guide.removeSource(named: "tv"), true)
            try expectEqual(guide.lineups(), [])
            try expectEqual(guide.order, "four two one three five")
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("Changes of the user follow channels that are renamed, get another identifier, or return") { guide in
            try guide.importFive()
            try guide.save(Source(name: "tv"))
            _ = try guide.refresh([("1", "Alpha", "a"), ("2", "Beta", "a"), ("3", "Gamma", "b")])
            try guide.setMapping("1", to: StationID("one"))
            try guide.setMapping("2", to: StationID("two"))
            var lineup = try #require(try guide.lineup(named: "tv")?.lineup)
            lineup.channels[1].setNumber(ChannelNumber("20"))
            lineup.channels[2].setHidden(true)
            _ = try guide.saveLineup(lineup, matcher: StationMatcher())
            // The provider changes identifiers and a name, and drops a channel.
            _ = try guide.refresh([("beta", "Beta", "a"), ("1", "Alpha 2", "a")])
            try expectEqual(guide.mappings(), ["1": StationID("one"), "beta": StationID("two")])
            let stored = try #require(try guide.lineup(named: "tv"))
            expectEqual(
                (stored.lineup.channels.map(\.number), stored.matches.map { $0?.station.rawValue }),
                ([ChannelNumber("20"), nil], ["two", "one"]))
            // The dropped channel returns with its change.
            _ = try guide.refresh([("beta", "Beta", "a"), ("1", "Alpha 2", "a"), ("3", "Gamma", "b")])
            try expectEqual(guide.lineup(named: "tv")?.lineup.channels.map(\.isHidden), [false, false, true])
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("Stations of a source for some groups are matched only with channels in these groups") { guide in
            try guide.importing(["sport 20:00-21:00 A"], as: Source(name: "g", groups: ["Sport*"]))
            try guide.importing(["news 20:00-21:00 A"])
            try guide.save(Source(name: "g", groups: ["Sport*"]))
            let channels = [("sport", "Sport", "News"), ("sport", "Sport", "sports"), ("news", "News", "News")]
            try guide.save(Source(name: "tv"))
            _ = try guide.refresh(channels)
            try expectEqual(
                guide.lineup(named: "tv")?.matches.map { $0?.station.rawValue }, [nil, "sport", "news"])
            // Another limit takes effect with the next import of the source.
            try guide.save(Source(name: "g", groups: ["News"]))
            try guide.importing(["sport 20:00-21:00 B"], as: Source(name: "g", groups: ["News"]))
            try expectEqual(
                guide.lineup(named: "tv")?.matches.map { $0?.station.rawValue }, ["sport", nil, "news"])
            // The user's choice takes precedence.
            try guide.setMapping("sport", to: StationID("sport"))
            try expectEqual(
                guide.lineup(named: "tv")?.matches.map { $0?.station.rawValue }, ["sport", "sport", "news"])
        },
        StoreRule("The first of several channels determines the row of a station") { guide in
            try guide.importFive()
            _ = try guide.saveLineup(Lineup("b", ["one 1", "three 2", "five 3"]))
            _ = try guide.saveLineup(Lineup("a", ["three 50", "two 60", "three 5"]))
            try expectEqual(guide.order, "three=50 two=60 one=1 five=3 four")
        },
        StoreRule("An import with a matcher matches channels to stations") { guide in
            try guide.importing(["one 20:00-21:00 A"])
            _ = try guide.saveLineup(Lineup("cable", ["two 1", "one 2"]))
            try expectEqual(guide.order, "one=2")
            let generation = try guide.generation()
            try guide.withSession(matcher: TableMatcher()) { session in
                _ = try session.loadContentIndex()
                try session.setStations([(place: 3, id: StationID("two"), nodes: [])])
                _ = try session.commit(ImportReport(), state: nil)
            }
            try expectEqual(guide.order, "two=1 one=2")
            try expectEqual(guide.generation(), Generation(generation.rawValue + 1))
        },
        StoreRule("An import without a matcher leaves channels unmatched until the next match") { guide in
            try guide.importing(["one 20:00-21:00 A"])
            _ = try guide.saveLineup(Lineup("cable", ["two 1", "one 2"]))
            try guide.withSession { session in
                _ = try session.loadContentIndex()
                try session.setStations([(place: 3, id: StationID("two"), nodes: [])])
                _ = try session.commit(ImportReport(), state: nil)
            }
            try expectEqual(guide.order, "one=2 two")
            try guide.setMapping("none", to: nil)
            try expectEqual(guide.order, "two=1 one=2")
        },
        StoreRule("A mapping applies to a station that is imported later") { guide in
            try guide.importFive()
            _ = try guide.saveLineup(Lineup("cable", ["three 1", "nobody 2"]))
            try guide.setMapping("nobody", to: StationID("later"))
            try guide.setMapping("three", to: StationID("five"))
            try expectEqual(guide.mappings(), ["nobody": StationID("later"), "three": StationID("five")])
            try expectEqual(guide.order, "five=1 four two one three")
            try guide.importing(["later 20:00-21:00 A"])
            try guide.setMapping("none", to: nil)
            try expectEqual(
                guide.lineup(named: "cable")?.matches,
                [
                    ChannelMatch(station: StationID("five"), rule: .mapping),
                    ChannelMatch(station: StationID("later"), rule: .mapping),
                ])
            // A replaced lineup keeps its mappings.
            try expectEqual(guide.saveLineup(Lineup("cable", ["three 4"])).matched, [.mapping: 1])
            try guide.setMapping("three", to: nil)
            try expectEqual(guide.mappings(), ["nobody": StationID("later")])
            #expect(try guide.order.hasPrefix("three=4 "))
            let before = try guide.contents()
            try guide.setMapping("three", to: nil)
            try guide.setMapping("nobody", to: StationID("later"))
            try expectEqual(guide.contents(), before)
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("Several mappings are stored at once") { guide in
            try guide.importFive()
            _ = try guide.saveLineup(Lineup("cable", ["three 1", "four 2"]))
            try guide.setMapping("four", to: StationID("one"))
            try guide.storage.write(waiting: .forOthers) {
                try $0.setMappings(
                    ["three": StationID("five"), "four": nil], matcher: TableMatcher(), now: Day.now)
            }
            try expectEqual(guide.mappings(), ["three": StationID("five")])
            try expectEqual(
                guide.lineup(named: "cable")?.matches,
                [
                    ChannelMatch(station: StationID("five"), rule: .mapping),
                    ChannelMatch(station: StationID("four"), rule: .exactID),
                ])
        },
        StoreRule("Removing a station keeps its channel in the lineup") { guide in
            try guide.importFive()
            try guide.importing(["six 20:00-21:00 A"], as: Source(name: "other"))
            let lineup = Lineup("cable", ["six 1", "one 2"])
            _ = try guide.saveLineup(lineup)
            try expectEqual(guide.removeSource(named: "other"), true)
            try expectEqual(guide.lineup(named: "cable")?.lineup, lineup)
            try expectEqual(
                guide.lineup(named: "cable")?.matches,
                [nil, ChannelMatch(station: StationID("one"), rule: .exactID)])
            try expectEqual(guide.order, "one=2 four two three five")
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("Saving a lineup leaves all airings unchanged") { guide in
            try guide.importFive()
            let before = try (ExportLog.of(guide).lines.sorted(), guide.airings(), guide.sources())
            _ = try guide.saveLineup(Lineup("cable", ["five 1", "one 2"]))
            let after = try (ExportLog.of(guide).lines.sorted(), guide.airings(), guide.sources())
            expectEqual(after, before)
            let schedules = try guide.schedules(inRows: 0..<2, during: Day.allTime)
            expectEqual(schedules.map { $0.schedule.airings.map(\.title) }, [[], ["A"]])
        },
    ]
}

extension GuideUnderTest {
    /// Imports five stations, two of them with numbers. Without a lineup, their order is four, two, one, three, five.
    fileprivate func importFive() throws {
        try importing([
            "<channel id=\"one\"/><channel id=\"two\"><lcn>9</lcn></channel><channel id=\"three\"/>",
            "<channel id=\"four\"><lcn>3</lcn></channel><channel id=\"five\"/>", "one 20:00-21:00 A",
        ])
    }

    /// Imports a new version of a list, with the rules of the program.
    fileprivate func replace(_ lineup: Lineup) throws -> LineupOutcome {
        var lineup = lineup
        // The names of channels stay when their numbers change.
        for index in lineup.channels.indices { lineup.channels[index].name = lineup.channels[index].guideID ?? "" }
        return try storage.write(waiting: .forOthers) { [lineup] in
            try $0.replaceLineup(lineup, from: nil, matcher: StationMatcher(), now: Day.now)
        }
    }

    /// Refreshes the source `tv` with a playlist of channels: identifier, name and group. Their URLs contain a new token each time.
    @discardableResult
    fileprivate func refresh(
        _ channels: [(id: String, name: String, group: String)], minimumShare: Int? = nil
    ) throws -> LineupOutcome {
        let lineup = Lineup(
            name: "tv",
            channels: channels.map {
                Channel(name: $0.name, guideID: $0.id, groups: [$0.group], url: "http://provider.test/\($0.id)")
            })
        let refresh = LineupRefresh(source: "tv", minimumShare: minimumShare, state: SourceState())
        return try storage.write(waiting: .forOthers) {
            try $0.replaceLineup(lineup, from: refresh, matcher: StationMatcher(), now: Day.now)
        }
    }

    /// The stations in row order, with the numbers of the lineups, such as `one=2 two`.
    fileprivate var order: String {
        get throws {
            try stations(inRows: 0..<99).map { row in
                row.station.id.rawValue + (row.channelNumber.map { "=\($0)" } ?? "")
            }.joined(separator: " ")
        }
    }
}
