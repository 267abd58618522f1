import EPGCalendar
import EPGImport
import EPGModel
import EPGPicture
import EPGRender
import EPGStore
import Foundation
import StoreConformance
import Synchronization
import TestSupport
import Testing
import XMLTV

@testable import EPGTerminal

/// Tests of the browser with the programmes and times of `sample-data/evening.xml`. Its Sunday has 25 hours in London.
@Suite struct BrowserTests {
    // MARK: - Grid

    @Test func firstScreenFocusesTheCurrentAiringOfTheFirstRow() throws {
        let guide = try BrowsedGuide()
        guide.expect(title: "The Ferry Choir", factsStart: "Sat 24 Oct 2026, 19:15–20:15")
        #expect(guide.lines[0].hasPrefix(" TV guide") && guide.lines[0].hasSuffix("Sat 24 Oct 2026, 19:40"))
        guide.expect(starts: [1: " Sat 24 Oct"])
    }

    @Test func arrowsMoveByAiringAndKeepTheTimeAcrossRows() throws {
        let guide = try BrowsedGuide()
        guide.press(.right)
        guide.expect(title: "Kerbside")
        // Harbour Two shows “Maps That Lied” from 20:00 to 21:00.
        guide.press(.down)
        guide.expect(title: "Maps That Lied")
        guide.press(.up, .left)
        guide.expect(title: "The Ferry Choir")
        guide.press("l", "j", "k", "h")
        guide.expect(title: "The Ferry Choir")
    }

    @Test func dayKeyKeepsTheLocalTimeOnADayOf25Hours() throws {
        let guide = try BrowsedGuide()
        let start = guide.focusedStart
        guide.press("]")
        guide.expect(factsStart: "Sun 25 Oct", starts: [1: " Sun 25 Oct"])
        guide.press("[")
        #expect(guide.focusedStart == start)
    }

    @Test func nowKeyReturnsToTheCurrentAiring() throws {
        let guide = try BrowsedGuide()
        guide.press("]", "t")
        guide.expect(title: "The Ferry Choir")
    }

    @Test func typedTimeIsShown() throws {
        let guide = try BrowsedGuide()
        guide.press("g")
        guide.type("2026-10-25 07:30")
        guide.expect(starts: [0: " Go to: 2026-10-25 07:30"])
        guide.press(.enter)
        guide.expect(factsStart: "Sun 25 Oct")
        guide.press("g")
        guide.type("yesterdayish")
        guide.press(.enter)
        #expect(guide.footer.contains("yesterdayish"))
    }

    @Test func invalidTimeStaysForCorrection() throws {
        let guide = try BrowsedGuide()
        guide.press("g")
        guide.type("sunnday 20:00")
        guide.press(.enter)
        guide.expect(starts: [0: " Go to: sunnday 20:00 "])
        guide.press(.escape)
        guide.expect(starts: [0: " TV guide"])
    }

    /// The sample data begins on 24 October. At first, the days from 26 October on are in memory.
    @Test(arguments: ["<", "h"] as [KeyPress.Key])
    func movingEarlierReadsDaysBeforeThoseInMemory(_ key: KeyPress.Key) throws {
        let guide = try BrowsedGuide(at: "2026-10-27T18:40:00Z")
        for _ in 0..<120 where !guide.lines[1].hasPrefix(" Sat 24 Oct") { guide.press(key) }
        guide.expect(starts: [1: " Sat 24 Oct"])
        for _ in 0..<200 { guide.press(key) }
        let first = guide.lines
        guide.press(key)
        #expect(guide.lines == first)
    }

    @Test func movingLaterReadsDaysAfterThoseInMemory() throws {
        let guide = try BrowsedGuide(at: "2026-10-08T18:40:00Z")
        for _ in 0..<200 where !guide.lines[1].hasPrefix(" Sat 24 Oct") { guide.press(">") }
        guide.expect(starts: [1: " Sat 24 Oct"])
    }

    @Test func focusStaysVisibleAfterZoomingOrNarrowingTheTerminal() throws {
        let guide = try BrowsedGuide()
        guide.press(.right, "+", "+", "+")
        guide.expect(title: "Kerbside", focus: [2: "Kerbside"])
        let other = try BrowsedGuide()
        other.press(.right)
        other.handle(.resized(Screen.Size(columns: 40, rows: 24)))
        other.expect(title: "Kerbside", focus: [2: "Kerbside"])
    }

    @Test func emptyGuideExplainsHowToImport() throws {
        let guide = try BrowsedGuide(isEmpty: true)
        guide.expect(rows: [2: " The guide is empty. Import one."])
        let day = guide.lines[1]
        for _ in 0..<9 { guide.press("]") }
        for _ in 0..<9 { guide.press("[") }
        guide.expect(rows: [1: day])
    }

    @Test func zoomKeepsTheFocus() throws {
        let guide = try BrowsedGuide()
        for key: KeyPress.Key in ["+", "+", "-", "-", "-", "-"] {
            guide.press(key)
            guide.expect(title: "The Ferry Choir")
        }
    }

    /// The zooms are 4, 8, 12, 20, 32 and 40 columns per hour, and 40 comes first.
    @Test func repeatedHourHasItsZoneIfAnHourHasEightColumns() throws {
        let guide = try BrowsedGuide(at: "2026-10-24T23:00:00Z")
        for _ in 0..<4 { guide.press("-") }
        let header = guide.lines[1]
        #expect(header.contains("│01 BST │01 GMT │02:00  │"), "\(header)")
    }

    @Test func gridIsRestoredAfterTheTerminalWasSmall() throws {
        let guide = try BrowsedGuide()
        let before = guide.lines
        guide.handle(.resized(Screen.Size(columns: 40, rows: 12)))
        try #require(guide.lines.count == 12)
        guide.expect(parts: [2: "Harbour", 10: "The Ferry Choir"])
        guide.handle(.resized(Screen.Size(columns: 100, rows: 24)))
        #expect(guide.lines == before)
    }

