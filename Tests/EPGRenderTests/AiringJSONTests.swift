import EPGCalendar
import EPGJSON
import EPGOutput
import EPGRender
import TestSupport
import Testing

@testable import EPGModel

/// Tests of the members of airings and stations in lists.
@Suite struct AiringJSONTests {
    private let airing = Airing(
        id: AiringID(7), station: StationID("one"),
        window: TimeWindow(
            start: Instant(secondsSince1970: 1_792_865_700), end: Instant(secondsSince1970: 1_792_869_300)),
        title: "News", subtitle: "Late", categories: ["News"], marks: [.new, .live])

    private func json(_ value: some JSONValue) -> String {
        var writer = JSONWriter()
        writer.write(value)
        return writer.text
    }

    // MARK: - Names

    @Test func memberNamesHaveCanonicalForm() throws {
        let members = try #require(AiringMembers(names: "title,id,series,title"))
        expectEqual(members, [.id, .title, .series])
        expectEqual(members.description, "id,series,title")
        try expectEqual(#require(StationMembers(names: "name,images,id")).description, "id,images,name")
    }

    @Test(arguments: ["bogus", "id,", ",id", "id,bogus", "ID", " id", ""])
    func unknownMemberNamesAreRejected(text: String) {
        expectEqual(AiringMembers(names: text), nil)
        expectEqual(StationMembers(names: text), nil)
    }

    @Test func memberNamesAreDistinct() {
        expectEqual(AiringMembers.names.count, 26)
        expectEqual(StationMembers.names.count, 10)
        expectEqual(AiringMembers.names.reduce(0) { $0 ^ $1.member.rawValue }, 1 << 26 - 1)
        expectEqual(StationMembers.names.reduce(0) { $0 ^ $1.member.rawValue }, 1 << 10 - 1)
    }

    // MARK: - Airings

    @Test func standardMembersEqualAiringJSON() {
        expectEqual(json(SelectedAiring(airing)), json(airing))
    }

    @Test func onlySelectedMembersAreWritten() {
        expectEqual(json(SelectedAiring(airing, members: [.title, .id])), #"{"id":7,"title":"News"}"#)
        expectEqual(json(SelectedAiring(airing, members: .published)), "{}")
        expectEqual(json(SelectedAiring(airing, members: .marks)), #"{"marks":["new","live"]}"#)
        expectEqual(json(SelectedAiring(airing, members: .genre, genre: .news)), #"{"genre":"news"}"#)
        var derived = airing
        (derived.episode, derived.episodeSource, derived.marks) = ("S1 E2", .title, [.repeated, .derived])
        expectEqual(
            json(SelectedAiring(derived, members: [.episode, .marks])),
            #"{"episode":"S1 E2","episodeSource":"title","marks":["repeat","derived"]}"#)
    }

    /// The airing with a programme.
    private var detail: AiringDetail {
        var programme = Programme()
        programme.titles = [LocalizedText("News")]
        programme.episodeNumbers = [EpisodeNumber(value: "series/9", system: "thetvdb.com")]
        programme.ratings = [
            Programme.Rating(
                system: "BBFC", value: "12",
                icons: [Icon(source: "javascript:1"), Icon(source: "https://p.example/12.png")])
        ]
        programme.urls = [
            WebLink(url: "https://i.example/", system: "imdb"), WebLink(url: "javascript:2"),
            WebLink(url: "https://w.example/"),
        ]
        return AiringDetail(
            airing: airing, stationName: "One", programme: programme,
            transmission: [ContentAttribute(name: "catchup-id", value: "c7")], source: "feed")
    }

    @Test func programmeMembersAreWritten() {
        let members: AiringMembers = [.series, .minimumAge, .ratings]
        #expect(
            json(SelectedAiring(airing, members: members, detail: detail))
                == #"{"ratings":[{"system":"BBFC","value":"12","icons":[{"source":"https://p.example/12.png"}]}],"#
                + #""series":"thetvdb.com:9","minimumAge":12}"#)
    }

    // MARK: - Links

    private var context: LinkContext {
        func channel(_ name: String, _ attributes: (String, String)...) -> Channel {
            Channel(
                name: name, url: "https://s.example/\(name).m3u8",
                attributes: attributes.map { ContentAttribute(name: $0.0, value: $0.1) })
        }
        let catchup = [("catchup", "append"), ("catchup-source", "?u={utc}")]
        let channels = StationChannels([
            Lineup(
                name: "tv",
                channels: [
                    channel("one", ("tvg-shift", "1"), catchup[0], catchup[1]),
                    channel("later", ("tvg-shift", "2"), catchup[0], catchup[1]),
                ]),
            Lineup(name: "radio", channels: [channel("sound")]),
        ])
        return LinkContext(now: airing.window.start.advanced(by: 60), zone: .utc, channels: channels)
    }

    @Test func liveLinksAreForChannelsThatTransmitAiringNow() {
        var context = context
        let web =
            #"{"type":"web","url":"https://i.example/","source":"imdb"},{"type":"web","url":"https://w.example/"}"#
        let page = #"{"type":"guide","url":"/airings/7"}"#
        func live(_ name: String, _ lineup: String) -> String {
            #"{"type":"live","url":"https://s.example/\#(name).m3u8","source":"\#(lineup)"}"#
        }
        // The first channel of the station has the times of the guide; “later” is an hour behind it, “sound” an hour ahead.
        expectEqual(json(context.links(of: detail)), "[\(web),\(page),\(live("one", "tv"))]")
        context.now = airing.window.end.advanced(by: 1)
        expectEqual(json(context.links(of: detail)), "[\(web),\(page),\(live("later", "tv"))]")
        context.now = airing.window.start.advanced(by: -1)
        context.serviceURL = "https://tv.example/epg"
        #expect(
            json(context.links(of: detail))
                == #"[\#(web),{"type":"guide","url":"https://tv.example/epg/airings/7"},\#(live("sound", "radio"))]"#)
    }

    @Test func catchupHasEntryForEachSupportingChannel() {
        var context = context
        let one = #"{"lineup":"tv","channel":"one","url":"https://s.example/one.m3u8?u=1792865700"}"#
        let later = #"{"lineup":"tv","channel":"later","url":"https://s.example/later.m3u8?u=1792865700"}"#
        expectEqual(
            json(SelectedAiring(airing, members: .catchup, detail: detail, links: context)), #"{"catchup":[\#(one)]}"#)
        context.now = airing.window.end.advanced(by: 60)
        expectEqual(json(context.catchup(of: detail)), "[\(one),\(later)]")
        var hidden = detail
        hidden.isShown = false
        #expect(context.catchup(of: hidden).isEmpty)
    }

    // MARK: - Pictures

    @Test func picturesAreUniqueAndLargestFirst() {
        var programme = Programme()
        programme.icons = [
            Icon(source: "https://p.example/unknown.png"),
            Icon(source: "https://p.example/small.png", width: "100", height: "60"),
            Icon(source: "javascript:1", width: "9999"),
            Icon(source: "https://p.example/tall.png", width: "500", height: " 700 "),
            Icon(source: "https://p.example/twice.png", width: "800", height: "big"),
        ]
        programme.images = [
            Programme.Image(
                url: "https://p.example/3.png", type: "poster", size: "3", orientation: "P", system: "tmdb"),
            Programme.Image(url: "https://p.example/2.png", size: "2"),
            Programme.Image(url: "https://p.example/twice.png", type: "still", size: "4"),
        ]
        #expect(
            json(EPGModel.Picture.pictures(of: programme))
                == #"[{"url":"https://p.example/twice.png","width":800,"type":"still"},"#
                + #"{"url":"https://p.example/3.png","type":"poster","size":3,"orientation":"P","source":"tmdb"},"#
                + #"{"url":"https://p.example/tall.png","width":500,"height":700},"#
                + #"{"url":"https://p.example/2.png","size":2},"#
                + #"{"url":"https://p.example/small.png","width":100,"height":60},{"url":"https://p.example/unknown.png"}]"#
        )
    }

    // MARK: - Stations

    @Test func stationWritesOnlySelectedMembers() {
        let station = Station(
            id: StationID("one"), displayNames: [LocalizedText("One")],
            icons: [Icon(source: "https://p.example/1.png", width: "128")])
        var writer = JSONWriter()
        writer.object { StationRow(row: 3, station: station).writeMembers([.row, .name, .images], to: &$0) }
        #expect(writer.text == #"{"row":3,"name":"One","images":[{"url":"https://p.example/1.png","width":128}]}"#)
    }
}
