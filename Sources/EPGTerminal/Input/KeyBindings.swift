/// What a key does in the interactive guide. The raw value is the name in the settings.
package enum BrowserAction: String, Hashable, Sendable, CaseIterable {
    case up, down, earlier, later
    case pageUp = "page-up"
    case pageDown = "page-down"
    case first, last
    case pageEarlier = "page-earlier"
    case pageLater = "page-later"
    case now
    case dayBefore = "day-before"
    case dayAfter = "day-after"
    case goTo = "go-to"
    case wider, narrower, details, picture, search
    case nextMatch = "next-match"
    case previousMatch = "previous-match"
    case favorite
    case onlyFavorites = "only-favorites"
    case nextScreen = "next-screen"
    case previousScreen = "previous-screen"
    case stations, play, mouse, help, quit

    /// The keys without settings, by their names.
    var usualKeys: [String] {
        switch self {
        case .up: ["up", "k"]
        case .down: ["down", "j"]
        case .earlier: ["left", "h"]
        case .later: ["right", "l"]
        case .pageUp: ["page-up"]
        case .pageDown: ["page-down"]
        case .first: ["home"]
        case .last: ["end"]
        case .pageEarlier: ["<"]
        case .pageLater: [">"]
        case .now: ["t"]
        case .dayBefore: ["["]
        case .dayAfter: ["]"]
        case .goTo: ["g"]
        case .wider: ["+", "="]
        case .narrower: ["-"]
        case .details: ["enter"]
        case .picture: ["i"]
        case .search: ["/"]
        case .nextMatch: ["n"]
        case .previousMatch: ["N"]
        case .favorite: ["f"]
        case .onlyFavorites: ["F"]
        case .nextScreen: ["tab"]
        case .previousScreen: ["shift-tab"]
        case .stations: ["s"]
        case .play: ["p"]
        case .mouse: ["m"]
        case .help: ["?", "f1"]
        case .quit: ["q"]
        }
    }

    /// Where the help lists it.
    enum Topic: CaseIterable {
        case movement, time, airings, screens, program

        /// Above the keys.
        var title: String {
            switch self {
            case .movement: "Moving"
            case .time: "Time"
            case .airings: "Airings and stations"
            case .screens: "Screens and searches"
            case .program: "Program"
            }
        }
    }

    var topic: Topic {
        switch self {
        case .up, .down, .earlier, .later, .pageUp, .pageDown, .first, .last: .movement
        case .pageEarlier, .pageLater, .now, .dayBefore, .dayAfter, .goTo, .wider, .narrower: .time
        case .details, .picture, .favorite, .onlyFavorites, .play: .airings
        case .search, .nextMatch, .previousMatch, .nextScreen, .previousScreen, .stations: .screens
        case .mouse, .help, .quit: .program
        }
    }

    /// What the help says of it.
    var help: String {
        switch self {
        case .up: "the station or line above"
        case .down: "the station or line below"
        case .earlier: "the airing before; in a list: close the row"
        case .later: "the airing after; in a list: open the row"
        case .pageUp: "a page up"
        case .pageDown: "a page down"
        case .first: "the first station or line"
        case .last: "the last station or line"
        case .pageEarlier: "a page earlier; on the favorites shelf: move forward"
        case .pageLater: "a page later; on the favorites shelf: move back"
        case .now: "what is on now"
        case .dayBefore: "the day before"
        case .dayAfter: "the day after"
        case .goTo: "go to a time, such as tomorrow 20:00"
        case .wider: "wider hours"
        case .narrower: "narrower hours"
        case .details: "everything about the airing"
        case .picture: "in the details: show or hide the picture"
        case .search: "search titles and descriptions"
        case .nextMatch: "the next match of the search"
        case .previousMatch: "the match before"
        case .favorite: "make the station a favorite, or no favorite"
        case .onlyFavorites: "show only favorites, or all stations"
        case .nextScreen: "the next screen: grid, home, stations"
        case .previousScreen: "the screen before"
        case .stations: "the list of stations"
        case .play: "play the station's stream"
        case .mouse: "leave the mouse to the terminal, or take it"
        case .help: "this help"
        case .quit: "quit"
        }
    }
}