    @Test(arguments: [1, 2, 3, 5, 9])
    func screenIsDrawnAtAnySize(_ length: Int) throws {
        let guide = try BrowsedGuide()
        for size in [Screen.Size(columns: length, rows: 24), Screen.Size(columns: 80, rows: length)] {
            guide.handle(.resized(size))
            guide.press(.right, .down, .enter, .escape, "/", .escape)
            #expect(guide.lines.count == size.rows)
        }
    }

    // MARK: - Search, stations and details

    @Test func searchUpdatesWhileTypingAndEnterShowsTheMatch() throws {
        let guide = try BrowsedGuide()
        guide.press("/")
        guide.type("kerbs")
        let row = try #require(guide.lines.firstIndex { $0 == " ▸ Kerbside" })
        #expect(guide.lines[row + 1].hasSuffix("Harbour One"))
        guide.press(.enter)
        guide.expect(title: "Kerbside")
        let first = guide.focusedStart
        guide.press("n", "N")
        #expect(guide.title == "Kerbside" && guide.focusedStart == first)
    }

    @Test func searchWithoutMatchesShowsZeroMatches() throws {
        let guide = try BrowsedGuide()
        guide.press("/")
        guide.type("zzzz")
        guide.expect(rows: [1: " 0 matches"])
        guide.press(.enter, .escape)
        guide.expect(title: "The Ferry Choir")
        guide.press("n")
        guide.expect(footer: " There are no matches. Press / to search.")
    }

    /// Kestrel News has eleven airings that have not ended at 19:40, and Kestrel Morning two.
    @Test func titleRowExpandsToItsOtherMatches() throws {
        let guide = try BrowsedGuide()
        guide.press("/")
        guide.type("kest")
        let closed = guide.lines
        guide.expect(
            rows: [2: " ▸ Kestrel News", 4: " ▸ Kestrel Morning"],
            starts: [3: "   Sat 24 Oct 2026, 18:00–20:00 · 10 more"])
        guide.press(.right)
        guide.expect(
            rows: [2: " ▾ Kestrel News", 14: " ▸ Kestrel Morning"], starts: [4: "     Sat 24 Oct 2026, 22:00–23:30"])
        guide.press(.down, .left)
        #expect(guide.lines == closed)
        guide.click(1, 4)
        guide.expect(rows: [4: " ▾ Kestrel Morning"], starts: [6: "     Mon 26 Oct 2026"])
        guide.press(.down, .enter)
        guide.expect(title: "Kestrel Morning", factsStart: "Mon 26 Oct 2026")
    }

    @Test func stationListFiltersWhileTypingAndEnterShowsTheStation() throws {
        let guide = try BrowsedGuide()
        guide.press("s")
        guide.expect(rows: [1: " 12 stations"])
        guide.type("kestrel")
        guide.expect(rows: [1: " 1 station"])
        guide.press(.enter)
        // Kestrel News shows “Kestrel News” from 18:00 to 20:00.
        guide.expect(title: "Kestrel News")
    }

    @Test func enterShowsDetailsAndEscapeReturns() throws {
        let guide = try BrowsedGuide()
        guide.press(.enter)
        guide.expect(rows: [1: " The Ferry Choir"])
        #expect(guide.lines.contains { $0.contains("Harbour One (harbour-one.example)") })
        guide.press(.escape)
        guide.expect(title: "The Ferry Choir", starts: [1: " Sat 24 Oct"])
    }

    @Test func enterOnAnotherShowingShowsItInTheGrid() throws {
        let guide = try BrowsedGuide()
        // Kestrel News is on until 20:00, and again from 22:00 to 23:30.
        guide.press(.down, .down, .down, .enter)
        let header = try #require(guide.lines.firstIndex(of: " Other showings"))
        guide.expect(rows: [header + 1: " Sat 24 Oct 2026, 22:00 BST · Kestrel News"])
        #expect(guide.reversedRows == [])
        guide.press(.down, .down)
        #expect(guide.reversedRows == [header + 2] && guide.footer.contains("Enter in the grid"))
        guide.press(.up, .enter)
        guide.expect(title: "Kestrel News", factsStart: "Sat 24 Oct 2026, 22:00–23:30")
    }

    @Test func longDetailsScrollToTheirEnd() throws {
        let guide = try BrowsedGuide(rows: 12)
        guide.press(.down, .down, .down, .enter)
        #expect(guide.lines[1] == " Kestrel News" && guide.lines[10].hasSuffix("↓"))
        // Each key press scrolls a row until the first showing is visible.
        for _ in 0..<40 { guide.press(.down) }
        guide.expect(focus: [10: "Mon 26 Oct 2026, 22:00 GMT · Kestrel News"])
        guide.press(.home)
        #expect(guide.lines[1] == " Kestrel News" && guide.reversedRows == [])
        guide.handle(.resized(Screen.Size(columns: 40, rows: 40)))
        #expect(guide.lines.contains(" Other showings") && !guide.lines[38].hasSuffix("↓"))
    }

    @Test func helpListsEachKeyOfTheFooter() throws {
        let guide = try BrowsedGuide(rows: 60)
        let footer = guide.footer
        guide.press("?")
        let help = guide.lines.joined(separator: "\n")
        for key in ["Enter", "/", "t", "[", "]", "g", "s", "q"] where footer.contains(" \(key) ") {
            #expect(help.contains(key))
        }
        guide.press(.escape)
        guide.expect(footer: footer)
    }

