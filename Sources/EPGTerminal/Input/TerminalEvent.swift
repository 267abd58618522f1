/// What happens at a terminal.
package enum TerminalEvent: Hashable, Sendable {
    case key(KeyPress)
    case mouse(MouseEvent)
    /// A text that was pasted, at most ``InputParser/pasteLimit`` bytes of it. It may contain anything.
    case paste(String)
    /// The window got or lost the focus.
    case focusGained, focusLost
    case reply(TerminalReply)
    /// The terminal has a new size.
    case resized(Screen.Size)
    /// The process continues after a stop; the terminal shows nothing of what was presented before.
    case resumed
    /// The terminal is gone.
    case closed
}

/// A key with its modifiers, as far as terminals report them.
package struct KeyPress: Hashable, Sendable {
    package enum Key: Hashable, Sendable {
        /// One scalar, with Shift applied to it: `G` for Shift+g. A mark combines with the character before it if both are
        /// appended to a string.
        case character(Character)
        case enter, tab, backTab, escape, backspace, insert, delete
        case up, down, left, right, pageUp, pageDown, home, end
        /// F1 to F12.
        case function(Int)
    }

    package struct Modifiers: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let shift = Modifiers(rawValue: 1)
        package static let alt = Modifiers(rawValue: 2)
        package static let control = Modifiers(rawValue: 4)
    }

    package let key: Key
    package let modifiers: Modifiers

    package init(_ key: Key, _ modifiers: Modifiers = []) {
        self.key = key
        self.modifiers = modifiers
    }
}

/// A press, a release or a turn of the wheel.
package struct MouseEvent: Hashable, Sendable {
    package enum Button: Hashable, Sendable {
        case left, middle, right
    }

    package enum Direction: Hashable, Sendable {
        case up, down, left, right
    }

    package enum Action: Hashable, Sendable {
        case press(Button)
        case release(Button)
        case wheel(Direction)
    }

    package let action: Action
    /// May be outside the screen while it is being resized.
    package let position: Screen.Position
    package let modifiers: KeyPress.Modifiers

    package init(_ action: Action, at position: Screen.Position, _ modifiers: KeyPress.Modifiers = []) {
        self.action = action
        self.position = position
        self.modifiers = modifiers
    }
}

/// What a terminal replies to a query.
package enum TerminalReply: Hashable, Sendable {
    /// The state of a mode (DECRPM).
    package enum ModeState: Int, Hashable, Sendable {
        case unknown, set, reset, permanentlySet, permanentlyReset

        /// Whether the terminal knows the mode and lets it be set.
        package var isUsable: Bool { self == .set || self == .reset || self == .permanentlySet }
    }

    /// The extensions that the terminal has (DA1); 4 is sixel graphics.
    case deviceAttributes([Int])
    case mode(Int, ModeState)
    /// A reply of the kitty graphics protocol to the query or the picture with this identifier.
    case graphics(id: Int, isOK: Bool)
    /// The size of a cell in pixels (XTWINOPS), which the host also learns from the system.
    case cellSize(TerminalGraphics.PixelSize)
    /// The size of all cells in pixels (XTWINOPS).
    case windowSize(TerminalGraphics.PixelSize)
}
