/// An event of a terminal.
package enum TerminalEvent: Hashable, Sendable {
    case key(KeyPress)
    case mouse(MouseEvent)
    /// Pasted text, truncated to ``InputParser/pasteLimit`` bytes. It may contain any character.
    case paste(String)
    /// The window gained or lost the focus.
    case focusGained, focusLost
    case reply(TerminalReply)
    /// The terminal has a new size.
    case resized(Screen.Size)
    /// The process continues after a stop. The terminal no longer shows the last screen.
    case resumed
    /// The terminal was closed.
    case closed
}

/// A key with its modifiers, as far as terminals report them.
package struct KeyPress: Hashable, Sendable {
    package enum Key: Hashable, Sendable {
        /// One scalar with Shift applied, such as `G` for Shift+g. A combining mark is a character of its own, which combines with
        /// the previous one when both are appended to a string.
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

/// A press or release of a button, a motion while the left button is pressed, or a step of the wheel.
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
        case drag
        case wheel(Direction)
    }

    package let action: Action
    /// The cell under the pointer. It may be outside the screen during a resize.
    package let position: Screen.Position
    package let modifiers: KeyPress.Modifiers

    package init(_ action: Action, at position: Screen.Position, _ modifiers: KeyPress.Modifiers = []) {
        self.action = action
        self.position = position
        self.modifiers = modifiers
    }
}

/// A reply of a terminal to a query.
package enum TerminalReply: Hashable, Sendable {
    /// The state of a mode (DECRPM).
    package enum ModeState: Int, Hashable, Sendable {
        case unknown, set, reset, permanentlySet, permanentlyReset

        /// Whether the terminal supports setting the mode.
        package var isUsable: Bool { self == .set || self == .reset || self == .permanentlySet }
    }

    /// The extensions of the terminal (DA1); 4 is sixel graphics.
    case deviceAttributes([Int])
    case mode(Int, ModeState)
    /// A reply of the kitty graphics protocol to the query or the picture with this identifier.
    case graphics(id: Int, isOK: Bool)
    /// The size of a cell in pixels (XTWINOPS), which the host also learns from the system.
    case cellSize(TerminalGraphics.PixelSize)
    /// The size of all cells in pixels (XTWINOPS).
    case windowSize(TerminalGraphics.PixelSize)
}