    @Test func helpUsesColumnsIfTheyFitAndWrapsLinesOtherwise() throws {
        let guide = try BrowsedGuide(columns: 160, rows: 40)
        guide.press("?")
        guide.expect(starts: [2: " ↑ k"], parts: [2: "   ↓ j"])
        guide.handle(.resized(Screen.Size(columns: 40, rows: 12)))
        guide.expect(starts: [2: " ↑ k", 3: " ↓ j"])
        // 40 columns minus 8 for the widest keys and 5 for margins leave 27 for the text.
        let row = try #require(guide.lines.firstIndex { $0.hasPrefix(" ← h") })
        #expect(
            guide.lines[row].hasSuffix(" the previous airing; in a")
                && guide.lines[row + 1].hasSuffix(" list: close the row"), "\(guide.lines)")
        guide.press(.end)
        #expect(guide.lines[..<11].contains { $0.hasPrefix(" q ") } && !guide.lines[10].hasSuffix("↓"))
    }

    // MARK: - Mouse

    @Test func clickFocusesAndDoubleClickShowsDetails() throws {
        let guide = try BrowsedGuide()
        let row = try #require(guide.lines.firstIndex { $0.contains("Kerbside") })
        let column = try #require(guide.column(of: "Kerbside", inRow: row))
        guide.click(column, row)
        guide.expect(title: "Kerbside")
        guide.click(column, row, after: .milliseconds(1000))
        guide.expect(title: "Kerbside")
        guide.click(column, row, after: .milliseconds(1100))
        guide.expect(rows: [1: " Kerbside"])
    }

    @Test func clickOnAFooterKeyPressesIt() throws {
        let guide = try BrowsedGuide()
        let column = try #require(guide.column(of: "? help", inRow: 23))
        guide.click(column, 23)
        guide.expect(rows: [1: " Moving"])
    }

    /// The wheel scrolls by 8 columns or 2 rows. A drag that is not diagonal stays on its axis.
    @Test func dragScrollsTheGridAlongOneAxis() throws {
        let guide = try BrowsedGuide(rows: 12)
        let before = guide.lines
        guide.wheel(.right)
        let later = guide.lines
        guide.wheel(.left)
        // The header takes no focus.
        guide.drag(from: (50, 1), to: (42, 2))
        #expect(guide.lines == later)
        guide.drag(from: (42, 1), to: (50, 3))
        #expect(guide.lines == before)
        guide.wheel(.down)
        #expect(guide.lines != before)
        guide.drag(from: (50, 1), to: (51, 4))
        #expect(guide.lines == before)
    }

    @Test func dragScrollsListsAndShelves() throws {
        let guide = try BrowsedGuide(rows: 12)
        guide.press("?")
        let help = guide.lines
        guide.wheel(.down)
        let scrolled = guide.lines
        guide.wheel(.up)
        guide.drag(from: (50, 6), to: (50, 4))
        #expect(scrolled != help && guide.lines == scrolled)
        // The list follows beyond its start, and returns on release or with the next key.
        guide.drag(from: (50, 3), to: (50, 9))
        #expect(guide.lines == help)
        guide.press(.escape, .tab)
        let home = guide.lines
        guide.wheel(.right, row: 3)
        let moved = guide.lines
        guide.wheel(.left, row: 3)
        #expect(moved != home && guide.lines == home)
        // A card and the gap after it are 31 columns.
        guide.drag(from: (60, 3), to: (29, 3))
        #expect(guide.lines == moved)
    }

    /// Cards of 30 columns begin at 1, 32, 63 and 94, so that the fourth one ends at 124, beyond 100 columns.
    @Test func cardsBeyondAnEdgeAreDim() throws {
        let guide = try BrowsedGuide()
        guide.press(.tab)
        let row = try #require(guide.lines.firstIndex { $0.contains("Highlights tonight") }) + 1
        #expect([70, 97].map { guide.isDim(column: $0, row: row) } == [false, true], "\(guide.lines)")
    }

    @Test func wheelScrollsWithoutMovingTheFocus() throws {
        let guide = try BrowsedGuide(rows: 12)
        let before = guide.lines
        guide.wheel(.down)
        #expect(guide.lines[3] != before[3] && guide.title == "The Ferry Choir")
        guide.wheel(.up)
        #expect(guide.lines == before)
        guide.wheel(.right)
        #expect(guide.lines[1] != before[1])
    }

    // MARK: - Favorites and home

    @Test func favoriteKeyTogglesTheStoredFavorite() throws {
        let guide = try BrowsedGuide()
        guide.press(.down, "f")
        let row = try #require(guide.lines.firstIndex { $0.contains("Harbour Two") })
        #expect(try (guide.lines[row].contains("★"), guide.favorites()) == (true, ["harbour-two.example"]))
        guide.press("f")
        #expect(try (guide.lines[row].contains("★"), guide.favorites()) == (false, []))
    }

    @Test func onlyFavoritesKeyTogglesBetweenOrderedFavoritesAndAllStations() throws {
        let guide = try BrowsedGuide()
        guide.press("F")
        guide.expect(footer: " There are no favorites yet.")
        // ★ marks favorites and entertainment.
        func lines() -> [String] { guide.lines[1..<21].map { $0.replacing("★", with: " ") } }
        let before = lines()
        try guide.setFavorites(["lantern.example", "harbour-one.example"])
        guide.press("F")
        guide.expect(parts: [2: "Lantern Films", 4: "Harbour One"])
        #expect(!guide.lines.contains { $0.contains("Harbour Two") })
        guide.expect(title: "The Ferry Choir")
        guide.press("F")
        expectEqual(lines(), before)
    }

    @Test func matchOnAnotherStationShowsAllStationsAgain() throws {
        let guide = try BrowsedGuide()
        try guide.setFavorites(["lantern.example"])
        guide.press("F", "/")
        guide.type("kerbside")
        guide.press(.enter)
        #expect(guide.title == "Kerbside" && guide.lines.contains { $0.contains("Harbour Two") })
    }

    @Test func homeHasShelvesOfFavoritesAndCurrentAirings() throws {
        let guide = try BrowsedGuide(rows: 40)
        try guide.setFavorites(["kestrel.example"])
        guide.press(.tab)
        let lines = guide.lines
        guide.expect(rows: [1: " Favorites"], parts: [2: "Kestrel News", 3: "★ Kestrel News"])
        let titles = try ["Highlights tonight", "On now"].map { title in
            try #require(lines.firstIndex { $0 == " " + title })
        }
        #expect(titles == titles.sorted())
        // The Ferry Choir has 35 minutes left.
        guide.expect(parts: [titles[1] + 1: "The Ferry Choir", titles[1] + 3: "19:15–20:15 · 35 min left"])
    }

    @Test func favoritesAreReorderedOnTheirShelf() throws {
        let guide = try BrowsedGuide(rows: 40)
        try guide.setFavorites(["kestrel.example", "harbour-one.example", "lantern.example"])
        guide.press(.tab, ">")
        #expect(try guide.favorites() == ["harbour-one.example", "kestrel.example", "lantern.example"])
        guide.expect(focus: [2: "Kestrel News"])
        guide.press(">", ">", "<", "<")
        #expect(try guide.favorites() == ["kestrel.example", "harbour-one.example", "lantern.example"])
        // Other shelves keep their order.
        guide.press(.down, ">", "<")
        #expect(try guide.favorites() == ["kestrel.example", "harbour-one.example", "lantern.example"])
    }

    @Test func arrowsMoveAlongAndBetweenShelves() throws {
        let guide = try BrowsedGuide(rows: 40)
        guide.press(.tab)
        let shelf = try #require(guide.lines.firstIndex(of: " On now"))
        while !guide.reversed(inRow: shelf + 1).contains("The Ferry Choir") {
            guide.press(.down)
            try #require(guide.reversedRows.first ?? 0 <= shelf + 1)
        }
        guide.press(.right)
        guide.expect(focus: [shelf + 1: "The Loom and the Ledger"])
        guide.press("t")
        guide.expect(title: "The Loom and the Ledger")
        guide.press(.tab, .enter)
        guide.expect(rows: [1: " The Loom and the Ledger"])
        guide.press(.escape)
        guide.expect(rows: [shelf: " On now"])
        guide.press(.tab)
        guide.expect(rows: [1: " 12 stations"])
        guide.press(.tab)
        guide.expect(title: "The Loom and the Ledger")
        guide.press(.backTab, .backTab)
        guide.expect(rows: [shelf: " On now"])
    }

    @Test func wheelScrollsHomeAtAnyPointerPosition() throws {
        let guide = try BrowsedGuide(columns: 60, rows: 16)
        guide.press(.tab)
        for row in 1..<14 {
            let before = guide.lines
            guide.wheel(.down, row: row)
            #expect(guide.lines != before, "row \(row)")
            guide.wheel(.up, row: row)
        }
        // After scrolling, the sideways wheel still scrolls the shelf under the pointer.
        for _ in 0..<2 { guide.wheel(.down, row: 5) }
        let shelf = try #require(guide.lines.firstIndex(of: " On now"))
        let before = guide.lines
        guide.wheel(.right, row: shelf + 2)
        #expect(guide.lines[shelf + 1] != before[shelf + 1] && guide.lines[..<shelf] == before[..<shelf])
    }

    @Test func movingUpShowsTheTitleOfTheShelf() throws {
        let guide = try BrowsedGuide(rows: 16)
        guide.press(.tab)
        for _ in 0..<8 { guide.press(.down) }
        for _ in 0..<4 {
            guide.press(.up)
            let focused = try #require(guide.reversedRows.first)
            #expect(!guide.lines[focused - 1].hasPrefix("│") && focused > 1)
        }
    }

    @Test func sidewaysWheelScrollsTheShelfUnderThePointer() throws {
        let guide = try BrowsedGuide(rows: 40)
        guide.press(.tab)
        let shelf = try #require(guide.lines.firstIndex(of: " On now"))
        let before = guide.lines
        guide.wheel(.right, row: shelf + 2)
        #expect(guide.lines[shelf + 1] != before[shelf + 1] && guide.lines[..<shelf] == before[..<shelf])
        guide.wheel(.left, row: shelf + 2)
        #expect(guide.lines == before)
    }

    // MARK: - Keys

    @Test func keysInTheSettingsReplaceTheDefaults() throws {
        let guide = try BrowsedGuide(keys: ["later=x", "details=ctrl-d", "quit=t"])
        guide.press(.right)
        guide.expect(title: "The Ferry Choir")
        guide.press("x")
        guide.expect(title: "Kerbside", footerStart: " Ctrl-D details")
        #expect(!guide.footer.contains(" t now"))
        #expect([guide.press("q"), guide.press("t")] == [[], [.quit]])
    }

    @Test func listsKeepTheDefaultKeys() throws {
        let guide = try BrowsedGuide(keys: ["details=x", "down=J", "next-screen=X"])
        guide.press("/")
        guide.type("kerbside")
        guide.expect(footerStart: " Esc back  Enter show")
        guide.press(.down, .up, .enter)
        guide.expect(title: "Kerbside")
        guide.press("s", .down, .enter)
        #expect(!guide.footer.hasPrefix(" Esc back"))
    }

    @Test func typingInTheHelpDoesNotChangeTheSearchText() throws {
        let guide = try BrowsedGuide()
        guide.press("/")
        guide.type("kes")
        guide.press(.function(1))
        guide.expect(rows: [1: " Moving"])
        guide.press("j")
        guide.handle(.paste("j"))
        guide.handle(.resized(Screen.Size(columns: 50, rows: 12)))
        guide.press(.escape)
        try #require(guide.lines.count == 12)
        guide.expect(rows: [0: " Search: kes"])
        #expect(guide.lines[3].hasSuffix("Kestrel News") && guide.lines[3].count == 49)
    }

    /// Kestrel News is on until 20:00. After that, a new search would list another match first.
    @Test func endedMatchKeepsItsPlaceInTheOpenList() throws {
        let guide = try BrowsedGuide()
        guide.press("/")
        guide.type("kestrel")
        guide.press(.right)
        let second = guide.lines[4]
        guide.tick(after: 3600)
        guide.press(.down, .enter)
        #expect(second.contains("22:00–23:30") && guide.facts.contains("22:00–23:30"))
    }

    @Test(arguments: [
        ("search", "not an action and a key"), ("=x", "not an action and a key"),
        ("seach=x", "there is no action “seach”"),
        ("help=ctrl-I", "terminals send it as Tab"), ("play=ctrl-c", "it always quits"),
        ("play=ctrl-[", "terminals send it as Escape"),
        ("help=x quit=x", "is set twice, for help and for quit"), ("search=xy", "there is no key “xy”"),
        ("search=", "there is no key"), ("search=f13", "there is no key “f13”"),
    ])
    func invalidKeySettingThrowsAnExplanation(setting: String, explanation: String) throws {
        let error = try #require(throws: KeyBindings.SettingError.self) {
            try KeyBindings(settings: setting.split(separator: " ").map(String.init))
        }
        #expect(error.description.contains(explanation), "\(error)")
    }

    @Test func controlKeyIgnoresTheCaseOfItsLetter() throws {
        let guide = try BrowsedGuide(keys: ["details=ctrl-F"])
        guide.handle(.key(KeyPress(.character("f"), .control)))
        guide.expect(rows: [1: " The Ferry Choir"])
    }

    @Test func everyActionHasDefaultKeysOfItsOwn() {
        let keys = KeyBindings.default
        #expect(BrowserAction.allCases.filter { keys.keys(of: $0).isEmpty } == [])
        let names = BrowserAction.allCases.flatMap { keys.keys(of: $0) }
        #expect(Set(names).count == names.count)
    }

    // MARK: - Changes and effects

    @Test func gridShowsChangesOfAnotherProcessAndKeepsTheFocus() throws {
        let guide = try BrowsedGuide()
        guide.press(.right, .down)
        guide.expect(title: "Maps That Lied")
        try guide.importSample { $0.replacingOccurrences(of: "Maps That Lied", with: "Maps That Told the Truth") }
        guide.expect(title: "Maps That Lied")
        guide.tick()
        guide.expect(title: "Maps That Told the Truth")
    }

    @Test func keysDoNotWaitForACheckOfTheGuide() throws {
        let guide = try BrowsedGuide()
        guide.press(.right, .down)
        try guide.importSample { $0.replacing("Maps That Lied", with: "Maps That Told the Truth") }
        let check = try #require(guide.check())
        let result = Mutex<GuideCheck.Result?>(nil)
        guide.storage.block()
        Thread.detachNewThread {
            let found = check.perform()
            result.withLock { $0 = found }
        }
        #expect(waitUntil { guide.storage.isWaiting })
        guide.press(.left)
        // No second check begins while the first one waits.
        #expect(guide.check() == nil)
        guide.press(.right)
        guide.expect(title: "Maps That Lied")
        guide.storage.unblock()
        #expect(waitUntil { result.withLock { $0 != nil } })
        guide.storage.block()
        guide.receive(try #require(result.withLock { $0 }))
        guide.expect(title: "Maps That Told the Truth")
    }

    /// Fewer rows than the guide has stations, and fewer hours than a page later shows.
    @Test(arguments: [.pageDown, ">", "<"] as [KeyPress.Key])
    func pageKeyDoesNotWaitForTheGuideAfterACheck(_ key: KeyPress.Key) throws {
        let guide = try BrowsedGuide(columns: 60, rows: 8)
        guide.tick()
        let before = guide.lines
        guide.storage.block()
        guide.press(key)
        let after = guide.lines
        #expect(after != before)
        // A read would have added texts.
        guide.storage.unblock()
        guide.tick()
        #expect(guide.lines == after)
    }

    @Test func guideIsCheckedAtMostOnceASecond() throws {
        let guide = try BrowsedGuide()
        let checks = [Duration.zero, .milliseconds(999), .milliseconds(1), .milliseconds(999)].map { pause in
            guard let check = guide.check(pause: pause) else { return false }
            guide.receive(check.perform())
            guide.press(.down)
            return true
        }
        #expect(checks == [true, false, true, false])
    }

    /// The check began before the key, so its favorites are outdated.
    @Test func checkDoesNotUndoAToggledFavorite() throws {
        let guide = try BrowsedGuide()
        let result = try #require(guide.check()).perform()
        guide.press("f")
        guide.receive(result)
        guide.expect(parts: [2: "★"])
    }

    @Test func openSearchShowsChangesOfTheGuide() throws {
        let guide = try BrowsedGuide()
        guide.press("/")
        guide.type("kest")
        guide.press(.right, .down, .down)
        let second = guide.reversedRows
        let text = guide.reversed(inRow: second[0])
        guide.expect(focus: [second[0]: "Sun 25 Oct 2026, 00:00–06:00"])
        // A new first match moves the row down.
        try guide.importSample {
            $0.replacing("Kestrel Headlines", with: "Kestrel Weather").replacing("The Map Room", with: "Kestrel Room")
        }
        guide.tick()
        #expect(guide.lines.contains { $0.hasSuffix("Kestrel Weather") })
        #expect(guide.reversedRows.map { guide.reversed(inRow: $0) } == [text])
    }

    /// At 20:00, the Kestrel News from 18:00 to 20:00 moves to the earlier airings.
    @Test func titleStaysOpenWhenItsFirstAiringEnds() throws {
        let guide = try BrowsedGuide(rows: 40)
        guide.press("/")
        guide.type("kest")
        guide.press(.right)
        try guide.importSample { $0.replacing("Maps That Lied", with: "Maps That Told the Truth") }
        guide.tick(after: 1800)
        guide.expect(rows: [2: " ▾ Kestrel News"], parts: [3: "22:00–23:30"])
        let earlier = try #require(guide.lines.firstIndex(of: " Earlier"))
        #expect(guide.lines[earlier...].contains(" ▸ Kestrel News"))
    }

    /// At 20:00, the current airing ends on each of the three stations.
    @Test func homeFocusStaysOnItsStationWhenItsAiringEnds() throws {
        let guide = try BrowsedGuide(rows: 40)
        try guide.setFavorites(["harbour-two.example", "kestrel.example", "lantern.example"])
        guide.press(.tab, .right, .right)
        guide.expect(focus: [3: "Lantern Films"])
        guide.tick(after: 1800)
        guide.expect(focus: [3: "Lantern Films"])
        guide.press("<")
        #expect(try guide.favorites() == ["harbour-two.example", "lantern.example", "kestrel.example"])
    }

    @Test func openDetailsShowChangesOfTheGuide() throws {
        let guide = try BrowsedGuide(rows: 40)
        guide.press(.down, .down, .down, .enter, .down, .down)
        let focused = guide.reversed(inRow: guide.reversedRows[0])
        try guide.importSample { $0.replacing("<category>News</category>", with: "<category>Bulletin</category>") }
        guide.tick()
        #expect(guide.lines[3] == "  Bulletin" && guide.reversed(inRow: guide.reversedRows[0]) == focused)
    }

    @Test func openStationsShowChangesOfTheGuide() throws {
        let guide = try BrowsedGuide()
        guide.press("s", .down, .right)
        let focused = guide.reversed(inRow: guide.reversedRows[0])
        let added = "<channel id=\"a.example\"><display-name>Added</display-name></channel>"
        try guide.importSample {
            $0.replacing("<channel id=\"harbour-one.example\">", with: added + "<channel id=\"harbour-one.example\">")
        }
        guide.press(.function(1))
        guide.tick()
        guide.press(.escape)
        guide.expect(rows: [1: " 13 stations"], parts: [2: "Added"])
        #expect(guide.reversed(inRow: guide.reversedRows[0]).contains(focused.trimmingCharacters(in: .whitespaces)))
    }

    @Test func nextMatchWithoutSearchIndexReportsNoMatches() throws {
        let guide = try BrowsedGuide()
        guide.press("/")
        guide.type("kest")
        guide.press(.enter, "n", "n")
        try guide.importSample { $0.replacing("Kestrel", with: "Falcon") }
        guide.tick()
        guide.press("n")
        guide.expect(footer: " There are no matches. Press / to search.")
    }

    @Test func gridKeepsItsScrollPositionWhenTheGuideChanges() throws {
        let guide = try BrowsedGuide(rows: 12)
        for _ in 0..<4 { guide.wheel(.down) }
        let before = guide.lines
        try guide.importSample { $0.replacing("Grandmother Knows", with: "Grandmother Forgets") }
        guide.tick()
        #expect(guide.lines == before)
    }

    @Test func wheelScrollsAListUpFromItsEnd() throws {
        let guide = try BrowsedGuide(rows: 9)
        guide.press("/")
        guide.type("kest")
        guide.press(.right, .end)
        for _ in 0..<12 {
            let before = guide.lines
            guide.wheel(.up)
            if before[2] == " ▾ Kestrel News" { break }
            #expect(guide.lines != before)
        }
        guide.expect(rows: [2: " ▾ Kestrel News"])
    }

    @Test func clickOnAPinnedHeaderDoesNotFocusTheRowBelowIt() throws {
        let guide = try BrowsedGuide(rows: 12)
        guide.press("/")
        guide.type("kest")
        guide.press(.right)
        for _ in 0..<3 { guide.wheel(.down) }
        let before = guide.lines
        guide.click(5, 1)
        guide.press(.function(1), .escape)
        #expect(guide.lines == before)
    }

    @Test func favoritesChangedByAnotherProcessAppear() throws {
        let guide = try BrowsedGuide()
        try guide.setFavorites(["lantern.example"])
        guide.tick()
        #expect(guide.lines.contains { $0.contains("Lantern Films") && $0.contains("★") })
        guide.press("F")
        try guide.setFavorites(["kestrel.example"])
        guide.tick()
        guide.expect(parts: [2: "Kestrel News", 4: "Lantern Films"])
    }

    @Test func focusFollowsItsStationWhenRowsAreInserted() throws {
        let guide = try BrowsedGuide(rows: 40)
        guide.press(.down)
        let title = guide.title
        let added = "<channel id=\"a.example\"><display-name>Added</display-name></channel>"
        try guide.importSample {
            $0.replacing("<channel id=\"harbour-one.example\">", with: added + "<channel id=\"harbour-one.example\">")
        }
        guide.tick()
        guide.expect(title: title)
        #expect(guide.lines.contains { $0.hasPrefix(" Added") })
    }

    @Test(arguments: [
        ("udp://@239.0.0.1:1234", true), ("rtsp://cam.example/1", true), ("rtp://@239.0.0.1", true),
        ("--script=/tmp/x.lua", false), ("file:///etc/passwd", false), ("plugin://plugin.video.x", false),
    ])
    func playerReceivesOnlyNetworkStreams(_ url: String, _ isPlayed: Bool) throws {
        let guide = try BrowsedGuide(player: ["mpv"])
        try guide.importLineup("#EXTM3U\n#EXTINF:-1 tvg-id=\"harbour-one.example\",One\n\(url)\n")
        guide.tick()
        #expect(guide.press("p") == (isPlayed ? [.play(["mpv", url])] : []))
        if !isPlayed { guide.expect(footerStart: " Unsupported stream URL: ") }
    }

    @Test func playKeyPassesTheStreamToThePlayer() throws {
        let guide = try BrowsedGuide(player: ["mpv", "--fs"])
        try guide.importLineup(
            "#EXTM3U\n#EXTINF:-1 tvg-id=\"harbour-one.example\",One\nhttp://s.example/one.m3u8\n")
        guide.tick()
        #expect(guide.press("p") == [.play(["mpv", "--fs", "http://s.example/one.m3u8"])])
        guide.press(.down)
        #expect(guide.press("p") == [])
        guide.expect(footer: " No playlist has a stream for this station.")
    }

    @Test func pictureKeyRequestsThePictureAndShowsTheResult() throws {
        let guide = try BrowsedGuide()
        guide.press(.enter)
        #expect(guide.press("i") == [])
        guide.expect(footerStart: " This terminal cannot show pictures")
        guide.handle(.reply(.deviceAttributes([62, 4])))
        guide.handle(.reply(.cellSize(TerminalGraphics.PixelSize(width: 10, height: 20))))
        guide.press(.up)
        #expect(guide.footer.hasSuffix("i picture"))
        // Harbour One also has a logo, but the picture of “The Ferry Choir” takes precedence.
        let first = try #require(guide.press("i").first?.pictureRequest)
        #expect(first.url.text == "https://images.example.com/choir.jpg")
        let picture = TerminalPicture(
            Bitmap(width: 20, height: 20, pixels: Array(repeating: 255, count: 1600)), for: .sixel)
        guide.press(.escape, .enter)
        guide.receive(.success(picture), for: first)
        #expect(guide.picture == nil)

        let second = try #require(guide.press("i").first?.pictureRequest)
        guide.receive(.success(picture), for: first)
        #expect(guide.picture == nil)
        guide.receive(.success(picture), for: second)
        // The picture takes 2 × 1 cells, with a blank column beside it.
        #expect(
            guide.picture == PlacedPicture(picture: picture, position: Screen.Position(column: 97, row: 1)))
        #expect(guide.press("i") == [] && guide.picture == nil)

        let third = try #require(guide.press("i").first?.pictureRequest)
        guide.receive(.failure(PictureFailure(reason: "the server is unreachable")), for: third)
        guide.expect(footer: " Cannot show the picture: the server is unreachable.")
    }

    @Test func clickBelowAPictureFocusesTheShowingUnderThePointer() throws {
        let guide = try BrowsedGuide(columns: 40, rows: 30)
        // Kestrel News has other showings, and its station has a logo.
        guide.press(.down, .down, .down, .enter)
        guide.handle(.reply(.deviceAttributes([62, 4])))
        guide.handle(.reply(.cellSize(TerminalGraphics.PixelSize(width: 10, height: 20))))
        let request = try #require(guide.press("i").first?.pictureRequest)
        // The picture takes three rows above the texts.
        let picture = TerminalPicture(
            Bitmap(width: 20, height: 60, pixels: Array(repeating: 255, count: 4800)), for: .sixel)
        guide.receive(.success(picture), for: request)
        let row = try #require(guide.lines.firstIndex { $0.contains("Sun 25 Oct 2026, 00:00 BST") })
        guide.click(5, row)
        #expect(guide.picture != nil && guide.reversedRows == [row])
    }

    @Test func quitSuspendAndMouseKeysReturnEffects() throws {
        let guide = try BrowsedGuide()
        let events: [TerminalEvent] = [
            .key(KeyPress("m")), .key(KeyPress("m")), .key(KeyPress("q")), .key(KeyPress("z", .control)),
            .key(KeyPress("c", .control)), .closed,
        ]
        let effects = events.map { guide.handle($0) }
        #expect(effects == [[.setMouse(false)], [.setMouse(true)], [.quit], [.suspend], [.quit], [.quit]])
    }
}

