/// A regular expression that is searched in texts, ignoring case, in time proportional to the length of the text.
///
/// | syntax | matches |
/// |---|---|
/// | `a`, `\.` | the character; a backslash before anything but a letter or a digit makes it a literal |
/// | `.` | any character |
/// | `[a-z_]`, `[^a-z]` | a character in, or not in, a class |
/// | `\d`, `\w`, `\s`; `\D`, `\W`, `\S` | a decimal digit, a character of a word, white space; any other character |
/// | `^`, `$`, `\b`, `\B` | the start and the end of the text, a boundary of a word, no boundary of a word |
/// | `ab`, `a\|b`, `(ab)`, `(?:ab)` | a sequence, alternatives, a group |
/// | `a*`, `a+`, `a?`, `a{2}`, `a{2,}`, `a{2,5}` | repetitions; a `?` after one, which makes it lazy elsewhere, changes nothing |
///
/// Characters are Unicode scalars. Anything else, such as a backreference or a look-ahead, is an error.
public struct TextPattern: Hashable, Sendable, CustomStringConvertible {
    /// The expression as written.
    public let text: String
    fileprivate let program: TextPatternProgram

    /// Maximum length in bytes.
    public static let maximumLength = 200

    /// Parses an expression.
    ///
    /// - Throws: ``TextPatternError`` for an expression that is invalid, too long, or too complex.
    public init(_ text: String) throws(TextPatternError) {
        guard !text.isEmpty, text.utf8.count <= Self.maximumLength, !text.hasControls else {
            throw TextPatternError(.invalidText)
        }
        var parser = TextPatternParser(text)
        program = try TextPatternProgram(of: parser.pattern())
        self.text = text
    }

    public var description: String { text }

    public static func == (left: TextPattern, right: TextPattern) -> Bool { left.text == right.text }

    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// The memory of the states, in bytes.
    package var byteCount: Int { program.states.count * MemoryLayout<TextPatternProgram.State>.stride }

    /// Returns whether the pattern is found in a text.
    ///
    /// - Complexity: O(*n* · *m*) for *n* characters of the text and *m* states, of which there are at most 1,000.
    public func isFound(in text: String) -> Bool {
        var search = TextPatternSearch(self)
        return search.finds(in: FoldedText(text))
    }
}

/// An unusable ``TextPattern``.
public struct TextPatternError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// The pattern is empty, too long, or has control characters.
        case invalidText
        /// The pattern has too many states after its repetitions are written out.
        case tooComplex
        /// A search in a guide took too many steps.
        case tooExpensive
        /// A repetition follows nothing.
        case nothingToRepeat
        /// The counts of a repetition are missing, descend, or have more than three digits.
        case invalidCounts
        /// A parenthesis is not closed, or was not opened.
        case unbalancedParenthesis
        /// A class is not closed, is empty, or has an invalid range.
        case invalidClass
        /// The syntax exists elsewhere, but not here.
        case unsupported(String)
    }

    public let reason: Reason
    /// The 1-based number of the character at which the part begins; `nil` for the whole pattern.
    public let position: Int?

    /// Creates an error, by default of the whole pattern.
    package init(_ reason: Reason, at position: Int? = nil) {
        self.reason = reason
        self.position = position
    }

    public var description: String {
        let place = position.map { " at character \($0)" } ?? ""
        return switch reason {
        case .invalidText: "A pattern must have 1 to \(TextPattern.maximumLength) bytes and no control characters."
        case .tooComplex:
            "The pattern has more than \(TextPatternProgram.maximumStateCount) states. Use fewer or shorter repetitions."
        case .tooExpensive: "The pattern takes too long for this guide. Use fewer alternatives and repetitions."
        case .nothingToRepeat: "The pattern repeats nothing\(place). Write \\ before a literal *, + or ?."
        case .invalidCounts:
            "The counts\(place) of the pattern are invalid. Write {2}, {2,} or {2,5} with at most three digits, or \\{ for a literal brace."
        case .unbalancedParenthesis: "The pattern has an unbalanced parenthesis\(place). Write \\ before a literal one."
        case .invalidClass:
            "The class\(place) of the pattern is invalid. Write [a-z], and \\ before a literal [, ] or -."
        case .unsupported(let syntax): "Patterns do not support “\(syntax)”\(place). Remove it."
        }
    }
}

