import EPGCalendar
import TestSupport
import Testing

@testable import EPGModel
@testable import EPGRender

/// Tests of the selection for the home page.
@Suite struct ViewsHomeTests {
    @Test func highlightsAreFilmsPremieresAndSportsByStart() throws {
        let page = try ViewsSample.home()
        let highlights = try #require(page.sections.first { $0.kind == .highlights })
        expectEqual(highlights.cards.map(\.title), ["The Map Room", "Harbour v Pier", "Low Water"])
        expectEqual(highlights.cards.map(\.badge), [nil, .live, .premiere])
    }

    @Test func currentCardsIncludeNextAiring() throws {
        let page = try ViewsSample.home()
        let now = try #require(page.sections.first { $0.kind == .onNow(favoritesFirst: false) })
        expectEqual(now.cards.map(\.title), ["The Map Room", "Nine & Out"])
        expectEqual(now.cards.map(\.next?.title), ["News at Ten", "Harbour v Pier"])
        // 15 of 105 minutes and 45 of 60 minutes have passed.
        expectEqual(now.cards.map { $0.window.progress(at: page.now) }, [15.0 / 105, 0.75])
    }

    @Test func laterAiringsAreGroupedByGenreWithoutCurrentOnes() throws {
        let page = try ViewsSample.home()
        let later = page.sections.compactMap { section in
            if case .later = section.kind { (section.title(in: .english), section.cards.map(\.title)) } else { nil }
        }
        expectEqual(later.map(\.0), ["Series", "Sport", "News"])
        expectEqual(later.map(\.1), [["Low Water"], ["Harbour v Pier"], ["News at Ten"]])
    }

    /// Ten of twelve films are selected by weight and sorted by start. Ratings increase the weight.
    @Test func highlightsHaveHighestWeight() throws {
        let now = try ViewsSample.at("2026-10-24T18:00:00Z")
        let station = ViewsSample.station(0, "Lantern")
        let cards = (0..<12).map { index in
            let airing = ViewsSample.airing(
                Int64(index), "Film \(index)", on: station, from: now, minutes: (Int64(index) * 30, 30),
                category: "Film")
            return HomeCard(
                airing, station: station,
                detail: ViewsSample.detail(airing, "Lantern") { programme in
                    if index >= 10 { programme.starRatings = [Programme.Rating(value: "5/5")] }
                })
        }
        let titles = HomeSelection(cards, now: now).highlights.map(\.title)
        expectEqual(titles, ([0, 1, 2, 3, 4, 5, 6, 7, 10, 11]).map { "Film \($0)" })
    }