/// A browser at 19:40 on the Saturday of the sample guide, with a temporary database.
private final class BrowsedGuide {
    private static let now = Instant(secondsSince1970: 1_792_867_200)
    private let folder: URL
    let storage: BlockedStorage
    private let browser: Browser
    private let start = ContinuousClock.now
    private var uptime = Duration.zero

    init(
        columns: Int = 100, rows: Int = 24, player: [String] = [], keys: [String] = [], at moment: String? = nil,
        isEmpty: Bool = false
    ) throws {
        folder = try BrowsedGuide.makeFolder()
        if !isEmpty {
            for (name, bytes) in try BrowsedGuide.sampleFiles.get() {
                try bytes.write(to: folder.appending(path: name))
            }
        }
        storage = BlockedStorage(GuideDatabase(path: folder.appending(path: "guide.sqlite").path))
        if isEmpty { try BrowsedGuide.importSample(into: storage) { _ in "<tv/>" } }
        var settings = Browser.Settings(clock: GuideClock(zone: try Zone(named: "Europe/London")))
        settings.emptyGuideAdvice = "Import one."
        settings.player = player
        settings.keys = try KeyBindings(settings: keys)
        browser = try Browser(
            storage, settings: settings, size: Screen.Size(columns: columns, rows: rows),
            at: try moment.map { try TimeExpression.parse($0, now: BrowsedGuide.now, zone: settings.clock.zone) }
                ?? BrowsedGuide.now, now: BrowsedGuide.now)
    }