// MARK: - Search

/// The characters of a text in a form for comparisons that ignore case.
package struct FoldedText: Sendable {
    fileprivate let scalars: [Unicode.Scalar]

    /// Folds a text.
    ///
    /// - Complexity: O(characters).
    package init(_ text: String) {
        scalars = text.unicodeScalars.map(\.folded)
    }
}

/// Searches for a pattern, which counts its steps: a simulation of a nondeterministic automaton, without backtracking (Ken
/// Thompson, “Regular Expression Search Algorithm”, 1968).
package struct TextPatternSearch {
    private let program: TextPatternProgram
    /// The number of visits of states and of comparisons in all texts: for each character of a text and its end, at most two for each
    /// state, and a class counts for each of its ranges and kinds.
    package private(set) var stepCount = 0
    /// The states at the current place.
    private var states: [Int] = []
    /// The states before which the previous character matched.
    private var reached: [Int] = []
    private var stack: [Int] = []
    /// The number of the place at which each state was last added.
    private var marks: [Int]
    private var mark = 0

    /// Creates a search that has taken no steps.
    package init(_ pattern: TextPattern) {
        program = pattern.program
        marks = Array(repeating: 0, count: program.states.count)
    }

    /// Returns whether the pattern is found in a text.
    package mutating func finds(in text: FoldedText) -> Bool {
        let scalars = text.scalars
        reached.removeAll(keepingCapacity: true)
        var place = 0
        while true {
            if reached.isEmpty, let beginnings = program.beginnings {
                // Most characters begin no match.
                while place < scalars.count, !beginnings.contain(scalars[place], in: program) {
                    if !scalars[place].isASCII { stepCount += beginnings.cost }
                    place += 1
                }
                if place == scalars.count { return false }
            }
            mark += 1
            states.removeAll(keepingCapacity: true)
            for state in reached where add(state, at: place, in: scalars) { return true }
            if add(0, at: place, in: scalars) { return true }
            guard place < scalars.count else { return false }
            reached.removeAll(keepingCapacity: true)
            for state in states {
                stepCount += program.states[state].cost
                if program.states[state].matches(scalars[place]) { reached.append(state + 1) }
            }
            place += 1
        }
    }

    /// Adds a state with all states that it leads to without a character. Returns whether one is the end of the pattern.
    private mutating func add(_ first: Int, at place: Int, in scalars: [Unicode.Scalar]) -> Bool {
        stack.append(first)
        while let state = stack.popLast() {
            guard marks[state] != mark else { continue }
            marks[state] = mark
            stepCount += 1
            switch program.states[state] {
            case .jump(let next): stack.append(next)
            case .split(let next, let other):
                stack.append(other)
                stack.append(next)
            case .assertion(let assertion):
                if assertion.holds(at: place, in: scalars) { stack.append(state + 1) }
            case .end:
                stack.removeAll(keepingCapacity: true)
                return true
            case .scalar, .any, .class: states.append(state)
            }
        }
        return false
    }
}

/// The states of an automaton. The first one is the start; a state leads to the next one unless it says otherwise.
private struct TextPatternProgram: Sendable {
    enum State: Sendable {
        case scalar(Unicode.Scalar)
        case any
        case `class`(ScalarClass)
        case assertion(TextAssertion)
        case jump(Int)
        case split(Int, Int)
        case end

        /// The number of comparisons for a character, at most.
        var cost: Int { if case .class(let own) = self { own.cost } else { 1 } }

        func matches(_ scalar: Unicode.Scalar) -> Bool {
            switch self {
            case .scalar(let own): own == scalar
            case .any: true
            case .class(let own): own.contains(scalar)
            case .assertion, .jump, .split, .end: false
            }
        }
    }

    /// The characters with which a match can begin.
    struct Beginnings: Sendable {
        let states: [Int]
        /// Whether a match can begin with each ASCII character.
        let ascii: [Bool]
        /// The number of comparisons for any other character, at most.
        let cost: Int