    /// Three of four films have a picture, or two.
    @Test(arguments: [(3, 3, 1), (2, 0, 4)])
    func shelfHasThePicturesIfThereAreSeveral(pictures: Int, features: Int, cards: Int) throws {
        let now = try ViewsSample.at("2026-10-24T18:00:00Z")
        let station = ViewsSample.station(0, "Lantern")
        let airings = (0..<4).map { index in
            ViewsSample.airing(
                index, "Film \(index)", on: station, from: now, minutes: (index * 60, 60), category: "Film")
        }
        let details = airings.map { airing in
            ViewsSample.detail(airing, "Lantern") { programme in
                guard airing.id.rawValue < pictures else { return }
                programme.images = [Programme.Image(url: "https://images.example.com/\(airing.id).jpg", type: "poster")]
            }
        }
        let schedule = Schedule(station: station.station.id, airings: airings)
        let page = HomePage(
            now: now, zone: try ViewsSample.london(), stationCount: 1, stations: [station], onNow: [],
            schedules: [RowSchedule(row: 0, stationName: "Lantern", schedule: schedule)],
            details: Dictionary(uniqueKeysWithValues: details.map { ($0.airing.id, $0) }))
        let html = String(decoding: HomeHTML(page, frame: ViewsSample.frame).bytes, as: UTF8.self)
        expectEqual(
            [#"class="v-feature""#, #"class="v-now""#].map { html.ranges(of: $0).count }, [features, cards])
    }

    @Test func eachTitleIsHighlightedOnce() throws {
        let now = try ViewsSample.at("2026-10-24T18:00:00Z")
        let station = ViewsSample.station(0, "Lantern")
        let cards = (0..<3).map { index in
            HomeCard(
                ViewsSample.airing(
                    Int64(index), "Film", on: station, from: now, minutes: (Int64(index) * 120, 120), category: "Film"),
                station: station, detail: nil)
        }
        expectEqual(HomeSelection(cards, now: now).highlights.map(\.airing.id), [AiringID(0)])
    }

    /// A URL that no page can show is no picture.
    @Test(arguments: [
        (["backdrop javascript:1", "poster https://p.example/1"], "https://p.example/1"),
        (["poster https://p.example/1", "still https://p.example/2"], "https://p.example/2"), (["poster data:x"], nil),
    ])
    func cardHasFirstValidPictureWideOnesFirst(images: [String], picture: String?) throws {
        let now = try ViewsSample.at("2026-10-24T18:00:00Z")
        let station = ViewsSample.station(0, "Lantern")
        let airing = ViewsSample.airing(1, "Film", on: station, from: now, minutes: (0, 90), category: "Film")
        let detail = ViewsSample.detail(airing, "Lantern") { programme in
            programme.images = images.map { image in
                let words = image.split(separator: " ").map(String.init)
                return Programme.Image(url: words[1], type: words[0])
            }
        }
        expectEqual(HomeCard(airing, station: station, detail: detail).picture, picture)
    }

    @Test(
        arguments: [
            (.empty, "There are no listings yet.", true), (.current, "There are no listings for this evening.", false),
            (.over(Instant(secondsSince1970: 1_792_670_400)), "The listings ended on Thu 22 Oct 2026, <time", true),
            (.future(Instant(secondsSince1970: 1_793_278_800)), "The listings begin on Thu 29 Oct 2026, <time", false),
        ] as [(ListingsState, String, Bool)])
    func emptyEveningSaysWhyAndWhatToDo(listings: ListingsState, message: String, linksToSetup: Bool) throws {
        let page = HomePage(
            now: try ViewsSample.at("2026-10-24T18:00:00Z"), zone: try ViewsSample.london(),
            stationCount: 1, listings: listings, stations: [], onNow: [], schedules: [], details: [:])
        #expect(page.sections.isEmpty)
        let html = String(decoding: HomeHTML(page, frame: ViewsSample.frame).bytes, as: UTF8.self)
        #expect(html.contains(message))
        expectEqual(html.contains(#"href="/setup?zone=Europe%2FLondon">How to get listings</a>"#), linksToSetup)
    }

    /// Rule 12.
    @Test(arguments: [
        ("0/10", false), ("0 / 10", false), ("0.0/5", false), ("0", false), ("0.5/10", true), ("7/10", true),
    ])
    func ratingOfZeroIsNotShown(value: String, isShown: Bool) throws {
        let now = try ViewsSample.at("2026-10-24T18:00:00Z")
        let station = ViewsSample.station(0, "Lantern")
        let airing = ViewsSample.airing(1, "Film", on: station, from: now, minutes: (0, 90), category: "Film")
        let detail = ViewsSample.detail(airing, "Lantern") { $0.starRatings = [Programme.Rating(value: value)] }
        expectEqual(HomeCard(airing, station: station, detail: detail).stars, (isShown ? value : nil))
        let page = AiringPage(detail: detail, station: station, showings: [], now: now, zone: try ViewsSample.london())
        let html = String(decoding: AiringHTML(page, frame: ViewsSample.frame).bytes, as: UTF8.self)
        expectEqual(html.contains("★ \(value)"), isShown)
    }

    @Test(arguments: [
        ([ContentNode.element(ContentElement(name: "live"))], true, true, AiringBadge.live),
        ([], true, true, .premiere), ([], false, true, .new), ([], false, false, nil),
        ([.element(ContentElement(name: "previously-shown"))], false, true, .new),
        ([.element(ContentElement(name: "previously-shown"))], false, false, .repeat),
        ([.element(ContentElement(name: "lively")), .text("live")], false, false, nil),
    ])
    func badgeIsMostImportantMark(_ extras: [ContentNode], isPremiere: Bool, isNew: Bool, badge: AiringBadge?) {
        var programme = Programme()
        programme.extras = extras
        programme.premiere = isPremiere ? LocalizedText("") : nil
        programme.isNew = isNew
        expectEqual(AiringBadge(AiringMarks(programme)), badge)
    }
}
