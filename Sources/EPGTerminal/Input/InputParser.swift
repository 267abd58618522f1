/// Converts input bytes of a terminal to events, in chunks of any length.
///
/// Supports the input of xterm and compatible terminals: UTF-8, control characters, cursor, editing and function keys with
/// modifiers, mouse reports in the SGR form (mode 1006), bracketed paste (mode 2004), focus (mode 1004), and the replies to
/// DA1, DECRQM, XTWINOPS and kitty graphics queries. Skips all other sequences completely, so that no part of them becomes a key.
/// A truncated sequence ends at the next escape character, after 1 second (see ``timeout``), or at a limit of bytes.
package struct InputParser: Sendable {
    /// Maximum bytes of a paste; the rest is dropped.
    package static let pasteLimit = 4096
    /// Maximum bytes of a sequence; a longer one is skipped.
    private static let sequenceLimit = 256
    /// Maximum bytes of a control string; a longer one counts as truncated.
    private static let stringLimit = 65_536

    private enum State: Hashable {
        case ground
        /// Inside a UTF-8 character, with `remaining` bytes left.
        case character(remaining: Int)
        /// After ESC.
        case escape
        /// After ESC O.
        case singleShift
        /// After ESC [. The bytes are buffered.
        case controlSequence
        /// Inside DCS, OSC, SOS, PM or APC, after `length` bytes. `introducer` is the byte after ESC.
        case controlString(introducer: UInt8, length: Int)
        /// After ESC inside a control string.
        case controlStringEnd(introducer: UInt8)
        /// Inside a paste, with `matched` bytes of its end sequence read.
        case paste(matched: Int)
        /// Inside a mouse report of the old form (ESC [ M), with `remaining` bytes left.
        case oldMouse(remaining: Int)
    }

    private static let escape: UInt8 = 0x1B
    /// The sequence that ends a paste.
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private let escapeDelay: Duration
    private var state = State.ground
    /// The bytes of the current character, sequence or paste.
    private var buffer: [UInt8] = []
    /// Whether an ESC precedes the character or sequence, as for Alt.
    private var isAlt = false
    private var events: [TerminalEvent] = []

    /// Creates a parser at the beginning of the input.
    ///
    /// - Parameter escapeDelay: The maximum time between an escape character and the rest of its sequence (default: 50 ms). Later
    ///   bytes are separate keys after the Escape key.
    package init(escapeDelay: Duration = .milliseconds(50)) {
        self.escapeDelay = escapeDelay
    }

    /// The time to wait for the rest of a sequence before calling ``timeOut()``; `nil` outside a sequence.
    package var timeout: Duration? {
        switch state {
        case .ground: nil
        case .escape: escapeDelay
        default: .seconds(1)
        }
    }

    /// Parses more bytes, and returns the events that they complete.
    package mutating func parse(_ bytes: some Sequence<UInt8>) -> [TerminalEvent] {
        for byte in bytes { parseByte(byte) }
        defer { events.removeAll() }
        return events
    }

    /// Ends an incomplete sequence, and returns its events.
    package mutating func timeOut() -> [TerminalEvent] {
        switch state {
        case .escape: emit(.escape)
        case .paste: endPaste()
        default: break
        }
        reset()
        defer { events.removeAll() }
        return events
    }

    // MARK: - Bytes

    private mutating func parseByte(_ byte: UInt8) {
        switch state {
        case .ground: parseGround(byte)
        case .character(let remaining): parseUTF8(byte, remaining)
        case .escape: parseEscape(byte)
        case .singleShift:
            state = .ground
            finishSingleShift(byte)
        case .controlSequence: parseControlSequence(byte)
        case .controlString(let introducer, let length): parseControlString(byte, introducer, length)
        case .controlStringEnd(let introducer):
            if byte == UInt8(ascii: "\\") {
                finishControlString(introducer)
                reset()
            } else {
                beginEscape()
                parseByte(byte)
            }
        case .paste(let matched): parsePaste(byte, matched)
        case .oldMouse(let remaining):
            if byte < 0x20 {
                reset()
                parseByte(byte)
            } else {
                state = remaining > 1 ? .oldMouse(remaining: remaining - 1) : .ground
            }
        }
    }

    private mutating func reset() {
        state = .ground
        buffer.removeAll(keepingCapacity: true)
        isAlt = false
    }

    private mutating func beginEscape() {
        reset()
        state = .escape
    }

    /// Parses a byte outside any sequence.
    private mutating func parseGround(_ byte: UInt8) {
        switch byte {
        case InputParser.escape: beginEscape()
        case 0x0D, 0x0A: emit(.enter)
        case 0x09: emit(.tab)
        case 0x08, 0x7F: emit(.backspace)
        case 0x00: emit(.character(" "), .control)
        // Control-A to Control-Z, and the four after Escape.
        case 0x01...0x1A: emit(.character(Character(Unicode.Scalar(byte + 0x60))), .control)
        case 0x1C...0x1F: emit(.character(Character(Unicode.Scalar(byte + 0x40))), .control)
        case 0x20...0x7E: emit(.character(Character(Unicode.Scalar(byte))))
        case 0xC2...0xDF: begin(byte, remaining: 1)
        case 0xE0...0xEF: begin(byte, remaining: 2)
        case 0xF0...0xF4: begin(byte, remaining: 3)
        default: isAlt = false
        }
    }

    private mutating func begin(_ byte: UInt8, remaining: Int) {
        buffer = [byte]
        state = .character(remaining: remaining)
    }

    private mutating func parseUTF8(_ byte: UInt8, _ remaining: Int) {
        guard (0x80...0xBF).contains(byte) else {
            reset()
            parseByte(byte)
            return
        }
        buffer.append(byte)
        guard remaining == 1 else {
            state = .character(remaining: remaining - 1)
            return
        }
        // Ignores invalid UTF-8 (overlong forms, surrogates) and control characters (C1).
        if let scalar = String(validating: buffer, as: UTF8.self)?.unicodeScalars.first,
            scalar.properties.generalCategory != .control
        {
            emit(.character(Character(scalar)))
        }
        reset()
    }

    private mutating func parseEscape(_ byte: UInt8) {
        switch byte {
        case InputParser.escape:
            // Escape twice, or Alt with a key that sends a sequence: the first ESC is the Escape key.
            emit(.escape)
        case UInt8(ascii: "["): state = .controlSequence
        case UInt8(ascii: "O"): state = .singleShift
        case UInt8(ascii: "P"), UInt8(ascii: "]"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            state = .controlString(introducer: byte, length: 0)
        default:
            state = .ground
            isAlt = true
            parseGround(byte)
        }
    }

    private mutating func parseControlSequence(_ byte: UInt8) {
        switch byte {
        case 0x40...0x7E:
            // The Linux console sends ESC [ [ A to E for F1 to F5.
            if byte == UInt8(ascii: "["), buffer.isEmpty {
                buffer.append(byte)
                return
            }
            let sequence = buffer
            reset()
            finishControlSequence(sequence, final: byte)
        case 0x20...0x3F:
            // One byte beyond the limit marks a sequence to skip.
            if buffer.count <= InputParser.sequenceLimit { buffer.append(byte) }
        case 0x7F: break
        default:
            // A byte that can't be part of a sequence: the sequence was truncated.
            reset()
            parseByte(byte)
        }
    }

    private mutating func parseControlString(_ byte: UInt8, _ introducer: UInt8, _ length: Int) {
        switch byte {
        case InputParser.escape: state = .controlStringEnd(introducer: introducer)
        case 0x07 where introducer == UInt8(ascii: "]"): reset()
        // CAN and SUB cancel a string.
        case 0x18, 0x1A: reset()
        default:
            guard length < InputParser.stringLimit else {
                reset()
                parseByte(byte)
                return
            }
            if buffer.count <= InputParser.sequenceLimit { buffer.append(byte) }
            state = .controlString(introducer: introducer, length: length + 1)
        }
    }

    private mutating func parsePaste(_ byte: UInt8, _ matched: Int) {
        if byte == InputParser.pasteEnd[matched] {
            if matched + 1 == InputParser.pasteEnd.count {
                endPaste()
            } else {
                state = .paste(matched: matched + 1)
            }
            return
        }
        appendPasted(InputParser.pasteEnd[..<matched])
        if byte == InputParser.escape {
            state = .paste(matched: 1)
        } else {
            appendPasted([byte])
            state = .paste(matched: 0)
        }
    }

    private mutating func appendPasted(_ bytes: some Sequence<UInt8>) {
        for byte in bytes where buffer.count < InputParser.pasteLimit { buffer.append(byte) }
    }

    private mutating func endPaste() {
        events.append(.paste(String(decoding: buffer, as: UTF8.self)))
        reset()
    }

    // MARK: - Sequences

    private mutating func emit(_ key: KeyPress.Key, _ modifiers: KeyPress.Modifiers = []) {
        events.append(.key(KeyPress(key, isAlt ? modifiers.union(.alt) : modifiers)))
        isAlt = false
    }

    /// Finishes ESC O and a byte: the keys of application mode, and F1 to F4.
    private mutating func finishSingleShift(_ byte: UInt8) {
        if byte == InputParser.escape {
            beginEscape()
        } else if byte == UInt8(ascii: "M") {
            emit(.enter)
        } else if let key = InputParser.key(final: byte) {
            emit(key)
        }
    }

    /// Finishes ESC [, the bytes after it, and the final byte.
    private mutating func finishControlSequence(_ sequence: [UInt8], final: UInt8) {
        guard sequence.count <= InputParser.sequenceLimit else { return }
        switch (sequence.first, final) {
        case (UInt8(ascii: "<"), UInt8(ascii: "M")), (UInt8(ascii: "<"), UInt8(ascii: "m")):
            finishMouse(InputParser.numbers(in: sequence.dropFirst()), isPress: final == UInt8(ascii: "M"))
        case (UInt8(ascii: "?"), UInt8(ascii: "c")):
            events.append(.reply(.deviceAttributes(InputParser.numbers(in: sequence.dropFirst()))))
        case (UInt8(ascii: "?"), UInt8(ascii: "y")) where sequence.last == UInt8(ascii: "$"):
            let numbers = InputParser.numbers(in: sequence.dropFirst().dropLast())
            if numbers.count == 2, let state = TerminalReply.ModeState(rawValue: numbers[1]) {
                events.append(.reply(.mode(numbers[0], state)))
            }
        case (_, UInt8(ascii: "t")): finishSize(InputParser.numbers(in: sequence[...]))
        case (UInt8(ascii: "["), UInt8(ascii: "A")...UInt8(ascii: "E")) where sequence.count == 1:
            emit(.function(Int(final - UInt8(ascii: "A")) + 1))
        case (nil, UInt8(ascii: "M")): state = .oldMouse(remaining: 3)
        case (nil, UInt8(ascii: "I")): events.append(.focusGained)
        case (nil, UInt8(ascii: "O")): events.append(.focusLost)
        default:
            guard sequence.allSatisfy({ (0x30...0x3B).contains($0) }) else { return }
            finishKey(InputParser.numbers(in: sequence[...]), final: final)
        }
    }

    private mutating func finishKey(_ numbers: [Int], final: UInt8) {
        var modifiers = KeyPress.Modifiers()
        if numbers.count >= 2, (1...16).contains(numbers[1]) {
            // 1 + the sum of Shift 1, Alt 2, Control 4 and Meta 8, which isn't reported.
            modifiers = KeyPress.Modifiers(rawValue: UInt8(numbers[1] - 1) & 7)
        }
        if final == UInt8(ascii: "~") {
            guard let number = numbers.first else { return }
            if number == 200 {
                state = .paste(matched: 0)
            } else if let key = InputParser.key(number: number) {
                emit(key, modifiers)
            }
        } else if let key = InputParser.key(final: final), numbers.first ?? 1 <= 1 {
            emit(key, modifiers)
        }
    }

    /// Finishes a size reply: the kind of size, then height and width in pixels.
    private mutating func finishSize(_ numbers: [Int]) {
        guard numbers.count == 3 else { return }
        let size = TerminalGraphics.PixelSize(width: numbers[2], height: numbers[1])
        switch numbers[0] {
        case 4: events.append(.reply(.windowSize(size)))
        case 6: events.append(.reply(.cellSize(size)))
        default: break
        }
    }

    /// Finishes a mouse report: button and modifiers, column and row from 1.
    private mutating func finishMouse(_ numbers: [Int], isPress: Bool) {
        guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return }
        let code = numbers[0]
        var modifiers = KeyPress.Modifiers()
        if code & 4 != 0 { modifiers.insert(.shift) }
        if code & 8 != 0 { modifiers.insert(.alt) }
        if code & 16 != 0 { modifiers.insert(.control) }
        let action: MouseEvent.Action
        // Ignores additional buttons (128 and above), and motion (32) except with the left button.
        switch code & ~28 {
        case 0: action = isPress ? .press(.left) : .release(.left)
        case 1: action = isPress ? .press(.middle) : .release(.middle)
        case 2: action = isPress ? .press(.right) : .release(.right)
        case 32 where isPress: action = .drag
        case 64 where isPress: action = .wheel(.up)
        case 65 where isPress: action = .wheel(.down)
        case 66 where isPress: action = .wheel(.left)
        case 67 where isPress: action = .wheel(.right)
        default: return
        }
        let position = Screen.Position(column: numbers[1] - 1, row: numbers[2] - 1)
        events.append(.mouse(MouseEvent(action, at: position, modifiers)))
    }

    /// Finishes a control string. Only replies of the kitty graphics protocol have an effect: `Gi=31;OK`.
    private mutating func finishControlString(_ introducer: UInt8) {
        guard introducer == UInt8(ascii: "_"), buffer.first == UInt8(ascii: "G"),
            buffer.count <= InputParser.sequenceLimit, let separator = buffer.firstIndex(of: UInt8(ascii: ";"))
        else { return }
        let keys = buffer[1..<separator].split(separator: UInt8(ascii: ","))
        guard let id = keys.first(where: { $0.starts(with: Array("i=".utf8)) }) else { return }
        let isOK = buffer[(separator + 1)...].elementsEqual("OK".utf8)
        events.append(.reply(.graphics(id: InputParser.numbers(in: id.dropFirst(2)).first ?? 0, isOK: isOK)))
    }

    // MARK: - Tables

    /// The numbers between semicolons, without their subparameters after colons. An omitted number is 0, and the maximum is
    /// 65,535.
    private static func numbers(in bytes: ArraySlice<UInt8>) -> [Int] {
        guard !bytes.isEmpty else { return [] }
        return bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { digits in
            digits.prefix { (0x30...0x39).contains($0) }.reduce(0) { min($0 * 10 + Int($1 - 0x30), 65_535) }
        }
    }

    private static func key(final: UInt8) -> KeyPress.Key? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(final - UInt8(ascii: "P")) + 1)
        case UInt8(ascii: "Z"): .backTab
        default: nil
        }
    }

    private static func key(number: Int) -> KeyPress.Key? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23, 24: .function(number - 12)
        default: nil
        }
    }
}
