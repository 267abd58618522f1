import EPGStore
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
        #expect(
            programme.titles == [
                LocalizedText("Night Train", language: "en"), LocalizedText("Nachtzug", language: "de"),
            ])
        #expect(programme.subtitles == [LocalizedText("Vienna", language: "en"), LocalizedText("Wien")])
        #expect(
            programme.descriptions == [
                LocalizedText("A journey.", language: "en"), LocalizedText("Eine Reise.", language: "de"),
            ])
        #expect(
            programme.categories == [LocalizedText("Film", language: "en"), LocalizedText("Spielfilm", language: "de")])
        #expect(programme.keywords == [LocalizedText("railway", language: "en")])
        #expect(programme.countries == [LocalizedText("Austria", language: "en")])
        #expect(programme.language == LocalizedText("English"))
        #expect(programme.originalLanguage == LocalizedText("German", language: "en"))
        #expect(programme.premiere == LocalizedText("First time here", language: "en"))
        #expect(programme.lastChance == LocalizedText(""))
    }

    @Test func creditsRoundTripWithImagesAndURLs() throws {
        let credits = try detail().programme.credits
        #expect(
            credits.map(\.role) == [
                "director", "actor", "writer", "adapter", "producer", "composer", "editor", "presenter", "commentator",
                "guest",
            ])
        #expect(
            credits.dropFirst().first
                == .init(
                    role: "actor", name: "Jo Park", character: "Guard", isGuest: true,
                    images: [.init(url: "j.png", type: "person", size: "1", orientation: "P", system: "s")],
                    urls: [WebLink(url: "https://a.test/jo", system: "a")]))
    }

    @Test func otherDTDElementsRoundTrip() throws {
        let programme = try detail().programme
        #expect(programme.date == "1999")
        #expect(programme.length == .init(value: "50", units: "minutes"))
        #expect(programme.icons == [Icon(source: "i.png", width: "10", height: "20")])
        #expect(programme.urls == [WebLink(url: "https://a.test/film", system: "imdb")])
        #expect(programme.episodeNumbers.map(\.value) == ["0 . 12/13 . 0/3", "E13"])
        #expect(programme.episodeNumbers.map(\.system) == ["xmltv_ns", "onscreen"])
        #expect(programme.video == .init(present: "yes", colour: "no", aspect: "16:9", quality: "HDTV"))
        #expect(programme.audio == .init(present: "yes", stereo: "dolby digital"))
        #expect(programme.previouslyShown == .init(start: "19990101", channel: "two.test"))
        #expect(programme.isNew)
        #expect(
            programme.captions == [
                .init(type: "teletext", language: LocalizedText("German")), .init(type: "deaf-signed"),
            ])
        #expect(programme.ratings == [.init(system: "MPAA", value: "PG", icons: [Icon(source: "pg.png")])])
        #expect(programme.starRatings == [.init(system: "press", value: "0 / 5")])
        #expect(
            programme.reviews == [
                .init(type: "text", source: "S", reviewer: "R", language: "en", content: "Fine."),
                .init(type: "url", content: "https://a.test/review"),
            ])
        #expect(programme.images == [.init(url: "p.jpg", type: "poster", size: "3", orientation: "P", system: "s")])
    }

    @Test func elementsOutsideDTDRoundTripInOrder() throws {
        #expect(
            try detail().programme.extras == [
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
        #expect(
            detail.transmission.map { "\($0.name)=\($0.value)" } == [
                "pdc-start=20260328175900 +0000", "vps-start=20260328180000 +0000", "showview=12345",
                "videoplus=67890", "catchup-id=c-1", "x-studio=B",
            ])
        #expect(detail.source == "feed")
        #expect(detail.stationName == "One")
    }

    @Test func airingShowsFirstTextOfEachKind() throws {
        let airing = try detail().airing
        #expect(airing.title == "Night Train")
        #expect(airing.subtitle == "Vienna")
        #expect(airing.description == "A journey.")
        #expect(airing.categories == ["Film", "Spielfilm"])
        #expect(airing.episode == "S1 E13 (1/3)")
        #expect(airing.window.start.iso8601 == "2026-03-28T18:00:00Z")
        #expect(airing.window.end.iso8601 == "2026-03-28T19:00:00Z")
        #expect(!airing.isStopInferred && airing.published == nil && airing.clump == nil)
    }

    @Test func contentIsStoredOnceForAllTransmissions() throws {
        // The same content twice with different catch-up identifiers: one programme, two transmissions.
        let guide = try ImportedGuide(
            """
            <programme start="20260328180000" stop="20260328190000" channel="a" catchup-id="1"><title>T</title></programme>
            <programme start="20260328190000" stop="20260328200000" channel="a" catchup-id="2"><title>T</title></programme>
            <programme start="20260328200000" stop="20260328210000" channel="a"><title>T</title></programme>
            """)
        #expect(guide.outcome.programmesInserted == 1)
        let details = try guide.airings(of: "a").compactMap { try guide.store.airing($0.id) }
        #expect(details.map { $0.transmission.map(\.value) } == [["1"], ["2"], []])
    }
}