        func contain(_ scalar: Unicode.Scalar, in program: TextPatternProgram) -> Bool {
            scalar.isASCII
                ? ascii[Int(scalar.value)] : states.contains { program.states[$0].matches(scalar) }
        }
    }

    private(set) var states: [State] = []
    /// `nil` if the pattern matches an empty text.
    private(set) var beginnings: Beginnings?

    static let maximumStateCount = 1000

    init(of node: TextPatternNode) throws(TextPatternError) {
        try add(node)
        try add(.end)
        beginnings = findBeginnings()
    }

    private mutating func add(_ state: State) throws(TextPatternError) {
        guard states.count < Self.maximumStateCount else { throw TextPatternError(.tooComplex) }
        states.append(state)
    }

    private mutating func add(_ node: TextPatternNode) throws(TextPatternError) {
        switch node {
        case .state(let state): try add(state)
        case .sequence(let nodes): for node in nodes { try add(node) }
        case .alternatives(let nodes):
            var jumps: [Int] = []
            for (index, node) in nodes.enumerated() {
                guard index < nodes.count - 1 else {
                    try add(node)
                    break
                }
                let split = states.count
                try add(.split(0, 0))
                try add(node)
                jumps.append(states.count)
                try add(.jump(0))
                states[split] = .split(split + 1, states.count)
            }
            for jump in jumps { states[jump] = .jump(states.count) }
        case .repetition(let node, let minimum, let maximum):
            for _ in 0..<minimum {
                let count = states.count
                try add(node)
                // Repeating nothing is nothing.
                if states.count == count { break }
            }
            let start = states.count
            guard let maximum else {
                try add(.split(0, 0))
                try add(node)
                try add(.jump(start))
                states[start] = .split(start + 1, states.count)
                return
            }
            var splits: [Int] = []
            for _ in minimum..<maximum {
                splits.append(states.count)
                try add(.split(0, 0))
                try add(node)
            }
            for split in splits { states[split] = .split(split + 1, states.count) }
        }
    }

    /// Finds the states that can read the first character, as if all assertions held.
    private func findBeginnings() -> Beginnings? {
        var (found, seen, stack): ([Int], Set<Int>, [Int]) = ([], [], [0])
        while let state = stack.popLast() {
            guard seen.insert(state).inserted else { continue }
            switch states[state] {
            case .jump(let next): stack.append(next)
            case .split(let next, let other): stack += [next, other]
            case .assertion: stack.append(state + 1)
            case .end: return nil
            case .scalar, .any, .class: found.append(state)
            }
        }
        let ascii = (UInt8(0)..<128).map { byte in
            found.contains { states[$0].matches(Unicode.Scalar(byte)) }
        }
        return Beginnings(states: found, ascii: ascii, cost: found.reduce(0) { $0 + states[$1].cost })
    }
}

/// A condition for a place between characters.
private enum TextAssertion: Sendable {
    case start, end
    case wordBoundary(Bool)

    func holds(at place: Int, in scalars: [Unicode.Scalar]) -> Bool {
        switch self {
        case .start: return place == 0
        case .end: return place == scalars.count
        case .wordBoundary(let isExpected):
            let isAfterWord = place > 0 && ScalarClass.Kind.word.contains(scalars[place - 1])
            let isBeforeWord = place < scalars.count && ScalarClass.Kind.word.contains(scalars[place])
            return (isAfterWord != isBeforeWord) == isExpected
        }
    }
}

/// A set of characters, which contains a folded character if it contains any form of it.
private struct ScalarClass: Sendable {
    enum Kind: Sendable {
        case digit, word, space

        func contains(_ scalar: Unicode.Scalar) -> Bool {
            switch self {
            case .digit: return scalar.properties.generalCategory == .decimalNumber
            case .space: return scalar.properties.isWhitespace
            case .word:
                if scalar.isASCII { return UInt8(ascii: scalar).isASCIILetterOrDigit || scalar == "_" }
                switch scalar.properties.generalCategory {
                case .decimalNumber, .connectorPunctuation, .nonspacingMark, .spacingMark, .enclosingMark: return true
                default: return scalar.properties.isAlphabetic
                }
            }
        }
    }

    var ranges: [ClosedRange<Unicode.Scalar>] = []
    var kinds: [(kind: Kind, isNegated: Bool)] = []
    var isNegated = false

