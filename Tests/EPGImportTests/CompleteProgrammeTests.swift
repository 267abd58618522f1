import EPGStore
import TestSupport
import Testing

@testable import EPGModel

/// The store returns all elements of xmltv.dtd, and those that feeds add, as written.
@Suite struct CompleteProgrammeTests {
    static let records = """
        <channel id="one.test"><display-name>One</display-name></channel>
        <programme start="20260328180000 +0000" stop="20260328190000 +0000" pdc-start="20260328175900 +0000"
          vps-start="20260328180000 +0000" showview="12345" videoplus="67890" catchup-id="c-1" x-studio="B"
          channel="one.test">
          <title lang="en">Night Train</title><title lang="de">Nachtzug</title>
          <sub-title lang="en">Vienna</sub-title><sub-title>Wien</sub-title>
          <desc lang="en">A journey.</desc><desc lang="de">Eine Reise.</desc>
          <credits>
            <director>Ada Lind</director>
            <actor role="Guard" guest="yes">Jo Park<image type="person" size="1" orient="P" system="s">j.png</image>
              <url system="a">https://a.test/jo</url></actor>
            <writer>W</writer><adapter>A</adapter><producer>P</producer><composer>C</composer><editor>E</editor>
            <presenter>Pr</presenter><commentator>Co</commentator><guest>G</guest>
          </credits>
          <date>1999</date>
          <category lang="en">Film</category><category lang="de">Spielfilm</category>
          <keyword lang="en">railway</keyword>
          <language>English</language><orig-language lang="en">German</orig-language>
          <length units="minutes">50</length>
          <icon src="i.png" width="10" height="20"/>
          <url system="imdb">https://a.test/film</url>
          <country lang="en">Austria</country>
          <episode-num system="xmltv_ns">0 . 12/13 . 0/3</episode-num><episode-num>E13</episode-num>
          <video><present>yes</present><colour>no</colour><aspect>16:9</aspect><quality>HDTV</quality></video>
          <audio><present>yes</present><stereo>dolby digital</stereo></audio>
          <previously-shown start="19990101" channel="two.test"/>
          <premiere lang="en">First time here</premiere><last-chance/><new/>
          <subtitles type="teletext"><language>German</language></subtitles>
          <subtitles type="deaf-signed"/>
          <rating system="MPAA"><value>PG</value><icon src="pg.png"/></rating>
          <star-rating system="press"><value>0 / 5</value></star-rating>
          <review type="text" source="S" reviewer="R" lang="en">Fine.</review>
          <review type="url">https://a.test/review</review>
          <image type="poster" size="3" orient="P" system="s">p.jpg</image>
          <season>2</season><x-mood level="3"><x-colour>blue</x-colour> indeed</x-mood>
        </programme>
        """

    private func detail() throws -> AiringDetail {
        try #require(try ImportedGuide(Self.records).onlyAiring())
    }

    @Test func textsRoundTripInEveryLanguage() throws {
        let programme = try detail().programme
        expectEqual(
            programme.titles,
            [
                LocalizedText("Night Train", language: "en"), LocalizedText("Nachtzug", language: "de"),
            ])
        expectEqual(programme.subtitles, [LocalizedText("Vienna", language: "en"), LocalizedText("Wien")])
        expectEqual(
            programme.descriptions,
            [
                LocalizedText("A journey.", language: "en"), LocalizedText("Eine Reise.", language: "de"),
            ])
        expectEqual(
            programme.categories, [LocalizedText("Film", language: "en"), LocalizedText("Spielfilm", language: "de")])
        expectEqual(programme.keywords, [LocalizedText("railway", language: "en")])
        expectEqual(programme.countries, [LocalizedText("Austria", language: "en")])
        expectEqual(programme.language, LocalizedText("English"))
        expectEqual(programme.originalLanguage, LocalizedText("German", language: "en"))
        expectEqual(programme.premiere, LocalizedText("First time here", language: "en"))
        expectEqual(programme.lastChance, LocalizedText(""))
    }

    @Test func creditsRoundTripWithImagesAndURLs() throws {
        let credits = try detail().programme.credits
        expectEqual(
            credits.map(\.role),
            [
                "director", "actor", "writer", "adapter", "producer", "composer", "editor", "presenter", "commentator",
                "guest",
            ])
        expectEqual(
            credits.dropFirst().first,
            .init(
                role: "actor", name: "Jo Park", character: "Guard", isGuest: true,
                images: [.init(url: "j.png", type: "person", size: "1", orientation: "P", system: "s")],
                urls: [WebLink(url: "https://a.test/jo", system: "a")]))
    }