    deinit {
        // A failure is not a test failure: the system clears temporary folders.
        _ = Result { try FileManager.default.removeItem(at: folder) }
    }

    private static func makeFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "epg-browser-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// The files of a database with the sample guide, which is imported once for all tests.
    private static let sampleFiles = Result {
        let folder = try makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try importSample(into: GuideDatabase(path: folder.appending(path: "guide.sqlite").path))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasSuffix("-shm") }
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appending(path: $0))) })
    }

    private static func importSample(
        into storage: any GuideStorage, _ change: (String) -> String = { $0 }
    ) throws {
        let text = change(try String(contentsOfFile: PackageFiles.sample("evening.xml"), encoding: .utf8))
        _ = try storage.write { guide in
            try GuideImporter(store: guide).importGuide(
                ChunkSource(Array(text.utf8)), as: Source(name: "default"), now: now)
        }
    }

    func importSample(_ change: (String) -> String) throws { try BrowsedGuide.importSample(into: storage, change) }

    func importLineup(_ text: String) throws {
        _ = try storage.write { guide in
            try GuideImporter(store: guide).importLineup(
                GuideFile(ChunkSource(Array(text.utf8))), named: "list", now: BrowsedGuide.now)
        }
    }

    func favorites() throws -> [String] { try storage.read { try $0.favorites() }.map(\.rawValue) }

    func setFavorites(_ stations: [String]) throws {
        try storage.write { guide in
            for (place, station) in stations.enumerated() { try guide.setFavorite(StationID(station), to: place) }
        }
    }

    // MARK: - Events

    @discardableResult
    func handle(_ event: TerminalEvent) -> [Browser.Effect] {
        let effects = browser.handle(event, at: start)
        _ = browser.screen()
        return effects
    }

    @discardableResult
    func press(_ keys: KeyPress.Key...) -> [Browser.Effect] { keys.flatMap { handle(.key(KeyPress($0))) } }

    func type(_ text: String) {
        for character in text { press(.character(character)) }
    }

    func click(_ column: Int, _ row: Int, after delay: Duration = .zero) {
        let position = Screen.Position(column: column, row: row)
        _ = browser.handle(
            .mouse(MouseEvent(.press(.left), at: position)), at: start + delay)
    }

    func drag(from start: (Int, Int), to end: (Int, Int)) {
        let points = [start, ((start.0 + end.0) / 2, (start.1 + end.1) / 2), end].map(Screen.Position.init(column:row:))
        handle(.mouse(MouseEvent(.press(.left), at: points[0])))
        for point in points.dropFirst() { handle(.mouse(MouseEvent(.drag, at: point))) }
        handle(.mouse(MouseEvent(.release(.left), at: points[2])))
    }

    func wheel(_ direction: MouseEvent.Direction, row: Int = 5) {
        handle(
            .mouse(MouseEvent(.wheel(direction), at: Screen.Position(column: 50, row: row))))
    }

    func receive(_ result: Result<TerminalPicture, PictureFailure>, for request: PictureRequest) {
        browser.receive(result, for: request)
    }

    var picture: PlacedPicture? { browser.screen().picture }

    /// Ticks a second after the last tick, and performs the check of the guide.
    func tick(after seconds: Int64 = 0) { if let check = check(after: seconds) { browser.receive(check.perform()) } }

    /// Ticks a second after the last tick, and returns the check of the guide.
    func check(after seconds: Int64 = 0, pause: Duration = .seconds(1)) -> GuideCheck? {
        uptime += pause
        return browser.tick(now: BrowsedGuide.now.advanced(by: seconds), at: start + uptime)
    }

    func receive(_ result: GuideCheck.Result) { browser.receive(result) }

    // MARK: - Screen content

    var lines: [String] {
        browser.screen().text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    var footer: String { lines.last ?? "" }

    func isDim(column: Int, row: Int) -> Bool { browser.screen().lines[row].cells[column].style.isDim }

    /// The reversed text of a row.
    func reversed(inRow row: Int) -> String {
        browser.screen().lines[row].cells.filter(\.style.isReversed).map(\.text).joined()
    }

    /// The rows with reversed text.
    var reversedRows: [Int] {
        browser.screen().lines.indices.filter { row in
            browser.screen().lines[row].cells.contains { $0.style.isReversed }
        }
    }

    /// The title of the focused airing, above the footer.
    var title: String {
        let lines = lines
        let line = lines[lines.count >= 20 ? lines.count - 3 : lines.count - 2].trimmingPrefix(" ")
        // In a summary of one line, the times follow.
        return lines.count >= 20 ? String(line) : String(line.components(separatedBy: " Sat ")[0])
    }

    /// The day, times and other facts of the focused airing.
    var facts: String { String(lines[lines.count - 2].trimmingPrefix(" ")) }

    /// The day and start of the focused airing.
    var focusedStart: String { facts.components(separatedBy: "–")[0] }

    /// Expects texts on the screen. A failure shows the screen.
    ///
    /// - Parameters:
    ///   - title: The title of the focused airing.
    ///   - factsStart: The beginning of its day, times and other facts.
    ///   - rows: Complete lines by row.
    ///   - starts: Beginnings of lines by row.
    ///   - parts: Parts of lines by row.
    ///   - focus: Parts of the reversed text by row.
    func expect(
        title: String? = nil, factsStart: String? = nil, footer: String? = nil, footerStart: String? = nil,
        rows: [Int: String] = [:], starts: [Int: String] = [:], parts: [Int: String] = [:], focus: [Int: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let lines = lines
        var problems: [String] = []
        if let title, self.title != title { problems.append("The title is “\(self.title)”, not “\(title)”.") }
        if let factsStart, !facts.hasPrefix(factsStart) { problems.append("The facts don't begin “\(factsStart)”.") }
        if let footer, self.footer != footer { problems.append("The footer is not “\(footer)”.") }
        if let footerStart, !self.footer.hasPrefix(footerStart) {
            problems.append("The footer doesn't begin “\(footerStart)”.")
        }
        func check(_ expected: [Int: String], _ verb: String, _ isMet: (Int, String) -> Bool) {
            for (row, text) in expected.sorted(by: { $0.key < $1.key })
            where !lines.indices.contains(row) || !isMet(row, text) {
                problems.append("Row \(row) \(verb) “\(text)”.")
            }
        }
        check(rows, "is not") { lines[$0] == $1 }
        check(starts, "doesn't begin") { lines[$0].hasPrefix($1) }
        check(parts, "doesn't contain") { lines[$0].contains($1) }
        check(focus, "has no focus on") { reversed(inRow: $0).contains($1) }
        guard !problems.isEmpty else { return }
        Issue.record(
            "\((problems + lines).joined(separator: "\n"))", sourceLocation: sourceLocation)
    }

    /// The column of a text, if all characters before it are one column wide.
    func column(of text: String, inRow row: Int) -> Int? {
        lines[row].range(of: text).map { lines[row].distance(from: lines[row].startIndex, to: $0.lowerBound) }
    }
}

/// A guide whose reads wait while it is blocked, as a slow server's reads do.
private final class BlockedStorage: ForwardingStorage, @unchecked Sendable {
    private let gate = NSCondition()
    private var isBlocked = false
    private var waiting = 0

    /// Whether a read waits.
    var isWaiting: Bool { gate.withLock { waiting > 0 } }

    func block() { gate.withLock { isBlocked = true } }

    func unblock() {
        gate.withLock {
            isBlocked = false
            gate.broadcast()
        }
    }

    override func read<Answer>(
        until limit: ReadingLimit, _ body: (any GuideReading) throws -> Answer
    ) throws -> Answer {
        gate.withLock {
            waiting += 1
            while isBlocked {
                guard !gate.wait(until: Date(timeIntervalSinceNow: 20)) else { continue }
                Issue.record("A read waited for 20 seconds")
                break
            }
            waiting -= 1
        }
        return try super.read(until: limit, body)
    }
}

extension Browser.Effect {
    fileprivate var pictureRequest: PictureRequest? {
        if case .fetchPicture(let request) = self { request } else { nil }
    }
}

extension KeyPress.Key: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self = .character(Character(text)) }
}