    /// The number of comparisons for a character, at most. Finding the properties of a character takes as long as eight of them.
    var cost: Int { 2 * ranges.count + 8 * kinds.count }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        (holds(scalar) || kinds.contains { $0.kind.contains(scalar) != $0.isNegated }) != isNegated
    }

    private func holds(_ scalar: Unicode.Scalar) -> Bool {
        guard !ranges.isEmpty else { return false }
        if ranges.contains(where: { $0.contains(scalar) }) { return true }
        let upper = scalar.inUppercase
        return upper != scalar && ranges.contains { $0.contains(upper) }
    }
}

extension Unicode.Scalar {
    /// The form for comparisons that ignore case: the lowercase form of the uppercase form, if both are single characters.
    fileprivate var folded: Unicode.Scalar {
        if isASCII { return value &- 0x41 < 26 ? Unicode.Scalar(UInt8(truncatingIfNeeded: value | 0x20)) : self }
        return value < UInt32(Self.folds.count) ? Self.folds[Int(value)] : foldedByProperties
    }

    /// The folded characters before U+3000, because finding the properties of a character takes a hundred times as long.
    private static let folds: [Unicode.Scalar] = (UInt32(0)..<0x3000).map {
        Unicode.Scalar($0)?.foldedByProperties ?? "\0"
    }

    private var foldedByProperties: Unicode.Scalar {
        properties.isCased ? Self.single(inUppercase.properties.lowercaseMapping) ?? self : self
    }

    fileprivate var inUppercase: Unicode.Scalar {
        if isASCII { return value &- 0x61 < 26 ? Unicode.Scalar(UInt8(truncatingIfNeeded: value & 0x5F)) : self }
        return properties.isCased ? Self.single(properties.uppercaseMapping) ?? self : self
    }

    private static func single(_ text: String) -> Unicode.Scalar? {
        let scalars = text.unicodeScalars
        return scalars.count == 1 ? scalars.first : nil
    }
}

// MARK: - Parser

/// A part of a pattern.
private indirect enum TextPatternNode {
    /// A state that reads a character, or an assertion.
    case state(TextPatternProgram.State)
    case sequence([TextPatternNode])
    case alternatives([TextPatternNode])
    /// `nil` for no maximum.
    case repetition(TextPatternNode, Int, Int?)
}

/// Reads a pattern from left to right.
private struct TextPatternParser {
    private let scalars: [Unicode.Scalar]
    private var place = 0

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    /// Returns the whole pattern.
    mutating func pattern() throws(TextPatternError) -> TextPatternNode {
        let node = try alternatives()
        guard place == scalars.count else { throw error(.unbalancedParenthesis, at: place) }
        return node
    }

    private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

    private func error(_ reason: TextPatternError.Reason, at place: Int) -> TextPatternError {
        TextPatternError(reason, at: min(place, scalars.count - 1) + 1)
    }

