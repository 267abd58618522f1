import CollectionLayout
import CollectionView
package import EPGCalendar
import EPGLayout
package import EPGModel
import EPGRender

/// The state of the interactive guide, and its reactions to events.
///
/// A browser neither reads a clock nor accesses the terminal. A program passes events and the current time to it, presents
/// ``screen()``, and performs the returned effects.
package final class Browser {
    /// An action that the program has to perform.
    package enum Effect: Hashable, Sendable {
        case quit, suspend
        /// Let the terminal report the mouse, or use it for its own selection.
        case setMouse(Bool)
        /// Start a program with these arguments, without a shell.
        case play([String])
        /// Fetch a picture on a thread other than the screen's, and pass the result to ``Browser/receive(_:for:)``.
        case fetchPicture(PictureRequest)
    }

    /// The format of times, the player, the mouse and the keys.
    package struct Settings: Sendable {
        package var clock: GuideClock
        /// The player and its arguments, to which the stream's URL is appended; empty if none is configured.
        package var player: [String]
        /// How to configure a player, as a sentence.
        package var playerAdvice = ""
        /// How to fill the guide, as a sentence.
        package var emptyGuideAdvice = ""
        package var usesMouse: Bool
        package var keys: KeyBindings

        package init(
            clock: GuideClock, player: [String] = [], usesMouse: Bool = true, keys: KeyBindings = .default
        ) {
            self.clock = clock
            self.player = player
            self.usesMouse = usesMouse
            self.keys = keys
        }
    }

    /// The content between the title and the footer.
    private indirect enum Pane {
        case grid
        case home
        case details(DetailsView, over: Pane)
        case help(HelpView, over: Pane)
        case search(SearchView)
        case stations(StationsView)
    }

    /// An input line in the title.
    private enum Prompt { case search, time, stations }

    private let storage: any GuideStorage
    private var settings: Settings
    private var size: Screen.Size
    private var now: Instant
    private let grid: GridView
    /// Created on first use, so that it does not delay the grid.
    private lazy var home = HomeView(clock: settings.clock, size: coverSize)
    /// The time at which the home screen was read.
    private var homeTime: Instant?
    /// The favorite stations, in the viewer's order.
    private var favorites: [StationID] = []
    private var showsOnlyFavorites = false
    private var pane = Pane.grid
    private var prompt: Prompt?
    private var typed = ""
    private var graphics = TerminalGraphics()
    /// Number of requested pictures.
    private var pictureRequests = 0
    /// The last search.
    private var search: SearchView?
    /// The last shown match of ``search``.
    private var match: AiringID?
    /// The version of the guide in lists and details.
    private var listsVersion: GuideVersion
    /// The message of the last action, shown until the next key press.
    private var message: String?
    /// The error message of the last check of the guide; `nil` if it succeeded.
    private var failure: String?
    /// The time of the last check; `nil` before the first one.
    private var checkTime: ContinuousClock.Instant?
    private var isChecking = false
    /// Number of reads of the favorites, each of which is newer than a running check.
    private var favoriteReads = 0
    /// Time and position of the last mouse press.
    private var lastPress: (time: ContinuousClock.Instant, position: Screen.Position)?
    /// The drag of the mouse in the shown pane, and the last position of the mouse while its button is pressed.
    private var drag: DragSession?
    private var dragPosition: Screen.Position?
    private var frame = FrameView()

    /// Creates a browser that shows the grid.
    ///
    /// - Parameters:
    ///   - moment: The first instant to show.
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
            storage, clock: settings.clock, size: Browser.paneSize(in: size), at: moment, now: now)
        listsVersion = grid.schedules.version
        try readFavorites()
    }

    // MARK: - Places

    /// Number of summary rows, for the focused airing above the footer.
    private static func summaryRows(in size: Screen.Size) -> Int { size.rows >= 20 ? 3 : 1 }

    /// The size of the grid: the screen without the title, the summary and the footer.
    private static func paneSize(in size: Screen.Size) -> Screen.Size {
        Screen.Size(columns: size.columns, rows: size.rows - 2 - summaryRows(in: size))
    }

    /// Number of rows of a pane that covers the grid.
    private var coverRows: Int { max(1, size.rows - 2) }

    private var coverSize: Screen.Size { Screen.Size(columns: size.columns, rows: coverRows) }

    // MARK: - Time

    /// Moves the now-line. Does not read the guide.
    ///
    /// - Parameter instant: The time of the call, which determines when the guide is checked again.
    /// - Returns: A check for changes of the guide, at most once a second and never while another check is running. Perform it on
    ///   a thread other than the screen's, and pass its result to ``receive(_:)``.
    package func tick(now: Instant, at instant: ContinuousClock.Instant) -> GuideCheck? {
        self.now = now
        grid.tick(to: now)
        guard !isChecking, checkTime.map({ instant - $0 >= .seconds(1) }) ?? true else { return nil }
        (isChecking, checkTime) = (true, instant)
        let isHome = if case .home = pane { true } else { false }
        return GuideCheck(
            storage: storage, now: now, zone: settings.clock.zone, favorites: favorites, favoriteReads: favoriteReads,
            showsOnlyFavorites: showsOnlyFavorites, schedules: grid.schedules, visibleRows: grid.visibleRows,
            visibleTime: grid.visibleTime, isHome: isHome,
            isHomeDue: isHome && (homeTime.map { $0.seconds(to: now) >= 60 } ?? true))
    }

    /// Shows the changes of the guide that a check has found.
    package func receive(_ result: GuideCheck.Result) {
        isChecking = false
        // The viewer has changed the favorites. The next check reads them.
        guard result.favoriteReads == favoriteReads else { return }
        do {
            let found = try result.changes.get()
            favorites = found.favorites
            grid.favorites = Set(favorites)
            if let schedules = found.schedules, schedules.window == grid.schedules.window {
                // Another drag begins at the new offset.
                drag = nil
                try grid.show(schedules)
                showsOnlyFavorites = schedules.stations != nil
            }
            if let shelves = found.shelves { try show(shelves) }
            if found.version != listsVersion {
                drag = nil
                pane = try reloaded(pane)
                listsVersion = found.version
            }
            failure = nil
        } catch {
            failure = "Cannot read the guide: \(error)"
        }
    }

    // MARK: - Events

    /// Reacts to an event.
    ///
    /// - Parameter instant: The arrival time of the event. It distinguishes a double-click from two clicks.
    package func handle(_ event: TerminalEvent, at instant: ContinuousClock.Instant) -> [Effect] {
        do {
            switch event {
            case .key(let key):
                try endDrag()
                return try handle(key)
            case .mouse(let mouse): return try handle(mouse, at: instant)
            case .paste(let text):
                guard shownPrompt != nil else { return [] }
                typed += String(text.prefix(200).filter { !$0.isNewline })
                try typedChanged()
            case .resized(let size): try resize(to: size)
            case .closed: return [.quit]
            case .reply(let reply): record(reply)
            case .focusGained, .focusLost, .resumed: break
            }
        } catch {
            message = "\(error)"
        }
        return []
    }

    private func resize(to size: Screen.Size) throws {
        self.size = size
        graphics.resetCellSize()
        hidePicture()
        try grid.resize(to: Browser.paneSize(in: size))
        resize(pane)
    }

    /// Resizes a pane and the panes below it.
    private func resize(_ pane: Pane) {
        switch pane {
        case .search(let search): search.list.resize(to: coverSize)
        case .stations(let stations): stations.resize(to: coverSize)
        case .help(let help, let under):
            help.resize(to: coverSize)
            resize(under)
        case .details(_, let under): resize(under)
        case .home: home.resize(to: coverSize)
        case .grid: break
        }
    }

    private func handle(_ key: KeyPress) throws -> [Effect] {
        message = nil
        if key == KeyPress(.character("c"), .control) { return [.quit] }
        if key == KeyPress(.character("z"), .control) { return [.suspend] }
        if shownPrompt != nil, try handleTyped(key) { return [] }
        switch pane {
        case .grid: return try settings.keys[key].map { try performInGrid($0) } ?? []
        case .home: return try settings.keys[key].map { try performInHome($0) } ?? []
        case .details(let details, let under): return try handle(key, in: details, over: under)
        case .help(let help, let under): handle(key, in: help, over: under)
        case .search(let search): return try handle(key, in: search)
        case .stations(let stations): return try handle(key, in: stations)
        }
        return []
    }

    /// Performs an action that is available on all screens.
    private func perform(_ action: BrowserAction) throws -> [Effect] {
        switch action {
        case .search: try openSearch()
        case .nextMatch: try showMatch(by: 1)
        case .previousMatch: try showMatch(by: -1)
        case .goTo: (prompt, typed) = (.time, "")
        case .nextScreen: try changeScreen(by: 1)
        case .previousScreen: try changeScreen(by: -1)
        case .stations: try openStations()
        case .mouse:
            settings.usesMouse.toggle()
            message = settings.usesMouse ? "The mouse controls the guide." : "The mouse selects text."
            return [.setMouse(settings.usesMouse)]
        case .help: showHelp()
        case .quit: return [.quit]
        default: break
        }
        return []
    }

    /// Cycles through the grid, the home screen and the stations.
    private func changeScreen(by step: Int) throws {
        let place =
            switch pane {
            case .home: 1
            case .search, .stations: 2
            case .grid, .details, .help: 0
            }
        prompt = nil
        switch (place + step + 3) % 3 {
        case 0: pane = .grid
        case 1:
            try readHome()
            pane = .home
        default: try openStations()
        }
    }

    // MARK: Grid

    private func performInGrid(_ action: BrowserAction) throws -> [Effect] {
        switch action {
        case .up: try grid.move(.previousRow)
        case .down: try grid.move(.nextRow)
        case .earlier: try grid.move(.earlier)
        case .later: try grid.move(.later)
        case .pageUp: try grid.move(.rowsUp)
        case .pageDown: try grid.move(.rowsDown)
        case .first: try grid.move(.firstRow)
        case .last: try grid.move(.lastRow)
        case .pageEarlier: try grid.move(.pageEarlier)
        case .pageLater: try grid.move(.pageLater)
        case .now: try grid.show(now)
        case .dayBefore: try moveDay(by: -1)
        case .dayAfter: try moveDay(by: 1)
        case .wider: try grid.zoom(by: 1)
        case .narrower: try grid.zoom(by: -1)
        case .details:
            if let airing = grid.focusedAiring {
                showDetails(of: airing.id)
            } else {
                message = "There are no listings at this time."
            }
        case .favorite: try grid.focus.map { try toggleFavorite($0.station) }
        case .onlyFavorites: try toggleOnlyFavorites()
        case .play: return try grid.focus.map { try play($0.station) } ?? []
        default: return try perform(action)
        }
        return []
    }

    /// Moves to the same local time on another day. A day may have 23 or 25 hours.
    private func moveDay(by days: Int) throws {
        let zone = settings.clock.zone
        let anchor = grid.focus?.anchor ?? grid.shownMoment
        let local = zone.localDateTime(at: anchor)
        let date = local.date.advanced(byDays: days)
        guard let moved = LocalDateTime(date: date, hour: local.hour, minute: local.minute, second: local.second) else {
            return
        }
        try grid.show(zone.instant(of: moved))
    }

    private func showDetails(of airing: AiringID) {
        do {
            if let details = try details(of: airing) { pane = .details(details, over: pane) }
        } catch {
            message = "Cannot read the airing: \(error)"
        }
    }

    /// Reads the details of an airing. If the guide no longer has it, sets a message and returns `nil`.
    private func details(of airing: AiringID) throws -> DetailsView? {
        let found = try storage.read(within: .seconds(5)) { guide in
            try guide.airing(airing).map { detail in
                (
                    detail, try guide.showings(of: airing, after: now, limit: 20),
                    DetailsPicture(of: detail.programme, on: try guide.station(detail.airing.station)?.station)
                )
            }
        }
        guard let (detail, showings, picture) = found else {
            message = "The guide has changed and no longer includes this airing."
            return nil
        }
        return DetailsView(detail, showings: showings, picture: picture, clock: settings.clock, size: coverSize)
    }

    private func play(_ station: StationID) throws -> [Effect] {
        guard !settings.player.isEmpty else {
            message = "No player is configured. \(settings.playerAdvice)"
            return []
        }
        let lineups = try storage.read(within: .seconds(5)) { try $0.lineups(containing: station) }
        let urls = lineups.flatMap(\.channels).compactMap(\.url)
        guard let stream = urls.lazy.compactMap(StreamURL.init).first else {
            message =
                urls.first.map { "Unsupported stream URL: \($0)" }
                ?? "No playlist has a stream for this station."
            return []
        }
        message = "Playing \(stream.text)"
        return [.play(settings.player + [stream.text])]
    }

    // MARK: Favorites

    private func readFavorites() throws {
        let found = try storage.read(within: .seconds(5)) { try $0.favorites() }
        favoriteReads += 1
        guard found != favorites else { return }
        homeTime = nil
        if showsOnlyFavorites {
            try grid.choose(found.isEmpty ? nil : found)
            showsOnlyFavorites = !found.isEmpty
        }
        favorites = found
        grid.favorites = Set(found)
    }

    private func toggleFavorite(_ station: StationID) throws {
        let isFavorite = favorites.contains(station)
        try storage.write { guide in
            let place = try guide.favorites().count
            try guide.setFavorite(station, to: isFavorite ? nil : place)
        }
        try readFavorites()
        message = isFavorite ? "The station is no longer a favorite." : "The station is now a favorite."
        guard case .home = pane else { return }
        if isFavorite { try home.arrangeFavorites(favorites) } else { try readHome() }
    }

    private func toggleOnlyFavorites() throws {
        try readFavorites()
        guard showsOnlyFavorites || !favorites.isEmpty else {
            message = "There are no favorites yet."
            return
        }
        showsOnlyFavorites.toggle()
        try grid.choose(showsOnlyFavorites ? favorites : nil)
        message = showsOnlyFavorites ? "Only favorites" : "All stations"
    }

    // MARK: Home

    private func readHome() throws {
        try readFavorites()
        let shelves = try storage.read(within: .seconds(5)) { guide in
            try HomeView.Shelf.all(in: guide, favorites: favorites, now: now, zone: settings.clock.zone)
        }
        try show(shelves)
    }

    private func show(_ shelves: [HomeView.Shelf]) throws {
        home.resize(to: coverSize)
        try home.show(shelves)
        homeTime = now
    }

    /// Moves the focused favorite along its shelf, and changes the stored order.
    private func moveFocusedFavorite(by step: Int) throws {
        guard let station = home.focusedFavorite, let neighbor = home.favorite(besideFocusBy: step) else { return }
        try storage.write { guide in
            guard let place = try guide.favorites().firstIndex(of: neighbor) else { return }
            try guide.setFavorite(station, to: place)
        }
        try readFavorites()
        try home.arrangeFavorites(favorites)
    }

    private func performInHome(_ action: BrowserAction) throws -> [Effect] {
        let card = home.focusedCard
        switch action {
        case .up: home.move(shelves: -1)
        case .down: home.move(shelves: 1)
        case .earlier: home.move(cards: -1)
        case .later: home.move(cards: 1)
        case .pageUp: home.move(shelves: -2)
        case .pageDown: home.move(shelves: 2)
        case .first: home.move(cards: -1_000_000)
        case .last: home.move(cards: 1_000_000)
        case .details: if let card { showDetails(of: card.airing.id) }
        case .now:
            guard let card else { return [] }
            pane = .grid
            try show(card.airing.station, at: max(card.window.start, min(now, card.window.end.advanced(by: -1))))
        case .favorite: if let card { try toggleFavorite(card.airing.station) }
        case .pageEarlier: try moveFocusedFavorite(by: -1)
        case .pageLater: try moveFocusedFavorite(by: 1)
        case .play: if let card { return try play(card.airing.station) }
        default: return try perform(action)
        }
        return []
    }

    // MARK: Details and help

    private func handle(_ key: KeyPress, in details: DetailsView, over under: Pane) throws -> [Effect] {
        switch settings.keys[key] {
        case _ where key.key == .escape || key.key == .backspace: pane = under
        case .up: details.move(by: -1)
        case .down: details.move(by: 1)
        case let action? where rows(of: action) != nil: details.scroll(rows: rows(of: action) ?? 0)
        case .picture: return togglePicture(of: details)
        case .details: try openFocusedShowing(of: details, over: under)
        case .quit, .earlier: pane = under
        case .favorite: try toggleFavorite(details.airing.station)
        case .play: return try play(details.airing.station)
        case let action?: return try perform(action)
        case nil: break
        }
        return []
    }

    /// Closes the details, and shows the focused showing in the grid if there is one.
    private func openFocusedShowing(of details: DetailsView, over under: Pane) throws {
        pane = under
        guard let showing = details.focusedShowing else { return }
        pane = .grid
        try show(showing.station, at: max(showing.window.start, min(now, showing.window.end.advanced(by: -1))))
    }

    private func handle(_ key: KeyPress, in help: HelpView, over under: Pane) {
        switch settings.keys[key] {
        case _ where key.key == .escape || key.key == .backspace: pane = under
        case .details, .quit, .earlier, .help: pane = under
        case let action?: if let rows = rows(of: action) { help.scroll(rows: rows) }
        case nil: break
        }
    }

    /// Number of rows by which an action scrolls a pane that covers the grid; `nil` for other actions.
    private func rows(of action: BrowserAction) -> Int? {
        switch action {
        case .up: -1
        case .down: 1
        case .pageUp: 1 - coverRows
        case .pageDown: coverRows - 1
        case .first: -1_000_000
        case .last: 1_000_000
        default: nil
        }
    }

    private func showHelp() { pane = .help(HelpView(settings.keys, size: coverSize), over: pane) }

    // MARK: Pictures

    /// Requests the picture of the details, or hides it.
    private func togglePicture(of details: DetailsView) -> [Effect] {
        guard details.picture.picture == nil else {
            details.picture.hide()
            return []
        }
        guard let url = details.picture.url else {
            message = "The guide has no picture for this program or its station."
            return []
        }
        guard let method = graphics.method else {
            message = "This terminal cannot show pictures: it supports neither kitty graphics nor sixel."
            return []
        }
        guard let cell = graphics.cell else {
            message = "This terminal cannot show pictures: it does not report its cell size."
            return []
        }
        pictureRequests += 1
        let request = details.picture.request(id: pictureRequests, in: coverSize, method, cell: cell)
        message = "Fetching \(url.text)"
        return request.map { [.fetchPicture($0)] } ?? []
    }

    /// Shows a requested picture, unless the details were closed or scrolled since the request.
    package func receive(_ result: Result<TerminalPicture, PictureFailure>, for request: PictureRequest) {
        guard case .details(let details, _) = pane, details.picture.waits(for: request) else { return }
        switch result {
        case .success(let picture):
            details.picture.show(picture)
            message = nil
        case .failure(let failure):
            details.picture.hide()
            message = "Cannot show the picture: \(failure.reason)."
        }
    }

    /// Shows the error message of a failed effect.
    package func report(_ failure: String) { message = failure }

    private func record(_ reply: TerminalReply) {
        let cell = graphics.cell
        graphics.update(with: reply, screenSize: size)
        if graphics.cell != cell { hidePicture() }
    }

    private func hidePicture() {
        switch pane {
        case .details(let details, _), .help(_, over: .details(let details, _)): details.picture.hide()
        default: break
        }
    }

    /// The key for the picture, if there is a picture and the terminal can show it.
    private func pictureKey(of details: DetailsView) -> [FrameView.Key] {
        guard details.picture.url != nil, graphics.method != nil, graphics.cell != nil else { return [] }
        return keys([(.picture, details.picture.picture == nil ? "picture" : "hide picture")])
    }

    // MARK: Lists

    private func openSearch() throws {
        pane = .search(try SearchView(clock: settings.clock, size: coverSize))
        (prompt, typed) = (.search, "")
    }

    private func openStations() throws {
        pane = .stations(StationsView(size: coverSize))
        (prompt, typed) = (.stations, "")
        try typedChanged()
    }

    /// The action of a key in a list. Characters are input there, so the default keys take precedence over the settings.
    private func listAction(of key: KeyPress) -> BrowserAction? { KeyBindings.default[key] ?? settings.keys[key] }

    private func handle(_ key: KeyPress, in search: SearchView) throws -> [Effect] {
        switch listAction(of: key) {
        case _ where key.key == .escape: (pane, prompt) = (.grid, nil)
        // A row has two lines.
        case .pageUp: search.list.move(by: -coverRows / 2)
        case .pageDown: search.list.move(by: coverRows / 2)
        case .earlier: try search.list.close()
        case .later: try search.list.open()
        case .details: try openFocusedMatch(of: search)
        case .help, .mouse, .nextScreen, .previousScreen, .quit: return try listAction(of: key).map(perform) ?? []
        case let action?: if let rows = rows(of: action) { search.list.move(by: rows) }
        case nil: break
        }
        return []
    }

    private func openFocusedMatch(of search: SearchView) throws {
        guard let index = search.focusedMatch else { return }
        (pane, prompt) = (.grid, nil)
        try show(match: index)
    }

    private func handle(_ key: KeyPress, in stations: StationsView) throws -> [Effect] {
        switch listAction(of: key) {
        case _ where key.key == .escape: (pane, prompt) = (.grid, nil)
        case .earlier: stations.move(stations: -1)
        case .later: stations.move(stations: 1)
        case .first: stations.move(stations: -1_000_000)
        case .last: stations.move(stations: 1_000_000)
        case .details: try openFocusedStation(of: stations)
        case .help, .mouse, .nextScreen, .previousScreen, .quit: return try listAction(of: key).map(perform) ?? []
        case let action?: if let rows = rows(of: action) { stations.move(rows: rows) }
        case nil: break
        }
        return []
    }

    private func openFocusedStation(of stations: StationsView) throws {
        guard let station = stations.focusedStation?.station.id else { return }
        (pane, prompt) = (.grid, nil)
        try show(station, at: grid.focus?.anchor ?? now)
    }

    private func showMatch(by step: Int) throws {
        if let search, search.version != grid.schedules.version { try search.reload(in: storage, now: now) }
        guard let matches = search?.matches, !matches.isEmpty else {
            let key = keys([(.search, "")]).first.map { " Press \($0.name) to search." } ?? ""
            message = "There are no matches." + key
            return
        }
        let current = matches.firstIndex { $0.airing.id == match }
        try show(match: ((current ?? (step > 0 ? -1 : 0)) + step + matches.count) % matches.count)
    }

    private func show(match index: Int) throws {
        guard let matches = search?.matches, matches.indices.contains(index) else { return }
        let airing = matches[index].airing
        match = airing.id
        pane = .grid
        if try show(airing.station, at: airing.window.start) { message = "Match \(index + 1) of \(matches.count)" }
    }

    /// Focuses a station in the grid, which shows all stations if this one is not a favorite.
    ///
    /// - Returns: Whether the guide has the station.
    @discardableResult
    private func show(_ station: StationID, at moment: Instant) throws -> Bool {
        if try grid.focus(station: station, at: moment) { return true }
        if showsOnlyFavorites {
            try grid.choose(nil)
            showsOnlyFavorites = false
            if try grid.focus(station: station, at: moment) { return true }
        }
        message = "The guide has changed and no longer includes this station."
        return false
    }

    // MARK: Typing

    /// The input line that receives keys; `nil` while the help covers it.
    private var shownPrompt: Prompt? { if case .help = pane { nil } else { prompt } }

    /// Edits the input line.
    ///
    /// - Returns: Whether the input line used the key.
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
            goToTypedTime()
            return true
        default: return prompt == .time
        }
        try typedChanged()
        return true
    }

    private func typedChanged() throws {
        switch (prompt, pane) {
        case (.search, .search(let search)):
            // Until the viewer types, the previous search remains the last one.
            (self.search, match) = (search, nil)
            try search.search(typed, in: storage, now: now)
        case (.stations, .stations(let stations)):
            try stations.search(typed, in: storage)
        default: break
        }
    }

    /// Reloads a pane and the panes below it after the guide has changed.
    ///
    /// - Returns: The pane, or the one below it if its airing no longer exists.
    private func reloaded(_ pane: Pane) throws -> Pane {
        switch pane {
        case .grid, .home: break
        case .search(let search): try search.reload(in: storage, now: now)
        case .stations(let stations): try stations.reload(in: storage)
        case .help(let help, let under): return .help(help, over: try reloaded(under))
        case .details(let old, let under):
            let under = try reloaded(under)
            guard let new = try details(of: old.airing.id) else { return under }
            new.replace(old)
            return .details(new, over: under)
        }
        return pane
    }

    /// Goes to the typed time. Keeps invalid text for correction.
    private func goToTypedTime() {
        do {
            if !typed.isEmpty {
                try grid.show(try TimeExpression.parse(typed, now: now, zone: settings.clock.zone))
                pane = .grid
            }
            prompt = nil
        } catch {
            message = "\(error)"
        }
    }

    // MARK: Mouse

    private func handle(_ mouse: MouseEvent, at instant: ContinuousClock.Instant) throws -> [Effect] {
        message = nil
        switch mouse.action {
        case .wheel(let direction):
            try scroll(direction, isSideways: mouse.modifiers.contains(.shift), at: mouse.position)
        case .press(.left):
            let isDouble =
                lastPress.map { instant - $0.time < .milliseconds(400) && $0.position == mouse.position } ?? false
            lastPress = isDouble ? nil : (instant, mouse.position)
            try endDrag()
            dragPosition = mouse.position.row == size.rows - 1 ? nil : mouse.position
            return try click(at: mouse.position, isDouble: isDouble)
        case .drag:
            guard let start = dragPosition else { break }
            let drag = drag ?? beginDrag(at: Screen.Position(column: start.column, row: start.row - 1))
            drag.move(to: Point(Screen.Position(column: mouse.position.column, row: mouse.position.row - 1)))
            (self.drag, dragPosition) = (drag, mouse.position)
        case .release(.left): try endDrag()
        case .press, .release: break
        }
        return []
    }

    private func beginDrag(at position: Screen.Position) -> DragSession {
        switch pane {
        case .grid: grid.beginDrag(at: position)
        case .home: home.beginDrag(at: position)
        case .details(let details, _): details.beginDrag(at: position)
        case .help(let help, _): help.beginDrag(at: position)
        case .search(let search): search.list.beginDrag(at: position)
        case .stations(let stations): stations.beginDrag(at: position)
        }
    }

    /// Ends a drag, also without a release of the button, which terminals do not report outside the window.
    private func endDrag() throws {
        dragPosition = nil
        guard let drag else { return }
        self.drag = nil
        drag.end()
        switch pane {
        case .grid: try grid.endDrag()
        case .details(let details, _): details.scroll(rows: 0)
        case .home, .help, .search, .stations: break
        }
    }

    private func scroll(_ direction: MouseEvent.Direction, isSideways: Bool, at position: Screen.Position) throws {
        let rows = direction == .up ? -2 : direction == .down ? 2 : 0
        switch pane {
        case .grid:
            let columns = direction == .left || isSideways && rows < 0 ? -8 : direction == .right || isSideways ? 8 : 0
            try grid.scroll(rows: isSideways ? 0 : rows, columns: rows != 0 && !isSideways ? 0 : columns)
        case .home:
            let cards = direction == .left || isSideways && rows < 0 ? -1 : direction == .right || isSideways ? 1 : 0
            let place = Screen.Position(column: position.column, row: position.row - 1)
            if cards == 0 { home.scroll(rows: rows) } else { home.scroll(cards: cards, at: place) }
        case .details(let details, _): details.scroll(rows: rows)
        case .help(let help, _): help.scroll(rows: rows)
        case .search(let search): search.list.scroll(rows: rows)
        case .stations(let stations): stations.scroll(rows: rows)
        }
    }

    private func click(at position: Screen.Position, isDouble: Bool) throws -> [Effect] {
        if position.row == size.rows - 1 {
            guard let key = frame.key(atColumn: position.column) else { return [] }
            return try handle(key)
        }
        let inside = Screen.Position(column: position.column, row: position.row - 1)
        switch pane {
        case .grid:
            guard inside.row >= 0, inside.row < Browser.paneSize(in: size).rows, grid.focus(at: inside) else {
                return []
            }
            if isDouble { return try performInGrid(.details) }
        case .home:
            if inside.row >= 0, home.focus(at: inside), isDouble { return try performInHome(.details) }
        case .search(let search):
            if inside.row >= 0, try search.list.focus(at: inside), isDouble { try openFocusedMatch(of: search) }
        case .stations(let stations):
            if inside.row >= 0, stations.focus(at: inside), isDouble { try openFocusedStation(of: stations) }
        case .details(let details, let under):
            if inside.row >= 0, details.focus(at: inside), isDouble { try openFocusedShowing(of: details, over: under) }
        case .help: break
        }
        return []
    }

    // MARK: - Drawing

    /// Draws the current screen.
    package func screen() -> Screen {
        var screen = Screen(size: size)
        switch pane {
        case .grid:
            grid.draw(on: &screen, below: 1)
            let reason =
                showsOnlyFavorites
                ? "The guide has none of the favorite stations." : "The guide is empty. \(settings.emptyGuideAdvice)"
            if grid.schedules.rowCount == 0, size.rows > 3 {
                screen.lines.draw(TerminalText(reason), row: 2, in: 1..<max(1, size.columns), .normal)
            }
            grid.drawSummary(on: &screen, rows: Browser.summaryRows(in: size))
        case .home:
            home.draw(on: &screen, below: 1, rows: coverRows, now: now, favorites: Set(favorites))
        case .details(let details, _): details.draw(on: &screen, below: 1, rows: coverRows, cell: graphics.cell)
        case .help(let help, _): help.draw(on: &screen, below: 1, rows: coverRows)
        case .search(let search): search.list.draw(on: &screen, below: 1, rows: coverRows)
        case .stations(let stations):
            stations.draw(on: &screen, below: 1, rows: coverRows, favorites: Set(favorites))
        }
        drawTitle(on: &screen)
        let failure = failure ?? grid.schedules.failure.map { "Cannot read the guide: \($0)" }
        frame.drawFooter(message ?? failure, keys: footer, on: &screen)
        return screen
    }

    private func drawTitle(on screen: inout Screen) {
        let label: String? =
            switch shownPrompt {
            case .search: "Search:"
            case .time: "Go to:"
            case .stations: "Stations:"
            case nil: nil
            }
        let time = "\(settings.clock.zone.dayLabel(at: now)), \(settings.clock.time(now))"
        FrameView.drawTitle(
            showsOnlyFavorites ? "TV guide · favorites" : "TV guide", typed: label.map { ($0, typed) }, time: time,
            on: &screen)
    }

    /// The keys for the current pane, with their labels.
    private var footer: [FrameView.Key] {
        if prompt == .time {
            return [
                FrameView.Key(name: "Enter", key: KeyPress(.enter), label: "go"),
                FrameView.Key(name: "Esc", key: KeyPress(.escape), label: "cancel"),
            ]
        }
        let escape = FrameView.Key(name: "Esc", key: KeyPress(.escape), label: "back")
        switch pane {
        case .grid:
            return keys([
                (.details, "details"), (.search, "search"), (.help, "help"), (.quit, "quit"), (.now, "now"),
                (.nextScreen, "home"), (.favorite, "favorite"), (.goTo, "go to"), (.dayBefore, "day"),
                (.dayAfter, "day"),
            ])
        case .home:
            return keys([
                (.details, "details"), (.search, "search"), (.help, "help"), (.quit, "quit"), (.now, "in the grid"),
                (.nextScreen, "stations"), (.favorite, "favorite"),
            ])
        case .details(let details, _):
            let show = details.focusedShowing == nil ? [] : keys([(.details, "in the grid")])
            return [escape] + show + keys([(.up, "up"), (.down, "down")]) + pictureKey(of: details)
        case .help: return [escape] + keys([(.up, "up"), (.down, "down")])
        case .search(let search):
            let open: [(BrowserAction, String)] = search.list.canOpen ? [(.later, "more"), (.earlier, "less")] : []
            return [escape]
                + keys(
                    [(.details, "show"), (.up, "up"), (.down, "down")] + open + [(.nextScreen, "grid")], in: .default)
        case .stations:
            let actions: [(BrowserAction, String)] = [
                (.details, "show"), (.up, "up"), (.down, "down"), (.nextScreen, "grid"),
            ]
            return [escape] + keys(actions, in: .default)
        }
    }

    /// The first key of each action that has a key.
    ///
    /// - Parameter bindings: The key bindings (default: from the settings).
    private func keys(
        _ actions: [(BrowserAction, String)], in bindings: KeyBindings? = nil
    ) -> [FrameView.Key] {
        actions.compactMap { action, label in
            guard let name = (bindings ?? settings.keys).keys(of: action).first, let key = KeyPress(named: name) else {
                return nil
            }
            return FrameView.Key(name: KeyPress.sign(ofKeyNamed: name), key: key, label: label)
        }
    }
}

/// The URL of a network stream, which a player cannot interpret as an option or a file.
private struct StreamURL {
    let text: String

    /// Creates a URL from a playlist entry; `nil` if its scheme is not for network streams.
    init?(_ url: String) {
        if let url = HTTPURL(url) {
            text = url.text
            return
        }
        let schemes = ["rtsp://", "rtsps://", "rtp://", "udp://", "rtmp://", "rtmps://", "srt://"]
        guard schemes.contains(where: { url.lowercased().hasPrefix($0) }),
            url.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
        else { return nil }
        text = url
    }
}
