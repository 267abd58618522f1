import CollectionLayout
import EPGModel
import Testing

@testable import EPGRender

/// What stands in the markup is where the engine puts it, at every width.
@Suite struct ViewsPlaceTests {
    private func expect(
        _ elements: [ViewsMarkup.Element], at frames: [[Rect?]], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(elements.count == frames.count, sourceLocation: sourceLocation)
        for (element, frames) in zip(elements, frames) {
            for (written, solved) in zip(element.frames, frames) {
                guard let solved else { Issue.record("the engine doesn't place it"); continue }
                // Two numbers of three decimals are added up on the way.
                let isEqual =
                    abs(written.minX - solved.minX) < 0.01 && abs(written.minY - solved.minY) < 0.01
                    && abs(written.width - solved.width) < 0.01 && abs(written.height - solved.height) < 0.01
                #expect(isEqual, "\(written) is to be \(solved)", sourceLocation: sourceLocation)
            }
        }
    }

    @Test func cardsHeadersAndBadgesOfHomeStandWhereTheEngineSays() throws {
        let page = try ViewsSample.home()
        let markup = ViewsMarkup(
            String(decoding: HomeHTML(page, frame: ViewsSample.frame).bytes, as: UTF8.self))
        #expect(markup.isBalanced)
        let layouts = ViewWidth.allCases.map { HomeLayout(width: $0).prepared(page.sections) }
        func frames(_ element: LayoutElement) -> [Rect?] { layouts.map { $0.attributes(of: element)?.frame } }

        var cards: [[Rect?]] = []
        var badges: [[Rect?]] = []
        for (section, cardsOfSection) in page.sections.map(\.cards).enumerated() {
            for (item, card) in cardsOfSection.enumerated() {
                let path = CollectionLayout.IndexPath(section: section, item: item)
                cards.append(frames(.item(path)))
                if card.badge != nil { badges.append(frames(.supplementary(.badge, path))) }
            }
        }
        #expect(badges.count == 4)
        expect(markup.elements("card"), at: cards)
        expect(markup.elements("badge"), at: badges)
        expect(
            markup.elements("head"),
            at: page.sections.indices.map {
                frames(.supplementary(.header, CollectionLayout.IndexPath(section: $0, item: 0)))
            })
        expect(markup.elements("canvas"), at: [layouts.map { Rect(origin: .zero, size: $0.contentSize) }])
    }

    /// Where a card begins, less what scrolling keeps before it, is where the engine comes to rest (`groupPaging`).
    @Test func theShelfSnapsWhereTheEngineRests() throws {
        let page = try ViewsSample.home()
        #expect(page.sections[0].kind == .highlights)
        for width in ViewWidth.allCases {
            let layout = HomeLayout(width: width).prepared(page.sections)
            let metrics = try #require(layout.orthogonalMetrics(section: 0))
            let last = max(0, metrics.content + 2 * width.margin - width.points)
            for item in page.sections[0].cards.indices {
                let path = CollectionLayout.IndexPath(section: 0, item: item)
                let start = try #require(layout.attributes(of: .item(path))).frame.minX - width.margin
                let rest = layout.targetOrthogonalOffset(section: 0, proposed: start + 10, velocity: 0)
                #expect(abs(rest - min(start, last)) < 0.02)
            }
        }
    }

    /// The style sheet counts from the side where text begins: mirrored, that is what the engine solves from right to left.
    @Test func fromRightToLeftTheEngineSolvesTheMirrorImage() throws {
        let page = try ViewsSample.home()
        for width in ViewWidth.allCases {
            let layout = HomeLayout(width: width).prepared(page.sections)
            var mirrored = layout
            var container = width.container(page.sections.map(\.cards.count))
            container.layoutDirection = .rightToLeft
            mirrored.invalidate(with: .everything)
            mirrored.prepare(in: container)
            for section in page.sections.indices.dropFirst() {
                for item in page.sections[section].cards.indices {
                    let element = LayoutElement.item(CollectionLayout.IndexPath(section: section, item: item))
                    let frame = try #require(layout.attributes(of: element)).frame
                    let other = try #require(mirrored.attributes(of: element)).frame
                    #expect(abs(width.points - frame.maxX - other.minX) < 0.02)
                }
            }
        }
    }

    @Test func stationsStandWhereTheFlowSays() throws {
        let page = ViewsSample.stations()
        let markup = ViewsMarkup(
            String(decoding: StationsHTML(page, frame: ViewsSample.frame).bytes, as: UTF8.self))
        #expect(markup.isBalanced)
        let layouts = ViewWidth.allCases.map { StationsLayout(width: $0).prepared(3) }
        expect(
            markup.elements("place"),
            at: (0..<3).map { item in
                layouts.map {
                    $0.attributes(of: .item(CollectionLayout.IndexPath(section: 0, item: item)))?.frame
                }
            })
    }

    /// 360 points less 16 on both sides hold three tiles of 102 and two gaps: (328 − 306) / 2 = 11 each.
    @Test func threeTilesFillAPhone() throws {
        let layout = StationsLayout(width: .phone).prepared(6)
        let frames = try (0..<6).map {
            try #require(layout.attributes(of: .item(CollectionLayout.IndexPath(section: 0, item: $0)))).frame
        }
        #expect(frames.map(\.minX) == [16, 129, 242, 16, 129, 242])
        #expect(frames.map(\.minY) == [4, 4, 4, 142, 142, 142])
    }

    @Test func rowsOfADayStandWhereTheListSays() throws {
        let page = try ViewsSample.day()
        let markup = ViewsMarkup(
            String(decoding: DayHTML(page, frame: ViewsSample.frame).bytes, as: UTF8.self))
        #expect(markup.isBalanced)
        let layouts = ViewWidth.allCases.map { DayLayout(width: $0).prepared(page.parts, at: page.now) }
        var rows: [[Rect?]] = []
        for (section, part) in page.parts.enumerated() {
            for item in part.rows.indices {
                rows.append(
                    layouts.map {
                        $0.attributes(of: .item(CollectionLayout.IndexPath(section: section, item: item)))?.frame
                    })
            }
        }
        expect(markup.elements("row"), at: rows)
    }

    /// Padding 24, a title 24, a sub-title 20, a line of text 20; the bar of what is on takes 14; at least 68, gaps 44.
    @Test func rowsAreAsHighAsTheirLines() throws {
        let page = try ViewsSample.day()
        func heights(_ textWidth: Double) -> [Double] {
            page.parts.flatMap(\.rows).map { $0.height(at: page.now, textWidth: textWidth) }
        }
        // "The clocks go back while it is on." has 34 letters of 8.12 points: 276.08.
        #expect(heights(277) == [68, 88, 68, 44, 68, 44])
        #expect(heights(276) == [68, 108, 68, 44, 68, 44])
    }
}