    /// Reads a character if it is the next one.
    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        place += 1
        return true
    }

    /// `a|b`
    private mutating func alternatives() throws(TextPatternError) -> TextPatternNode {
        var nodes = [try sequence()]
        while skip("|") { nodes.append(try sequence()) }
        return nodes.count == 1 ? nodes[0] : .alternatives(nodes)
    }

    /// `ab*`
    private mutating func sequence() throws(TextPatternError) -> TextPatternNode {
        var nodes: [TextPatternNode] = []
        while let next, next != "|", next != ")" { nodes.append(try repeated(try element(next))) }
        return .sequence(nodes)
    }

    /// `*`, `+`, `?`, `{2}`, `{2,}`, `{2,5}`, each perhaps with a `?`, or nothing.
    private mutating func repeated(_ node: TextPatternNode) throws(TextPatternError) -> TextPatternNode {
        let start = place
        let (minimum, maximum): (Int, Int?)
        switch next {
        case "*": (minimum, maximum) = (0, nil)
        case "+": (minimum, maximum) = (1, nil)
        case "?": (minimum, maximum) = (0, 1)
        case "{": (minimum, maximum) = try counts()
        default: return node
        }
        place += 1
        if !skip("?"), next == "+" {
            throw error(.unsupported(String(String.UnicodeScalarView(scalars[start...place]))), at: start)
        }
        return .repetition(node, minimum, maximum)
    }

    /// `{2}`, `{2,}`, `{2,5}`; ends before the closing brace.
    private mutating func counts() throws(TextPatternError) -> (Int, Int?) {
        let start = place
        place += 1
        let minimum = number()
        let isRange = skip(",")
        let maximum = isRange ? number() : minimum
        guard let minimum, next == "}", maximum.map({ $0 >= minimum }) ?? (scalars[place - 1] == ",") else {
            throw error(.invalidCounts, at: start)
        }
        return (minimum, maximum)
    }

    /// One to three digits.
    private mutating func number() -> Int? {
        let start = place
        while let next, ("0"..."9").contains(next), place < start + 3 { place += 1 }
        return Int(String(String.UnicodeScalarView(scalars[start..<place])))
    }

    /// A character, a class, an assertion, or a group.
    private mutating func element(_ scalar: Unicode.Scalar) throws(TextPatternError) -> TextPatternNode {
        let start = place
        place += 1
        switch scalar {
        case "(":
            if skip("?"), !skip(":") {
                throw error(.unsupported("(?\(next.map { String($0) } ?? "")"), at: start)
            }
            let node = try alternatives()
            guard skip(")") else { throw error(.unbalancedParenthesis, at: start) }
            return node
        case "[": return .state(.class(try characterClass()))
        case ".": return .state(.any)
        case "^": return .state(.assertion(.start))
        case "$": return .state(.assertion(.end))
        case "*", "+", "?": throw error(.nothingToRepeat, at: start)
        case "{": throw error(.invalidCounts, at: start)
        case "\\":
            if skip("b") { return .state(.assertion(.wordBoundary(true))) }
            if skip("B") { return .state(.assertion(.wordBoundary(false))) }
            return .state(try escaped())
        default: return .state(.scalar(scalar.folded))
        }
    }

    /// What follows a backslash, except an assertion.
    private mutating func escaped() throws(TextPatternError) -> TextPatternProgram.State {
        let start = place - 1
        guard let scalar = next else { throw error(.unsupported("\\"), at: start) }
        place += 1
        let kind: ScalarClass.Kind
        switch scalar {
        case "d", "D": kind = .digit
        case "w", "W": kind = .word
        case "s", "S": kind = .space
        default:
            guard !scalar.properties.isAlphabetic, scalar.properties.numericType == nil else {
                throw error(.unsupported("\\\(scalar)"), at: start)
            }
            return .scalar(scalar)
        }
        return .class(ScalarClass(kinds: [(kind, scalar.properties.isUppercase)]))
    }

    /// `[a-z_\d]` or `[^a-z]` after the bracket.
    private mutating func characterClass() throws(TextPatternError) -> ScalarClass {
        let start = place - 1
        var scalarClass = ScalarClass()
        let isNegated = skip("^")
        while !skip("]") {
            guard let first = try member(of: &scalarClass, from: start) else { continue }
            // A hyphen before the end is a literal.
            guard next == "-", place + 1 < scalars.count, scalars[place + 1] != "]" else {
                scalarClass.ranges.append(first.folded...first.folded)
                continue
            }
            place += 1
            guard let last = try member(of: &scalarClass, from: start), first <= last else {
                throw error(.invalidClass, at: start)
            }
            scalarClass.ranges.append(first...last)
        }
        guard !scalarClass.ranges.isEmpty || !scalarClass.kinds.isEmpty else { throw error(.invalidClass, at: start) }
        scalarClass.isNegated = isNegated
        return scalarClass
    }

    /// Reads a character of a class; returns `nil` after adding one of the predefined classes.
    private mutating func member(
        of scalarClass: inout ScalarClass, from start: Int
    ) throws(TextPatternError) -> Unicode.Scalar? {
        guard let scalar = next, scalar != "[", scalar != "]" else { throw error(.invalidClass, at: start) }
        place += 1
        guard scalar == "\\" else { return scalar }
        switch try escaped() {
        case .scalar(let literal): return literal
        case .class(let other):
            scalarClass.kinds += other.kinds
            return nil
        default: throw error(.invalidClass, at: start)
        }
    }
}
