import EPGRender
import EPGTerminal

/// A terminal emulator with the sequences that ``ScreenWriter`` may use: ECMA-48's cursor moves, SGR, erasing and deleting, and
/// DEC's margins. Records all others as failures. It does not wrap lines, and erases with the current background, as xterm does.
struct EmulatedTerminal {
    struct Cell: Hashable {
        var text = " "
        var style = TerminalStyle.normal
    }

    /// The rows of cells. The second column of a wide character has empty text.
    private(set) var cells: [[Cell]]
    private(set) var isCursorVisible = true
    private(set) var row = 0
    private(set) var column = 0 {
        didSet { isPastEnd = false }
    }
    /// Whether the cursor is still in the last column after writing it.
    private var isPastEnd = false
    /// Unknown sequences.
    private(set) var failures: [String] = []
    private var style = TerminalStyle.normal
    private var margins: Range<Int>
    private let columns: Int

    /// Creates a terminal full of question marks, to represent unknown content.
    init(size: Screen.Size) {
        columns = size.columns
        cells = Array(repeating: Array(repeating: Cell(text: "?"), count: columns), count: size.rows)
        margins = 0..<size.rows
    }

    mutating func write(_ bytes: [UInt8]) {
        let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            index += 1
            switch scalar {
            case "\r": column = 0
            case "\n": row = min(row + 1, cells.count - 1)
            case "\u{8}": column = max(0, column - 1)
            case "\u{1B}":
                guard index < scalars.count, scalars[index] == "[" else {
                    failures.append("ESC")
                    continue
                }
                var parameters = ""
                index += 1
                while index < scalars.count, !("@"..."~").contains(scalars[index]) {
                    parameters.unicodeScalars.append(scalars[index])
                    index += 1
                }
                perform(scalars[index], parameters)
                index += 1
            default: draw(scalar)
            }
        }
    }

    private mutating func perform(_ final: Unicode.Scalar, _ parameters: String) {
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map {
            Int($0) ?? 0
        }
        let count = max(1, numbers.first ?? 1)
        switch final {
        case "H":
            row = min(count, cells.count) - 1
            column = min(max(1, numbers.count > 1 ? numbers[1] : 1), columns) - 1
        case "G": column = min(count, columns) - 1
        case "C": column = min(column + count, columns - 1)
        case "D": column = max(0, column - count)
        case "K":
            if cells[row][column].text.isEmpty { cells[row][column - 1].text = " " }
            for erased in column..<columns { cells[row][erased] = blank }
        case "J" where numbers == [2]:
            for erased in cells.indices { cells[erased] = Array(repeating: blank, count: columns) }
        case "r":
            margins = parameters.isEmpty ? 0..<cells.count : numbers[0] - 1..<numbers[1]
            (row, column) = (0, 0)
        case "M", "L":
            for _ in 0..<count {
                let line = Array(repeating: blank, count: columns)
                cells.remove(at: final == "M" ? row : margins.upperBound - 1)
                cells.insert(line, at: final == "M" ? margins.upperBound - 1 : row)
            }
        case "P", "@":
            for _ in 0..<count {
                cells[row].remove(at: final == "P" ? column : columns - 1)
                cells[row].insert(blank, at: final == "P" ? columns - 1 : column)
            }
            if cells[row][column].text.isEmpty { failures.append("half of a wide character") }
        case "m": select(numbers)
        case "h", "l":
            switch parameters {
            case "?25": isCursorVisible = final == "h"
            case "?2026": break
            default: failures.append(parameters)
            }
        default: failures.append("\(parameters)\(final)")
        }
    }

    private var blank: Cell {
        Cell(text: " ", style: TerminalStyle(background: style.background))
    }

    private mutating func select(_ numbers: [Int]) {
        var numbers = (numbers.isEmpty ? [0] : numbers)[...]
        while let code = numbers.popFirst() {
            switch code {
            case 0: style = .normal
            case 1: style.isBold = true
            case 2: style.isDim = true
            case 3: style.isItalic = true
            case 4: style.isUnderlined = true
            case 7: style.isReversed = true
            case 22: (style.isBold, style.isDim) = (false, false)
            case 23: style.isItalic = false
            case 24: style.isUnderlined = false
            case 27: style.isReversed = false
            case 30...37: style.foreground = .palette(UInt8(code - 30))
            case 40...47: style.background = .palette(UInt8(code - 40))
            case 90...97: style.foreground = .palette(UInt8(code - 82))
            case 100...107: style.background = .palette(UInt8(code - 92))
            case 38, 48:
                let color: TerminalColor
                if numbers.popFirst() == 5 {
                    color = .palette(UInt8(numbers.removeFirst()))
                } else {
                    let parts = numbers.prefix(3).map { UInt8($0) }
                    numbers = numbers.dropFirst(3)
                    color = .rgb(red: parts[0], green: parts[1], blue: parts[2])
                }
                if code == 38 { style.foreground = color } else { style.background = color }
            case 39: style.foreground = nil
            case 49: style.background = nil
            default: failures.append("SGR \(code)")
            }
        }
    }

    private mutating func draw(_ scalar: Unicode.Scalar) {
        let width = DisplayWidth.of(scalar)
        guard width > 0 else {
            // Combines with the character before the cursor.
            let last = isPastEnd ? column : max(0, column - 1)
            let target = cells[row][last].text.isEmpty ? last - 1 : last
            cells[row][target].text.unicodeScalars.append(scalar)
            return
        }
        for covered in column..<min(column + width, columns) {
            if cells[row][covered].text.isEmpty, covered > 0 { cells[row][covered - 1].text = " " }
            if covered + 1 < columns, cells[row][covered + 1].text.isEmpty {
                cells[row][covered + 1].text = " "
            }
            cells[row][covered] = Cell(text: covered == column ? String(scalar) : "", style: style)
        }
        let next = column + width
        column = min(next, columns - 1)
        isPastEnd = next >= columns
    }
}
