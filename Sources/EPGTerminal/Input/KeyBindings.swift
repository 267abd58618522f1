/// An action of a key in the interactive guide. The raw value is its name in the settings.
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

    /// The names of the default keys.
    var defaultKeys: [String] {
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

    /// A group of actions in the help.
    enum Topic: CaseIterable {
        case movement, time, airings, screens, program

        /// The heading in the help.
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

    /// The description in the help.
    var help: String {
        switch self {
        case .up: "the station or line above"
        case .down: "the station or line below"
        case .earlier: "the previous airing; in a list: close the row"
        case .later: "the next airing; in a list: open the row"
        case .pageUp: "a page up"
        case .pageDown: "a page down"
        case .first: "the first station or line"
        case .last: "the last station or line"
        case .pageEarlier: "a page earlier; on the favorites shelf: move it left"
        case .pageLater: "a page later; on the favorites shelf: move it right"
        case .now: "what is on now"
        case .dayBefore: "the previous day"
        case .dayAfter: "the next day"
        case .goTo: "go to a time, such as tomorrow 20:00"
        case .wider: "wider hours"
        case .narrower: "narrower hours"
        case .details: "the details of the airing"
        case .picture: "in the details: show or hide the picture"
        case .search: "search titles and descriptions"
        case .nextMatch: "the next match of the search"
        case .previousMatch: "the previous match"
        case .favorite: "add the station to the favorites, or remove it"
        case .onlyFavorites: "show only favorites, or all stations"
        case .nextScreen: "the next screen: grid, home, stations"
        case .previousScreen: "the previous screen"
        case .stations: "the list of stations; letters filter it"
        case .play: "play the station's stream"
        case .mouse: "turn the mouse on, or off to select text"
        case .help: "this help"
        case .quit: "quit"
        }
    }
}

/// The assignment of keys to actions.
package struct KeyBindings: Hashable, Sendable {
    /// An error in a setting, such as an unknown action or key.
    package struct SettingError: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    private var actions: [KeyPress: BrowserAction] = [:]
    /// The names of each action's keys. The footer shows the first one.
    private var names: [BrowserAction: [String]] = [:]

    /// The default key bindings.
    package static let `default`: KeyBindings = {
        var bindings = KeyBindings()
        for action in BrowserAction.allCases {
            for name in action.defaultKeys {
                if let key = KeyPress(named: name) { bindings.bind(key, name, to: action) }
            }
        }
        return bindings
    }()

    private init() {}

    /// Creates the default key bindings with changes. The keys in the settings replace the default keys of their actions, and no
    /// longer apply to other actions.
    ///
    /// - Parameter settings: Actions with a key, such as `search=ctrl-f`. A key is a character or one of ``KeyPress/names``, with
    ///   an optional prefix `ctrl-`, `alt-` or both.
    package init(settings: [String]) throws(SettingError) {
        self = .default
        var changes = Changes()
        for setting in settings { try apply(setting, &changes) }
    }

    /// Returns all errors in settings.
    package static func errors(in settings: [String]) -> [SettingError] {
        var bindings = KeyBindings.default
        var changes = Changes()
        var errors: [SettingError] = []
        for setting in settings {
            do throws(SettingError) {
                try bindings.apply(setting, &changes)
            } catch {
                errors.append(error)
            }
        }
        return errors
    }

    /// The actions and keys that occurred in earlier settings.
    private struct Changes {
        var changed: Set<BrowserAction> = []
        var taken: [KeyPress: String] = [:]
    }

    private mutating func apply(_ setting: String, _ changes: inout Changes) throws(SettingError) {
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
            throw SettingError(description: "the key “\(name)” cannot be set: \(meaning)")
        }
        if let other = changes.taken.updateValue(action.rawValue, forKey: key), other != action.rawValue {
            throw SettingError(
                description: "the key “\(name)” is set twice, for \(other) and for \(action.rawValue)")
        }
        if changes.changed.insert(action).inserted { unbind(action) }
        bind(key, name, to: action)
    }

    /// The action of a key; `nil` if it has none.
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

    /// The names of keys other than characters and function keys. Escape cannot be assigned, because it always means back.
    package static var names: [String] { named.map(\.name) }

    /// Keys that cannot be assigned, with the reason: a fixed meaning, or the same bytes as another key.
    fileprivate static let reserved: [KeyPress: String] = [
        KeyPress(.character("c"), .control): "it always quits",
        KeyPress(.character("z"), .control): "it always suspends",
        KeyPress(.character("i"), .control): "terminals send it as Tab",
        KeyPress(.character("m"), .control): "terminals send it as Enter",
        KeyPress(.character("j"), .control): "terminals send it as Enter",
        KeyPress(.character("h"), .control): "terminals send it as Backspace",
        KeyPress(.character("["), .control): "terminals send it as Escape",
    ]

    /// Creates a key from its name, such as `x`, `ctrl-f`, `page-up` or `f5`.
    package init?(named name: String) {
        var (rest, modifiers) = (name[...], Modifiers())
        for (prefix, modifier) in [("ctrl-", Modifiers.control), ("alt-", .alt)] where rest.hasPrefix(prefix) {
            rest = rest.dropFirst(prefix.count)
            modifiers.insert(modifier)
        }
        if let found = KeyPress.named.first(where: { $0.name == rest }) {
            self.init(found.key, modifiers)
        } else if rest.count == 1, let character = rest.first, !character.isWhitespace {
            // Terminals send the same control character with and without Shift.
            let isControl = modifiers.contains(.control)
            self.init(.character(isControl ? character.lowercased().first ?? character : character), modifiers)
        } else if rest.first == "f", let number = Int(rest.dropFirst()), (1...12).contains(number), rest.count < 4 {
            self.init(.function(number), modifiers)
        } else {
            return nil
        }
    }

    /// The display name of a key: `PgUp`, `Ctrl-F`, `x`.
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
