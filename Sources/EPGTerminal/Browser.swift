import CollectionLayout
package import EPGCalendar
import EPGLayout
package import EPGModel
import EPGRender

/// The interactive guide: what the screen shows, and what each event does to it.
///
/// It neither reads a clock nor touches the terminal: a program hands it events and the current time, presents ``screen``, and
/// does what the returned effects say.
package final class Browser {
    /// What the program has to do.
    package enum Effect: Hashable, Sendable {
        case quit, suspend
        /// Let the terminal report the mouse, or use it for its own selection.
        case setMouse(Bool)
        /// Start a program with these arguments, without a shell.
        case play([String])
        /// Fetch a picture off the thread of the screen, and hand the result to ``Browser/receive(_:for:)``.
        case fetchPicture(PictureRequest)
    }

    /// How times are shown, and which player to start.
    package struct Settings: Sendable {
        /// The zone of the viewer.
        package var zone: Zone
        package var clock: ClockStyle
        /// The player and its arguments, to which the stream's URL is appended; empty if none is configured.
        package var player: [String]
        package var usesMouse: Bool

        package init(
            zone: Zone, clock: ClockStyle = .twentyFourHours, player: [String] = [], usesMouse: Bool = true
        ) {
            self.zone = zone
            self.clock = clock
            self.player = player
            self.usesMouse = usesMouse
        }
    }

    /// What covers the grid.
    private enum Pane {
        case grid
        case text(TextView)
        case search(ListView)
        case stations(ListView, [StationRow])
    }

    /// A line that is being typed.
    private enum Prompt { case search, time, stations }

    private let storage: any GuideStorage
    private var settings: Settings
    private var size: Screen.Size
    private var now: Instant
    private let grid: GridView
    private var pane = Pane.grid
    private var prompt: Prompt?
    private var typed = ""
    private var graphics = TerminalGraphics()
    /// How many pictures were asked for.
    private var pictureRequests = 0
    private var results: [SearchMatch] = []
    /// The place of the last shown match in ``results``.
    private var match: Int?
    /// What the last action has to say; shown until the next key.
    private var message: String?
    /// When and where the last press of the mouse was.
    private var lastPress: (time: ContinuousClock.Instant, position: Screen.Position)?
    /// The keys of the footer, by their columns.
    private var footerKeys: [(columns: Range<Int>, key: KeyPress)] = []

    /// Shows the guide.
    ///
    /// - Parameters:
    ///   - moment: The instant to show first.
    ///   - now: The current time.
    /// - Throws: An error of the store.
    package init(
        _ storage: any GuideStorage, settings: Settings, size: Screen.Size, at moment: Instant, now: Instant
    ) throws {
        self.storage = storage
        self.settings = settings
        self.size = size
        self.now = now
        grid = try GridView(
            storage, zone: settings.zone, clock: settings.clock, size: Browser.paneSize(in: size), at: moment, now: now)
    }

    // MARK: - Places

    /// The lines of the focused airing above the footer.
    private static func summaryRows(in size: Screen.Size) -> Int { size.rows >= 20 ? 3 : 1 }

    /// The size of the grid: all but the title, the summary and the footer.
    private static func paneSize(in size: Screen.Size) -> Screen.Size {
        Screen.Size(columns: size.columns, rows: size.rows - 2 - summaryRows(in: size))
    }

    /// The rows of what covers the grid.
    private var coverRows: Int { max(1, size.rows - 2) }

    private var coverSize: Screen.Size { Screen.Size(columns: size.columns, rows: coverRows) }

    // MARK: - Time

    /// Moves the line at now, and reads the guide anew if another process has changed it.
    package func tick(now: Instant) {
        self.now = now
        grid.tick(to: now)
        do {
            let version = try storage.read(within: .seconds(2)) { try $0.version() }
            if version != grid.schedules.version { try grid.reload() }
        } catch {
            message = "The guide can't be read: \(error)"
        }
    }

    // MARK: - Events

    /// - Parameter instant: When the event came, by which a double-click is told from two clicks.
    package func handle(_ event: TerminalEvent, at instant: ContinuousClock.Instant) -> [Effect] {
        do {
            switch event {
            case .key(let key): return try handle(key)
            case .mouse(let mouse): return try handle(mouse, at: instant)
            case .paste(let text):
                guard prompt != nil else { return [] }
                typed += String(text.prefix(200).filter { !$0.isNewline })
                try typedChanged()
            case .resized(let size): try resize(to: size)
            case .closed: return [.quit]
            case .reply(let reply): note(reply)
            case .focusGained, .focusLost, .resumed: break
            }
        } catch {
            message = "\(error)"
        }
        return []
    }

    private func resize(to size: Screen.Size) throws {
        self.size = size
        graphics.forgetCellSize()
        hidePicture()
        try grid.resize(to: Browser.paneSize(in: size))
        switch pane {
        case .search(let list), .stations(let list, _): list.resize(to: coverSize)
        case .grid, .text: break
        }
    }

    private func handle(_ key: KeyPress) throws -> [Effect] {
        message = nil
        if key == KeyPress(.character("c"), .control) { return [.quit] }
        if key == KeyPress(.character("z"), .control) { return [.suspend] }
        if prompt != nil, try handleTyped(key) { return [] }
        switch pane {
        case .grid: return try handleInGrid(key)
        case .text(var text): return handle(key, in: &text)
        case .search(let list), .stations(let list, _):
            try handle(key, in: list)
            return []
        }
    }

    // MARK: Grid

    private func handleInGrid(_ key: KeyPress) throws -> [Effect] {
        switch key.key {
        case .up, .character("k"): grid.move(.previousRow)
        case .down, .character("j"): grid.move(.nextRow)
        case .left, .character("h"): grid.move(.earlier)
        case .right, .character("l"): grid.move(.later)
        case .pageUp: grid.move(.rowsUp)
        case .pageDown: grid.move(.rowsDown)
        case .home: grid.move(.firstRow)
        case .end: grid.move(.lastRow)
        case .backTab, .character("<"): grid.move(.pageEarlier)
        case .tab, .character(">"): grid.move(.pageLater)
        case .character("t"): grid.show(now)
        case .character("["): moveDay(by: -1)
        case .character("]"): moveDay(by: 1)
        case .character("+"), .character("="): try grid.zoom(by: 1)
        case .character("-"): try grid.zoom(by: -1)
        case .enter: showDetails()
        case .character("/"): openSearch()
        case .character("n"): showMatch(by: 1)
        case .character("N"): showMatch(by: -1)
        case .character("g"): (prompt, typed) = (.time, "")
        case .character("s"): try openStations()
        case .character("p"): return try play()
        case .character("m"):
            settings.usesMouse.toggle()
            message = settings.usesMouse ? "The mouse controls the guide." : "The mouse selects text."
            return [.setMouse(settings.usesMouse)]
        case .character("?"), .function(1): showHelp()
        case .character("q"): return [.quit]
        default: break
        }
        return []
    }

    /// The same local time on another day; a day may have 23 or 25 hours.
    private func moveDay(by days: Int) {
        let zone = settings.zone
        let anchor = grid.focus?.anchor ?? grid.visibleTime.start
        let local = zone.localDateTime(at: anchor)
        let date = local.date.advanced(byDays: days)
        guard let moved = LocalDateTime(date: date, hour: local.hour, minute: local.minute, second: local.second) else {
            return
        }
        grid.show(zone.instant(of: moved))
    }

    private func showDetails() {
        guard let airing = grid.focusedAiring else {
            message = "Nothing is known of this time."
            return
        }
        do {
            let zone = settings.zone
            let found = try storage.read(within: .seconds(5)) { guide in
                try guide.airing(airing.id).map {
                    ($0, try guide.showings(of: airing.id, after: now, limit: 20), try guide.station(airing.station))
                }
            }
            guard let (detail, showings, station) = found else {
                message = "The guide has changed; this airing is gone."
                return
            }
            pane = .text(
                TextView(
                    title: detail.airing.title, picture: DetailsPicture(of: detail.programme, on: station?.station)
                ) { columns in
                    let terminal = Terminal(columns: columns, usesColours: false)
                    var text = AiringText(detail, zone: zone).text(for: terminal)
                    if !showings.isEmpty { text += "\nOther showings\n" }
                    for showing in showings {
                        text += "\(zone.fullLabel(at: showing.airing.window.start))  \(showing.stationName)\n"
                    }
                    return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                })
        } catch {
            message = "The airing can't be read: \(error)"
        }
    }

    private func play() throws -> [Effect] {
        guard !settings.player.isEmpty else {
            message = "No player is configured. Start epg browse with --player, such as --player mpv."
            return []
        }
        guard let station = grid.focus?.station else { return [] }
        let lineups = try storage.read(within: .seconds(5)) { try $0.lineups(showing: station) }
        guard let address = lineups.first?.channels.first?.address,
            let url = HTTPAddress(address)
        else {
            message = "No playlist has a stream of this station."
            return []
        }
        message = "Playing \(url.text)"
        return [.play(settings.player + [url.text])]
    }

    // MARK: Text

    private func handle(_ key: KeyPress, in text: inout TextView) -> [Effect] {
        var effects: [Effect] = []
        switch key.key {
        case .up, .character("k"): text.scroll(by: -1)
        case .down, .character("j"): text.scroll(by: 1)
        case .pageUp: text.scroll(by: -coverRows)
        case .pageDown, .character(" "): text.scroll(by: coverRows)
        case .home: text.scroll(by: -1_000_000)
        case .character("i"): effects = togglePicture(of: &text)
        case .escape, .enter, .character("q"), .backspace, .left, .character("h"), .character("?"):
            pane = .grid
            return []
        default: return []
        }
        pane = .text(text)
        return effects
    }

    private func showHelp() {
        let lines = [
            "Keys", "",
            "arrows, h j k l   previous and next airing or station",
            "PgUp, PgDn        a page of stations", "Home, End         first and last station",
            "Tab, Shift-Tab    a page of time; also > and <", "[ and ]           the day before and after",
            "t                 what is on now",
            "g                 go to a time, such as tomorrow 20:00", "+ and -           wider and narrower hours",
            "Enter             everything about the airing",
            "i                 in the details: the programme's picture or the station's logo",
            "/                 search titles and descriptions",
            "n and N           next and previous match", "s                 list of stations",
            "p                 play the station's stream", "m                 mouse on and off",
            "q                 quit",
        ]
        pane = .text(TextView(title: "Help") { _ in lines })
    }

    // MARK: Pictures

    /// Asks for the picture of the details, or hides it.
    private func togglePicture(of text: inout TextView) -> [Effect] {
        guard let picture = text.picture else { return [] }
        guard picture.picture == nil else {
            text.picture?.hide()
            return []
        }
        guard let address = picture.address else {
            message = "The guide has no picture of this programme or its station."
            return []
        }
        guard let method = graphics.method, let cell = graphics.cell else {
            message = "This terminal shows no pictures: it has neither the kitty graphics protocol nor sixel."
            return []
        }
        pictureRequests += 1
        let request = text.picture?.request(id: pictureRequests, in: coverSize, method, cell: cell)
        message = "Fetching \(address.text)"
        return request.map { [.fetchPicture($0)] } ?? []
    }

    /// Shows a picture that was asked for, unless the pane has been closed or scrolled since.
    package func receive(_ result: Result<TerminalPicture, PictureFailure>, for request: PictureRequest) {
        guard case .text(var text) = pane, text.picture?.waits(for: request) == true else { return }
        switch result {
        case .success(let picture):
            text.picture?.show(picture)
            message = nil
        case .failure(let failure):
            text.picture?.hide()
            message = "The picture can't be shown: \(failure.reason)."
        }
        pane = .text(text)
    }

    private func note(_ reply: TerminalReply) {
        let cell = graphics.cell
        graphics.note(reply, size: size)
        if graphics.cell != cell { hidePicture() }
    }

    private func hidePicture() {
        guard case .text(var text) = pane else { return }
        text.picture?.hide()
        pane = .text(text)
    }

    /// The key of the picture, if there is one and the terminal can show it.
    private func pictureKeys(of text: TextView) -> [(name: String, key: KeyPress, label: String)] {
        guard let picture = text.picture, picture.address != nil, graphics.method != nil, graphics.cell != nil else {
            return []
        }
        return [("i", KeyPress(.character("i")), picture.picture == nil ? "picture" : "hide picture")]
    }

    // MARK: Lists

    private func openSearch() {
        let list = ListView(size: coverSize)
        pane = .search(list)
        (prompt, typed) = (.search, "")
        list.show([ListView.Section(header: "Type what to look for.", rows: [])])
    }

    private func openStations() throws {
        let list = ListView(size: coverSize)
        pane = .stations(list, [])
        (prompt, typed) = (.stations, "")
        try typedChanged()
    }

    private func handle(_ key: KeyPress, in list: ListView) throws {
        switch key.key {
        case .up: list.move(by: -1)
        case .down: list.move(by: 1)
        case .pageUp: list.move(by: -coverRows / 2)
        case .pageDown: list.move(by: coverRows / 2)
        case .home: list.move(by: -1_000_000)
        case .end: list.move(by: 1_000_000)
        case .enter: openFocusedRow()
        case .escape: (pane, prompt) = (.grid, nil)
        default: break
        }
    }

    private func openFocusedRow() {
        switch pane {
        case .search(let list):
            guard let focus = list.focus else { return }
            (pane, prompt) = (.grid, nil)
            show(match: focus.section == 0 ? focus.item : laterCount + focus.item)
        case .stations(let list, let rows):
            guard let focus = list.focus, rows.indices.contains(focus.item) else { return }
            (pane, prompt) = (.grid, nil)
            let anchor = grid.focus?.anchor ?? now
            grid.focus(station: rows[focus.item].station.id, at: anchor)
        case .grid, .text: break
        }
    }

    /// The number of matches that have not ended, which come first.
    private var laterCount: Int { results.prefix { $0.airing.window.end > now }.count }

    private func showMatch(by step: Int) {
        guard !results.isEmpty else {
            message = "There are no matches. Press / to search."
            return
        }
        show(match: ((match ?? (step > 0 ? -1 : 0)) + step + results.count) % results.count)
    }

    private func show(match index: Int) {
        guard results.indices.contains(index) else { return }
        match = index
        let airing = results[index].airing
        if !grid.focus(station: airing.station, at: airing.window.start) {
            message = "The guide has changed; this station is gone."
        } else {
            message = "Match \(index + 1) of \(results.count)"
        }
    }

    // MARK: Typing

    /// - Returns: Whether the key belongs to the line.
    private func handleTyped(_ key: KeyPress) throws -> Bool {
        switch key.key {
        case .character("u") where key.modifiers == .control: typed = ""
        case .character(let character) where key.modifiers.isSubset(of: .shift): typed.append(character)
        case .backspace:
            guard !typed.isEmpty else { return true }
            typed.removeLast()
        case .escape where prompt == .time:
            prompt = nil
            return true
        case .enter where prompt == .time:
            prompt = nil
            goToTypedTime()
            return true
        default: return prompt == .time
        }
        try typedChanged()
        return true
    }

    private func typedChanged() throws {
        switch (prompt, pane) {
        case (.search, .search(let list)): try search(in: list)
        case (.stations, .stations(let list, _)):
            let filter = StationFilter(text: typed)
            let found = try storage.read(within: .seconds(5)) { try $0.stations(filter, offset: 0, limit: 500) }
            pane = .stations(list, found.stations)
            let rows = found.stations.map { row in
                ListView.Row(
                    title: row.station.name, detail: "",
                    accessory: (row.channelNumber ?? row.station.number)?.description ?? "")
            }
            list.show([ListView.Section(header: Wording.count(found.total, "station"), rows: rows)])
        default: break
        }
    }

    private func search(in list: ListView) throws {
        match = nil
        results = []
        guard typed.contains(where: { !$0.isWhitespace }) else {
            return list.show([ListView.Section(header: "Type what to look for.", rows: [])])
        }
        do {
            let found = try storage.read(within: .seconds(5)) { guide in
                try guide.search(SearchQuery(words: searchWords, now: now, order: .start, limit: 200))
            }
            results = found.matches
            let zone = settings.zone
            let rows = results.map { match in
                ListView.Row(
                    title: match.airing.title,
                    detail: "\(zone.dayLabel(at: match.airing.window.start)), \(zone.rangeLabel(of: match.airing))",
                    accessory: match.stationName)
            }
            let later = laterCount
            let count = Wording.count(found.total, "match").replacing("matchs", with: "matches")
            list.show(
                [
                    ListView.Section(
                        header: found.isTotalExact ? count : "At least " + count, rows: Array(rows[..<later]))
                ] + (later < rows.count ? [ListView.Section(header: "Earlier", rows: Array(rows[later...]))] : []))
        } catch let error as SearchExpressionError {
            list.show([ListView.Section(header: "\(error)", rows: [])])
        } catch is SearchIndexMissing {
            list.show([ListView.Section(header: "The search index is missing. The next import builds it.", rows: [])])
        }
    }

    /// The words that were typed; the last one may not be complete yet. A single letter begins too many words.
    private var searchWords: String {
        guard let last = typed.split(separator: " ").last, last.count > 1,
            last.allSatisfy({ $0.isLetter || $0.isNumber })
        else { return typed }
        return typed + "*"
    }

    private func goToTypedTime() {
        guard !typed.isEmpty else { return }
        do {
            grid.show(try TimeExpression.parse(typed, now: now, zone: settings.zone))
        } catch {
            message = "\(error)"
        }
    }

    // MARK: Mouse

    private func handle(_ mouse: MouseEvent, at instant: ContinuousClock.Instant) throws -> [Effect] {
        message = nil
        switch mouse.action {
        case .wheel(let direction): scroll(direction, isSideways: mouse.modifiers.contains(.shift))
        case .press(.left):
            let isDouble =
                lastPress.map { instant - $0.time < .milliseconds(400) && $0.position == mouse.position } ?? false
            lastPress = isDouble ? nil : (instant, mouse.position)
            return try click(at: mouse.position, isDouble: isDouble)
        case .press, .release: break
        }
        return []
    }

    private func scroll(_ direction: MouseEvent.Direction, isSideways: Bool) {
        let rows = direction == .up ? -2 : direction == .down ? 2 : 0
        switch pane {
        case .grid:
            let columns = direction == .left || isSideways && rows < 0 ? -8 : direction == .right || isSideways ? 8 : 0
            grid.scroll(rows: isSideways ? 0 : rows, columns: rows != 0 && !isSideways ? 0 : columns)
        case .text(var text):
            text.scroll(by: rows)
            pane = .text(text)
        case .search(let list), .stations(let list, _): list.scroll(rows: rows)
        }
    }

    private func click(at position: Screen.Position, isDouble: Bool) throws -> [Effect] {
        if position.row == size.rows - 1 {
            guard let key = footerKeys.first(where: { $0.columns.contains(position.column) })?.key else { return [] }
            return try handle(key)
        }
        let inside = Screen.Position(column: position.column, row: position.row - 1)
        switch pane {
        case .grid:
            guard inside.row >= 0, inside.row < Browser.paneSize(in: size).rows, grid.focus(at: inside) else {
                return []
            }
            if isDouble { showDetails() }
        case .search(let list), .stations(let list, _):
            if inside.row >= 0, list.focus(at: inside), isDouble { openFocusedRow() }
        case .text: break
        }
        return []
    }

    // MARK: - Drawing

    /// What the terminal is to show.
    package func screen() -> Screen {
        var screen = Screen(size: size)
        switch pane {
        case .grid:
            grid.draw(on: &screen, below: 1)
            drawSummary(on: &screen)
        case .text(var text):
            text.draw(on: &screen, below: 1, rows: coverRows, cell: graphics.cell)
            pane = .text(text)
        case .search(let list), .stations(let list, _): list.draw(on: &screen, below: 1, rows: coverRows)
        }
        drawTitle(on: &screen)
        drawFooter(on: &screen)
        return screen
    }

    private func drawTitle(on screen: inout Screen) {
        let bar = TerminalStyle(foreground: 255, background: 236)
        screen.fill(bar, rows: 0..<1, columns: 0..<size.columns)
        let clock = TerminalText(
            "\(settings.zone.dayLabel(at: now)), \(settings.zone.timeLabel(at: now, clock: settings.clock))")
        let end = max(0, size.columns - clock.width - 1)
        screen.draw(clock, row: 0, in: end..<size.columns, bar)
        var bold = bar
        bold.isBold = true
        let label: String? =
            switch prompt {
            case .search: "Search:"
            case .time: "Go to:"
            case .stations: "Stations:"
            case nil: nil
            }
        guard let label else {
            screen.draw(TerminalText("TV guide"), row: 0, in: 1..<max(1, end - 1), bold)
            return
        }
        let start = screen.draw(TerminalText(label), row: 0, in: 1..<max(1, end - 1), bold) + 1
        let room = max(1, end - 2 - start)
        // The end of a long line is what is being typed.
        var text = typed
        while DisplayWidth.of(text) > room { text.removeFirst() }
        screen.draw(TerminalText(text), row: 0, in: start..<max(start, end - 1), bar)
        screen.cursor = Screen.Position(column: start + DisplayWidth.of(text), row: 0)
    }

    /// The focused airing above the footer.
    private func drawSummary(on screen: inout Screen) {
        let count = Browser.summaryRows(in: size)
        let first = size.rows - 1 - count
        guard first > 1, let airing = grid.focusedAiring else { return }
        let times =
            "\(settings.zone.dayLabel(at: airing.window.start)), \(AiringTimes(airing, in: settings.zone, settings.clock).text)"
        let columns = 1..<max(1, size.columns - 1)
        if count == 1 {
            let end = screen.draw(TerminalText(airing.title), row: first, in: columns, TerminalStyle(isBold: true))
            screen.draw(TerminalText(times), row: first, in: end + 1..<max(end + 1, columns.upperBound), .dim)
            return
        }
        for column in 0..<size.columns { screen.draw("─", row: first, column: column, .dim) }
        screen.draw(TerminalText(airing.title), row: first + 1, in: columns, TerminalStyle(isBold: true))
        let words = [times, airing.subtitle, airing.categories.first].compactMap(\.self)
        screen.draw(TerminalText(words.joined(separator: " · ")), row: first + 2, in: columns, .normal)
    }

    private func drawFooter(on screen: inout Screen) {
        let row = size.rows - 1
        footerKeys = []
        if let text = message ?? grid.schedules.failure.map({ "The guide can't be read: \($0)" }) {
            screen.draw(TerminalText(text), row: row, in: 1..<size.columns, TerminalStyle(foreground: 220))
            return
        }
        var column = 1
        for (name, key, label) in footer {
            let (keyText, labelText) = (TerminalText(name), TerminalText(label))
            let end = column + keyText.width + 1 + labelText.width
            guard end <= size.columns else { break }
            screen.draw(keyText, row: row, in: column..<size.columns, TerminalStyle(isBold: true))
            screen.draw(labelText, row: row, in: column + keyText.width + 1..<size.columns, .dim)
            footerKeys.append((column..<end, key))
            column = end + 2
        }
    }

    /// The keys that apply, with their labels.
    private var footer: [(name: String, key: KeyPress, label: String)] {
        if prompt == .time { return [("Enter", KeyPress(.enter), "go"), ("Esc", KeyPress(.escape), "cancel")] }
        switch pane {
        case .grid:
            return [
                ("Enter", KeyPress(.enter), "details"), ("/", KeyPress(.character("/")), "search"),
                ("t", KeyPress(.character("t")), "now"), ("[", KeyPress(.character("[")), "day"),
                ("]", KeyPress(.character("]")), "day"), ("g", KeyPress(.character("g")), "go to"),
                ("s", KeyPress(.character("s")), "stations"), ("?", KeyPress(.character("?")), "help"),
                ("q", KeyPress(.character("q")), "quit"),
            ]
        case .text(let text):
            return [("Esc", KeyPress(.escape), "back"), ("↑", KeyPress(.up), "up"), ("↓", KeyPress(.down), "down")]
                + pictureKeys(of: text)
        case .search, .stations:
            return [
                ("Enter", KeyPress(.enter), "show"), ("↑", KeyPress(.up), "up"), ("↓", KeyPress(.down), "down"),
                ("Esc", KeyPress(.escape), "back"),
            ]
        }
    }
}
