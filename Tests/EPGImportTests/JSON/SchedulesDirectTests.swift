import EPGImport
import EPGModel
import TestSupport
import Testing

@Suite struct SchedulesDirectTests {
    /// Returns the content of an airing. The arguments are members of the JSON objects of the program and the airing.
    private func content(program: String = "", airing: String = "") throws -> [ContentNode] {
        let comma = (program.isEmpty ? "" : ",", airing.isEmpty ? "" : ",")
        let records = try JSONReading.records(
            """
            {"programs": [{"programID": "EP1", "titles": [{"title120": "T"}]\(comma.0)\(program)}],
             "schedules": [{"stationID": "1", "programs": [
                {"programID": "EP1", "airDateTime": "2026-10-25T18:00:00Z", "duration": 60\(comma.1)\(airing)}]}]}
            """)
        expectEqual(records.faults, [])
        return try #require(records.airings.first).nodes
    }

    /// The element for each field of a program. The field values are from the documentation of the service and from real
    /// responses.
    @Test(
        arguments: [
            (#""episodeTitle150": "Spoons""#, "sub-title", ["<sub-title>Spoons</sub-title>"]),
            (
                #""descriptions": {"description100": [{"descriptionLanguage": "en", "description": "short"}], "description1000": [{"descriptionLanguage": "en", "description": "long"}, {"descriptionLanguage": "fr", "description": "longue"}]}"#,
                "desc", ["<desc lang='en'>long</desc>", "<desc lang='fr'>longue</desc>"]
            ),
            (#""descriptions": {"description100": [{"description": "short"}]}"#, "desc", ["<desc>short</desc>"]),
            (
                #""cast": [{"role": "Actor", "name": "A", "characterName": "C"}, {"role": "Guest Star", "name": "G", "characterName": "D"}, {"role": "Guest", "name": "Q"}, {"role": "Host", "name": "H"}, {"role": "Voice", "name": "V"}], "crew": [{"role": "Executive Producer", "name": "P"}, {"role": "Writer", "name": "W"}, {"role": "Director", "name": "X"}, {"role": "Casting Director", "name": "no"}, {"role": "Film Editor", "name": "E"}, {"role": "Original Music", "name": "M"}, {"role": "Stunts", "name": "no"}]"#,
                "credits",
                [
                    "<credits><director>X</director><actor role='C'>A</actor><actor role='D' guest='yes'>G</actor><actor>V</actor><writer>W</writer><producer>P</producer><composer>M</composer><editor>E</editor><presenter>H</presenter><guest>Q</guest></credits>"
                ]
            ),
            (#""movie": {"year": "1969"}"#, "date", ["<date>1969</date>"]),
            (#""originalAirDate": "2012-06-06""#, "date", ["<date>20120606</date>"]),
            (#""originalAirDate": "2012-06-31""#, "date", []),
            (
                #""genres": ["Drama", "News"], "showType": "Series", "entityType": "Episode""#, "category",
                [
                    "<category>Drama</category>", "<category>News</category>", "<category>Series</category>",
                    "<category>series</category>",
                ]
            ),
            (#""entityType": "Sports", "genres": ["sports"]"#, "category", ["<category>sports</category>"]),
            (#""entityType": "Movie""#, "category", ["<category>movie</category>"]),
            (#""entityType": "Show""#, "category", ["<category>tvshow</category>"]),
            (
                #""keyWords": {"Mood": ["Grim", "Wry"], "General": ["Snakes"]}"#, "keyword",
                ["<keyword>Grim</keyword>", "<keyword>Wry</keyword>", "<keyword>Snakes</keyword>"]
            ),
            (#""duration": 1320"#, "length", ["<length units='seconds'>1320</length>"]),
            (#""movie": {"duration": 6900}"#, "length", ["<length units='seconds'>6900</length>"]),
            (
                #""episodeImage": {"uri": "assets/p1.jpg", "width": "240", "height": "360"}"#, "icon",
                ["<icon src='https://json.schedulesdirect.org/20141201/image/assets/p1.jpg' width='240' height='360'/>"]
            ),
            (
                #""episodeImage": {"uri": "https://example.com/p1.jpg"}"#, "icon",
                ["<icon src='https://example.com/p1.jpg'/>"]
            ),
            (#""officialURL": "https://example.com/""#, "url", ["<url>https://example.com/</url>"]),
            (#""country": ["GBR"]"#, "country", ["<country>GBR</country>"]),
            (
                #""metadata": [{"Gracenote": {"season": 3, "episode": 24, "totalEpisodes": 24}}]"#, "episode-num",
                [
                    "<episode-num system='xmltv_ns'>2.23/24.</episode-num>",
                    "<episode-num system='dd_progid'>EP1</episode-num>",
                ]
            ),
            (
                #""metadata": [{"TheTVDB": {"season": 1, "episode": 2, "totalEpisodes": 1}}]"#, "episode-num",
                [
                    "<episode-num system='xmltv_ns'>0.1.</episode-num>",
                    "<episode-num system='dd_progid'>EP1</episode-num>",
                ]
            ),
            (
                #""metadata": [{"Gracenote": {"season": 0, "episode": 0, "totalEpisodes": 153}}]"#, "episode-num",
                ["<episode-num system='dd_progid'>EP1</episode-num>"]
            ),
            (
                #""contentRating": [{"body": "USA Parental Rating", "code": "TVPG"}, {"code": "12"}]"#, "rating",
                [
                    "<rating system='USA Parental Rating'><value>TVPG</value></rating>",
                    "<rating><value>12</value></rating>",
                ]
            ),
            (
                #""contentAdvisory": ["Violence"]"#, "rating",
                ["<rating system='advisory'><value>Violence</value></rating>"]
            ),
            (
                #""movie": {"qualityRating": [{"ratingsBody": "Gracenote", "rating": "3.5", "maxRating": "4"}]}"#,
                "star-rating", ["<star-rating system='Gracenote'><value>3.5/4</value></star-rating>"]
            ),
            (#""originalAirDate": "2012-06-06""#, "previously-shown", ["<previously-shown start='20120606'/>"]),
        ] as [(String, String, [String])])
    func programFieldMapsToElement(_ program: String, element: String, xml: [String]) throws {
        try expectEqual(content(program: program).xml(element), xml)
    }

    /// The element for each field of a schedule's airing.
    @Test(
        arguments: [
            (#""new": true"#, "new", ["<new/>"]), (#""new": false"#, "new", []),
            (#""audioProperties": ["cc", "stereo"]"#, "audio", ["<audio><stereo>stereo</stereo></audio>"]),
            (#""audioProperties": ["stereo", "DD 5.1"]"#, "audio", ["<audio><stereo>dolby digital</stereo></audio>"]),
            (#""audioProperties": ["cc"]"#, "subtitles", ["<subtitles type='teletext'/>"]),
            (#""audioProperties": ["dvs"]"#, "audio-described", ["<audio-described/>"]),
            (
                #""videoProperties": ["letterbox", "hdtv", "HD 1080i"]"#, "video",
                ["<video><quality>HDTV</quality></video>"]
            ),
            // A form that the service once sent.
            (
                #""videoProperties": {"0": "hdtv", "2": "letterbox"}"#, "video",
                ["<video><quality>HDTV</quality></video>"]
            ),
            (#""isPremiereOrFinale": "Season Premiere""#, "premiere", ["<premiere>Season Premiere</premiere>"]),
            (#""isPremiereOrFinale": "Season Finale""#, "premiere", []),
            (#""premiere": true"#, "premiere", ["<premiere/>"]),
            (#""liveTapeDelay": "Live""#, "live", ["<live/>"]), (#""liveTapeDelay": "Tape""#, "live", []),
            (#""repeat": true"#, "previously-shown", ["<previously-shown/>"]),
            (
                #""ratings": [{"body": "USA Parental Rating", "code": "TVG"}]"#, "rating",
                ["<rating system='USA Parental Rating'><value>TVG</value></rating>"]
            ),
            (
                #""multipart": {"partNumber": 2, "totalParts": 3}"#, "episode-num",
                [
                    "<episode-num system='xmltv_ns'>..1/3</episode-num>",
                    "<episode-num system='dd_progid'>EP1</episode-num>",
                ]
            ),
        ] as [(String, String, [String])])
    func airingFieldMapsToElement(_ airing: String, element: String, xml: [String]) throws {
        try expectEqual(content(airing: airing).xml(element), xml)
    }

    @Test func programAndAiringAreCombined() throws {
        let nodes = try content(
            program: #"""
                "originalAirDate": "2012-06-06", "metadata": [{"Gracenote": {"season": 3, "episode": 24}}],
                "contentRating": [{"body": "BBFC", "code": "PG"}]
                """#,
            airing: #""new": true, "multipart": {"partNumber": 1, "totalParts": 2}, "ratings": [{"code": "TVG"}]"#)
        expectEqual(nodes.xml("episode-num").first, "<episode-num system='xmltv_ns'>2.23.0/2</episode-num>")
        // New content has not been shown before. The program's ratings are more precise.
        expectEqual(nodes.xml("previously-shown"), [])
        expectEqual(nodes.xml("rating"), ["<rating system='BBFC'><value>PG</value></rating>"])
        #expect(!nodes.contains { if case .element(let element) = $0 { element.name.hasPrefix("@") } else { false } })
    }

    @Test(
        arguments: [
            (#""airDateTime": "2026-10-25T18:00:00Z", "duration": 1800"#, "2026-10-25T18:30:00Z"),
            (#""airDateTime": "2026-10-25T18:00:00Z", "duration": "1800""#, "2026-10-25T18:30:00Z"),
            (#""airDateTime": "2026-10-25T18:00:00", "duration": 60"#, "2026-10-25T18:01:00Z"),
            (#""airDateTime": "2026-10-25T18:00:00Z""#, nil),
            (#""airDateTime": "2026-10-25T18:00:00Z", "duration": 0"#, nil),
            (#""airDateTime": "2026-10-25T18:00:00Z", "duration": -60"#, nil),
            (#""airDateTime": "2026-10-25T18:00:00Z", "duration": 9223372036854775807"#, nil),
        ] as [(String, String?)])
    func stopIsStartPlusDuration(_ entry: String, stop: String?) throws {
        let airings = try JSONReading.records(#"[{"stationID": "1", "programs": [{\#(entry)}]}]"#).airings
        expectEqual(airings.map(\.start), [.instant(Instant(secondsSince1970: 1_792_951_200))])
        let found: String? = if case .instant(let instant) = airings.first?.stop { instant.iso8601 } else { nil }
        expectEqual(found, stop)
    }

    @Test(arguments: [
        (#"{"stationID": "1", "channel": "007"}"#, "<lcn>7</lcn>"),
        (#"{"stationID": "1", "channel": "002", "logicalChannelNumber": "12"}"#, "<lcn>12</lcn>"),
        (#"{"stationID": "1", "uhfVhf": 49, "atscMajor": 8, "atscMinor": 10}"#, "<lcn>8.10</lcn>"),
        (#"{"stationID": "1", "channel": "000"}"#, "<lcn>000</lcn>"),
        (#"{"stationID": "1", "channel": "3"}, {"stationID": "1", "channel": "103"}"#, "<lcn>3</lcn><lcn>103</lcn>"),
    ])
    func stationIsDescribedAndNumbered(_ map: String, numbers: String) throws {
        let lineup = """
            {"map": [\(map)], "stations": [{"stationID": "1", "name": "WHP", "callsign": "WHP", "affiliate": "CBS",
              "stationLogo": [{"URL": "https://example.com/a.png", "width": 360, "height": 270},
                              {"URL": "https://example.com/b.png"}],
              "logo": {"URL": "https://example.com/a.png", "width": 360, "height": 270}}],
             "metadata": {"lineup": "USA-1"}}
            """
        let stations = try JSONReading.records(lineup).stations
        expectEqual(stations.map(\.id), ["I1.json.schedulesdirect.org"])
        expectEqual(
            stations.first?.nodes.xml,
            "<display-name>WHP</display-name><display-name>CBS</display-name>"
                + "<icon src='https://example.com/a.png' width='360' height='270'/>"
                + "<icon src='https://example.com/b.png'/>" + numbers)
    }

    /// Lineups of cable channels group the map by modulation. A lineup may have no station descriptions.
    @Test func mapsOfAllKindsAreRead() throws {
        let stations = try JSONReading.records(
            """
            {"map": {"QAM 1": [{"stationID": "1", "virtualChannel": "5"}], "QAM 2": [{"stationID": "2", "channel": "6"}]},
             "stations": [{"stationID": "2", "name": "Two"}]}
            """
        ).stations
        expectEqual(stations.map { $0.nodes.xml }, ["<lcn>5</lcn>", "<display-name>Two</display-name><lcn>6</lcn>"])
        let bare = try JSONReading.records(
            #"{"map":[{"stationID":"24326","channel":"001","providerCallsign":"BBC ONE South"}]}"#
        ).stations
        expectEqual(bare.map { $0.nodes.xml }, ["<display-name>BBC ONE South</display-name><lcn>1</lcn>"])
    }
}

/// Tests many airings that share programs, of which there are more than the reader keeps decoded.
@Suite struct DecodedProgramTests {
    /// Airings of many programs alternate, each with its own content and marks.
    @Test func alternatingAiringsGetTheirOwnPrograms() throws {
        let programs = (0..<300).map { number in
            """
            {"programID": "EP\(number)", "titles": [{"title120": "T\(number)"}], "originalAirDate": "2012-06-06",
             "metadata": [{"Gracenote": {"season": 1, "episode": \(number + 1)}}], "showType": "\(String(repeating: "x", count: 3000))"}
            """
        }
        let airings = (0..<1200).map { number in
            """
            {"programID": "EP\(number % 300)", "airDateTime": "2026-10-25T18:00:00Z", "duration": 60,
             "new": \(number >= 600), "multipart": {"partNumber": \(number / 300 + 1), "totalParts": 4}}
            """
        }
        let text = """
            {"programs": [\(programs.joined(separator: ","))],
             "schedules": [{"stationID": "1", "programs": [\(airings.joined(separator: ","))]}]}
            """
        let records = try JSONReading.records(text).airings
        expectEqual(records.count, 1200)
        for (number, record) in records.enumerated() {
            expectEqual(record.nodes.xml("title"), ["<title>T\(number % 300)</title>"])
            expectEqual(
                record.nodes.xml("episode-num"),
                [
                    "<episode-num system='xmltv_ns'>0.\(number % 300).\(number / 300)/4</episode-num>",
                    "<episode-num system='dd_progid'>EP\(number % 300)</episode-num>",
                ])
            expectEqual(
                record.nodes.xml("previously-shown"), number < 600 ? ["<previously-shown start='20120606'/>"] : [])
            expectEqual(record.nodes.xml("new"), number < 600 ? [] : ["<new/>"])
        }
    }
}