    @Test func otherDTDElementsRoundTrip() throws {
        let programme = try detail().programme
        expectEqual(programme.date, "1999")
        expectEqual(programme.length, .init(value: "50", units: "minutes"))
        expectEqual(programme.icons, [Icon(source: "i.png", width: "10", height: "20")])
        expectEqual(programme.urls, [WebLink(url: "https://a.test/film", system: "imdb")])
        expectEqual(programme.episodeNumbers.map(\.value), ["0 . 12/13 . 0/3", "E13"])
        expectEqual(programme.episodeNumbers.map(\.system), ["xmltv_ns", "onscreen"])
        expectEqual(programme.video, .init(present: "yes", colour: "no", aspect: "16:9", quality: "HDTV"))
        expectEqual(programme.audio, .init(present: "yes", stereo: "dolby digital"))
        expectEqual(programme.previouslyShown, .init(start: "19990101", channel: "two.test"))
        expectEqual(programme.isNew, true)
        expectEqual(
            programme.captions,
            [
                .init(type: "teletext", language: LocalizedText("German")), .init(type: "deaf-signed"),
            ])
        expectEqual(programme.ratings, [.init(system: "MPAA", value: "PG", icons: [Icon(source: "pg.png")])])
        expectEqual(programme.starRatings, [.init(system: "press", value: "0 / 5")])
        expectEqual(
            programme.reviews,
            [
                .init(type: "text", source: "S", reviewer: "R", language: "en", content: "Fine."),
                .init(type: "url", content: "https://a.test/review"),
            ])
        expectEqual(programme.images, [.init(url: "p.jpg", type: "poster", size: "3", orientation: "P", system: "s")])
    }

    @Test func elementsOutsideDTDRoundTripInOrder() throws {
        try expectEqual(
            detail().programme.extras,
            [
                .element(ContentElement(name: "season", children: [.text("2")])),
                .element(
                    ContentElement(
                        name: "x-mood", attributes: [ContentAttribute(name: "level", value: "3")],
                        children: [
                            .element(ContentElement(name: "x-colour", children: [.text("blue")])), .text("indeed"),
                        ])),
            ])
    }

    @Test func transmissionAttributesAreKept() throws {
        let detail = try detail()
        expectEqual(
            detail.transmission.map { "\($0.name)=\($0.value)" },
            [
                "pdc-start=20260328175900 +0000", "vps-start=20260328180000 +0000", "showview=12345",
                "videoplus=67890", "catchup-id=c-1", "x-studio=B",
            ])
        expectEqual(detail.source, "feed")
        expectEqual(detail.stationName, "One")
    }

    @Test func airingShowsFirstTextOfEachKind() throws {
        let airing = try detail().airing
        expectEqual(airing.title, "Night Train")
        expectEqual(airing.subtitle, "Vienna")
        expectEqual(airing.description, "A journey.")
        expectEqual(airing.categories, ["Film", "Spielfilm"])
        expectEqual(airing.episode, "S1 E13 (1/3)")
        expectEqual(airing.window.start.iso8601, "2026-03-28T18:00:00Z")
        expectEqual(airing.window.end.iso8601, "2026-03-28T19:00:00Z")
        expectEqual(airing.isStopInferred, false)
        expectEqual(airing.published, nil)
        expectEqual(airing.clump, nil)
    }

    @Test func contentIsStoredOnceForAllTransmissions() throws {
        // The same content twice with different catch-up identifiers: one programme, two transmissions.
        let guide = try ImportedGuide(
            """
            <programme start="20260328180000" stop="20260328190000" channel="a" catchup-id="1"><title>T</title></programme>
            <programme start="20260328190000" stop="20260328200000" channel="a" catchup-id="2"><title>T</title></programme>
            <programme start="20260328200000" stop="20260328210000" channel="a"><title>T</title></programme>
            """)
        expectEqual(guide.outcome.programmesInserted, 1)
        let details = try guide.airings(of: "a").compactMap { try guide.store.airing($0.id) }
        expectEqual(details.map { $0.transmission.map(\.value) }, [["1"], ["2"], []])
    }
}