/// Which keys do what.
package struct KeyBindings: Hashable, Sendable {
    /// A setting that names no action or no key.
    package struct SettingError: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    private var actions: [KeyPress: BrowserAction] = [:]
    /// The names of each action's keys, the first one for the footer.
    private var names: [BrowserAction: [String]] = [:]

    /// The keys without settings.
    package static let usual: KeyBindings = {
        var bindings = KeyBindings()
        for action in BrowserAction.allCases {
            for name in action.usualKeys {
                if let key = KeyPress(named: name) { bindings.bind(key, name, to: action) }
            }
        }
        return bindings
    }()

    private init() {}

    /// The usual keys with changes: an action that is named has the keys that are named with it, instead of its usual ones,
    /// and no other action has these.
    ///
    /// - Parameter settings: An action and a key each, such as `search=ctrl-f`. A key is a character or one of
    ///   ``KeyPress/names``, and may have `ctrl-`, `alt-` or both before it.
    package init(settings: [String]) throws(SettingError) {
        self = .usual
        var changed: Set<BrowserAction> = []
        var taken: [KeyPress: String] = [:]
        for setting in settings {
            guard let sign = setting.firstIndex(of: "="), sign != setting.startIndex else {
                throw SettingError(
                    description: "“\(setting.prefix(64))” is not an action and a key, such as search=ctrl-f")
            }
            let name = String(setting[setting.index(after: sign)...])
            guard let action = BrowserAction(rawValue: String(setting[..<sign])) else {
                throw SettingError(
                    description: "there is no action “\(setting[..<sign].prefix(64))”; the actions are "
                        + BrowserAction.allCases.map(\.rawValue).joined(separator: ", "))
            }
            guard let key = KeyPress(named: name) else {
                throw SettingError(
                    description: "there is no key “\(name.prefix(64))”; a key is a character or one of "
                        + KeyPress.names.joined(separator: ", ") + ", f1 to f12, with ctrl- or alt- before it")
            }
            if let meaning = KeyPress.reserved[key] {
                throw SettingError(description: "the key “\(name)” can't be set: \(meaning)")
            }
            if let other = taken.updateValue(action.rawValue, forKey: key), other != action.rawValue {
                throw SettingError(
                    description: "the key “\(name)” is set twice, for \(other) and for \(action.rawValue)")
            }
            if changed.insert(action).inserted { unbind(action) }
            bind(key, name, to: action)
        }
    }

    /// What a key does; `nil` for nothing.
    package subscript(key: KeyPress) -> BrowserAction? { actions[key] }

    /// The names of an action's keys.
    func keys(of action: BrowserAction) -> [String] { names[action] ?? [] }

    private mutating func bind(_ key: KeyPress, _ name: String, to action: BrowserAction) {
        if let other = actions[key] { names[other]?.removeAll { KeyPress(named: $0) == key } }
        actions[key] = action
        names[action, default: []].append(name)
    }

    private mutating func unbind(_ action: BrowserAction) {
        actions = actions.filter { $0.value != action }
        names[action] = []
    }
}

extension KeyPress {
    private static let named: [(name: String, key: Key, sign: String)] = [
        ("enter", .enter, "Enter"), ("tab", .tab, "Tab"), ("shift-tab", .backTab, "Shift-Tab"),
        ("space", .character(" "), "Space"), ("backspace", .backspace, "Backspace"), ("insert", .insert, "Ins"),
        ("delete", .delete, "Del"), ("up", .up, "↑"), ("down", .down, "↓"), ("left", .left, "←"),
        ("right", .right, "→"),
        ("page-up", .pageUp, "PgUp"), ("page-down", .pageDown, "PgDn"), ("home", .home, "Home"), ("end", .end, "End"),
    ]

    /// The names of keys that are not a character, without those of function keys. Escape always means back.
    package static var names: [String] { named.map(\.name) }

    /// Why keys can't be set: they have a fixed meaning, or terminals send the same bytes for another key.
    fileprivate static let reserved: [KeyPress: String] = [
        KeyPress(.character("c"), .control): "it always quits",
        KeyPress(.character("z"), .control): "it always suspends",
        KeyPress(.character("i"), .control): "terminals send it as Tab",
        KeyPress(.character("m"), .control): "terminals send it as Enter",
        KeyPress(.character("j"), .control): "terminals send it as Enter",
        KeyPress(.character("h"), .control): "terminals send it as Backspace",
        KeyPress(.character("["), .control): "terminals send it as Escape",
    ]

    /// The key of a name, such as `x`, `ctrl-f`, `page-up` or `f5`.
    package init?(named name: String) {
        var (rest, modifiers) = (name[...], Modifiers())
        for (prefix, modifier) in [("ctrl-", Modifiers.control), ("alt-", .alt)] where rest.hasPrefix(prefix) {
            rest = rest.dropFirst(prefix.count)
            modifiers.insert(modifier)
        }
        if let found = KeyPress.named.first(where: { $0.name == rest }) {
            self.init(found.key, modifiers)
        } else if rest.count == 1, let character = rest.first, !character.isWhitespace {
            // Terminals send control characters without regard to Shift.
            let isControl = modifiers.contains(.control)
            self.init(.character(isControl ? character.lowercased().first ?? character : character), modifiers)
        } else if rest.first == "f", let number = Int(rest.dropFirst()), (1...12).contains(number), rest.count < 4 {
            self.init(.function(number), modifiers)
        } else {
            return nil
        }
    }

    /// How people write the name of a key: `PgUp`, `Ctrl-F`, `x`.
    static func sign(ofKeyNamed name: String) -> String {
        var (rest, lead) = (name[...], "")
        for (prefix, text) in [("ctrl-", "Ctrl-"), ("alt-", "Alt-")] where rest.hasPrefix(prefix) {
            rest = rest.dropFirst(prefix.count)
            lead += text
        }
        if let found = named.first(where: { $0.name == rest }) { return lead + found.sign }
        return lead + (rest.count > 1 || !lead.isEmpty ? rest.uppercased() : String(rest))
    }
}
