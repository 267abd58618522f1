/// A regular expression that matches names in linear time.
///
/// The syntax is that of other engines: literals, `.`, classes (`[a-z]`, `\d`, `\w`, `\s` and their opposites), groups
/// (`(?<title>…)`, `(?:…)`), `|`, the quantifiers `*`, `+`, `?` and `{m,n}`, also lazy ones (`*?`), and the assertions `^`, `$` and
/// `\b`. Case is ignored. Groups without a name do not capture.
///
/// The program is executed by Thompson's and Pike's method (Russ Cox, Regular Expression Matching: the Virtual Machine
/// Approach), which follows all alternatives at once. A match therefore takes O(length of the name × size of the program), whatever
/// the expression. Backreferences and look-around would not allow that and are rejected.
package struct NameExpression: Hashable, Sendable {
    /// The expression as written.
    package let text: String
    /// The names of the groups in order of their parentheses.
    package let groups: [String]
    private let program: [Instruction]

    /// Maximum number of Unicode scalars of a name; longer names do not match.
    package static let longestName = 200
    /// Maximum number of instructions of a program.
    private static let largestProgram = 2000

    /// Compiles an expression.
    package init(_ text: String) throws(NameExpressionError) {
        var parser = NameExpressionParser(text)
        let node = try parser.parse()
        var compiler = Compiler(limit: Self.largestProgram)
        try compiler.compile(node)
        compiler.program.append(.match)
        self.text = text
        groups = parser.groups
        program = compiler.program
    }

    package static func == (lhs: NameExpression, rhs: NameExpression) -> Bool { lhs.text == rhs.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Returns the texts of the named groups in the first match; `nil` if the expression does not match anywhere in the name.
    ///
    /// Groups that did not take part in the match are missing.
    /// - Complexity: O(length × size of the program).
    package func firstMatch(in name: String) -> [String: String]? {
        let scalars = Array(name.unicodeScalars)
        guard scalars.count <= Self.longestName else { return nil }
        var machine = Machine(program: program, scalars: scalars, captureCount: groups.count * 2)
        guard let captures = machine.run() else { return nil }
        var texts: [String: String] = [:]
        for (index, group) in groups.enumerated() {
            let (start, end) = (captures[index * 2], captures[index * 2 + 1])
            guard start >= 0, end >= start else { continue }
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars[start..<end])
            texts[group] = String(text)
        }
        return texts
    }
}

/// The reason why an expression is invalid.
package struct NameExpressionError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

// MARK: - Syntax

/// A set of characters.
private struct CharacterSet: Hashable, Sendable {
    enum Member: Hashable, Sendable {
        case range(UInt32, UInt32)
        case digit, word, space
        indirect case not(Member)

        func contains(_ scalar: Unicode.Scalar) -> Bool {
            switch self {
            case .range(let first, let last): return (first...last).contains(scalar.value)
            case .digit: return ("0"..."9").contains(scalar)
            case .word: return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_"
            case .space: return scalar.properties.isWhitespace
            case .not(let member): return !member.contains(scalar)
            }
        }
    }

    var members: [Member]
    var isInverted = false

    /// Returns whether the set has a scalar in any case.
    func contains(_ scalar: Unicode.Scalar) -> Bool {
        let isMember = members.contains { member in
            if member.contains(scalar) { return true }
            guard let other = scalar.otherCase else { return false }
            return member.contains(other)
        }
        return isMember != isInverted
    }
}

extension Unicode.Scalar {
    /// The scalar in lowercase, or in uppercase if it is lowercase; `nil` if it has no case or another length.
    fileprivate var otherCase: Unicode.Scalar? {
        let mapped = properties.isLowercase ? properties.uppercaseMapping : properties.lowercaseMapping
        let scalars = mapped.unicodeScalars
        guard scalars.count == 1, let first = scalars.first, first != self else { return nil }
        return first
    }
}

private indirect enum SyntaxNode {
    case empty
    case set(CharacterSet)
    case start, end, wordBoundary
    case sequence([SyntaxNode])
    case choice([SyntaxNode])
    case group(Int, SyntaxNode)
    /// `maximum` is `nil` for no limit.
    case repetition(SyntaxNode, minimum: Int, maximum: Int?, isLazy: Bool)
}

private struct NameExpressionParser {
    private let scalars: [Unicode.Scalar]
    private var place = 0
    private var depth = 0
    private(set) var groups: [String] = []

    private static let longestText = 1000
    private static let deepestNesting = 50
    private static let largestCount = 200

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    mutating func parse() throws(NameExpressionError) -> SyntaxNode {
        guard scalars.count <= Self.longestText else {
            throw NameExpressionError("an expression has at most \(Self.longestText) characters")
        }
        let node = try choice()
        guard place == scalars.count else { throw NameExpressionError("“)” without “(”") }
        return node
    }

    private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

    private mutating func take(_ text: String) -> Bool {
        let wanted = Array(text.unicodeScalars)
        guard scalars[place...].starts(with: wanted) else { return false }
        place += wanted.count
        return true
    }

    private mutating func choice() throws(NameExpressionError) -> SyntaxNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepestNesting else { throw NameExpressionError("groups are nested too deeply") }
        var alternatives = [try sequence()]
        while take("|") { alternatives.append(try sequence()) }
        return alternatives.count == 1 ? alternatives[0] : .choice(alternatives)
    }

    private mutating func sequence() throws(NameExpressionError) -> SyntaxNode {
        var nodes: [SyntaxNode] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            let node = try atom()
            nodes.append(try quantified(node))
        }
        return nodes.isEmpty ? .empty : .sequence(nodes)
    }

    private mutating func quantified(_ node: SyntaxNode) throws(NameExpressionError) -> SyntaxNode {
        let bounds: (minimum: Int, maximum: Int?)
        if take("*") {
            bounds = (0, nil)
        } else if take("+") {
            bounds = (1, nil)
        } else if take("?") {
            bounds = (0, 1)
        } else if next == "{" {
            bounds = try count()
        } else {
            return node
        }
        let isLazy = take("?")
        if let scalar = next, scalar == "*" || scalar == "+" || scalar == "{" {
            throw NameExpressionError("two quantifiers in a row; put a group around the first")
        }
        return .repetition(node, minimum: bounds.minimum, maximum: bounds.maximum, isLazy: isLazy)
    }

    /// Parses `{2}`, `{2,}` or `{2,5}`.
    private mutating func count() throws(NameExpressionError) -> (minimum: Int, maximum: Int?) {
        let wrong = NameExpressionError("expected “{2}”, “{2,}” or “{2,5}” with numbers up to \(Self.largestCount)")
        place += 1
        guard let minimum = number() else { throw wrong }
        var maximum: Int? = minimum
        if take(",") { maximum = number() }
        guard take("}"), minimum <= Self.largestCount,
            maximum.map({ (minimum...Self.largestCount).contains($0) }) ?? true
        else { throw wrong }
        return (minimum, maximum)
    }

    private mutating func number() -> Int? {
        var digits = ""
        while let scalar = next, ("0"..."9").contains(scalar), digits.count < 6 {
            digits.unicodeScalars.append(scalar)
            place += 1
        }
        return Int(digits)
    }

    private mutating func atom() throws(NameExpressionError) -> SyntaxNode {
        let scalar = scalars[place]
        place += 1
        switch scalar {
        case ".": return .set(CharacterSet(members: [], isInverted: true))
        case "^": return .start
        case "$": return .end
        case "(": return try group()
        case "[": return .set(try bracketed())
        case "\\":
            if take("b") { return .wordBoundary }
            return .set(CharacterSet(members: [try escape()]))
        case "*", "+", "?": throw NameExpressionError("“\(scalar)” has nothing to repeat")
        default: return .set(CharacterSet(members: [.range(scalar.value, scalar.value)]))
        }
    }

    private mutating func group() throws(NameExpressionError) -> SyntaxNode {
        var number: Int?
        if take("?:") {
            // No capture.
        } else if take("?<") || take("?P<") {
            guard next != "=", next != "!" else { throw NameExpressionError("look-behind is not supported") }
            var name = ""
            while let scalar = next, scalar != ">" {
                name.unicodeScalars.append(scalar)
                place += 1
            }
            guard take(">"), !name.isEmpty else { throw NameExpressionError("a group without the end of its name") }
            guard !groups.contains(name) else { throw NameExpressionError("two groups with the name “\(name)”") }
            number = groups.count
            groups.append(name)
        } else if next == "?" {
            throw NameExpressionError("look-ahead and options in groups are not supported")
        }
        let node = try choice()
        guard take(")") else { throw NameExpressionError("“(” without “)”") }
        return number.map { .group($0, node) } ?? node
    }

    /// Parses the rest of a class after `[`.
    private mutating func bracketed() throws(NameExpressionError) -> CharacterSet {
        var set = CharacterSet(members: [], isInverted: take("^"))
        var isFirst = true
        while let scalar = next, scalar != "]" || isFirst {
            isFirst = false
            place += 1
            let member: CharacterSet.Member = try scalar == "\\" ? escape() : .range(scalar.value, scalar.value)
            guard case .range(let first, _) = member, next == "-", place + 1 < scalars.count, scalars[place + 1] != "]"
            else {
                set.members.append(member)
                continue
            }
            place += 2
            let end = scalars[place - 1]
            let last: CharacterSet.Member = try end == "\\" ? escape() : .range(end.value, end.value)
            guard case .range(let value, _) = last, value >= first else {
                throw NameExpressionError("a range in “[…]” that ends before it starts")
            }
            set.members.append(.range(first, value))
        }
        guard take("]") else { throw NameExpressionError("“[” without “]”") }
        return set
    }

    /// Parses the rest of an escape after the backslash.
    private mutating func escape() throws(NameExpressionError) -> CharacterSet.Member {
        guard let scalar = next else { throw NameExpressionError("a backslash at the end") }
        place += 1
        switch scalar {
        case "d": return .digit
        case "D": return .not(.digit)
        case "w": return .word
        case "W": return .not(.word)
        case "s": return .space
        case "S": return .not(.space)
        case "t": return .range(9, 9)
        default:
            guard !scalar.properties.isAlphabetic, !("0"..."9").contains(scalar) else {
                throw NameExpressionError("“\\\(scalar)” is not supported")
            }
            return .range(scalar.value, scalar.value)
        }
    }
}

// MARK: - Program

private enum Instruction: Hashable, Sendable {
    case set(CharacterSet)
    case start, end, wordBoundary
    /// Continues at both places; the first one takes precedence.
    case split(Int, Int)
    case jump(Int)
    /// Stores the position.
    case save(Int)
    case match
}

private struct Compiler {
    let limit: Int
    var program: [Instruction] = []
    /// The number of compiled nodes, which may be large although they need no instructions.
    private var nodeCount = 0

    init(limit: Int) {
        self.limit = limit
    }

    mutating func compile(_ node: SyntaxNode) throws(NameExpressionError) {
        nodeCount += 1
        guard program.count < limit, nodeCount < limit * 10 else {
            throw NameExpressionError("the expression is too large")
        }
        switch node {
        case .empty: break
        case .set(let set): program.append(.set(set))
        case .start: program.append(.start)
        case .end: program.append(.end)
        case .wordBoundary: program.append(.wordBoundary)
        case .sequence(let nodes): for node in nodes { try compile(node) }
        case .choice(let nodes): try compile(choice: nodes)
        case .group(let number, let node):
            program.append(.save(number * 2))
            try compile(node)
            program.append(.save(number * 2 + 1))
        case .repetition(let node, let minimum, let maximum, let isLazy):
            for _ in 0..<minimum { try compile(node) }
            if let maximum {
                for _ in minimum..<max(minimum, maximum) { try compile(optional: node, isLazy: isLazy, repeats: false) }
            } else {
                try compile(optional: node, isLazy: isLazy, repeats: true)
            }
        }
    }

    private mutating func compile(choice nodes: [SyntaxNode]) throws(NameExpressionError) {
        var jumps: [Int] = []
        for (index, node) in nodes.enumerated() {
            guard index < nodes.count - 1 else {
                try compile(node)
                break
            }
            let split = program.count
            program.append(.match)
            try compile(node)
            jumps.append(program.count)
            program.append(.match)
            program[split] = .split(split + 1, program.count)
        }
        for jump in jumps { program[jump] = .jump(program.count) }
    }

    private mutating func compile(
        optional node: SyntaxNode, isLazy: Bool, repeats: Bool
    ) throws(NameExpressionError) {
        let split = program.count
        program.append(.match)
        try compile(node)
        if repeats { program.append(.jump(split)) }
        program[split] = isLazy ? .split(program.count, split + 1) : .split(split + 1, program.count)
    }
}

/// Executes a program on a name: all threads advance by one character at a time, in order of precedence.
private struct Machine {
    private struct Thread {
        let place: Int
        let captures: [Int]
    }

    private let program: [Instruction]
    private let scalars: [Unicode.Scalar]
    private let captureCount: Int
    /// The step in which a place of the program was last reached, so that each place has one thread per step.
    private var reached: [Int]

    init(program: [Instruction], scalars: [Unicode.Scalar], captureCount: Int) {
        self.program = program
        self.scalars = scalars
        self.captureCount = captureCount
        reached = Array(repeating: -1, count: program.count)
    }

    /// Returns the captured positions of the first match; -1 for none.
    mutating func run() -> [Int]? {
        var threads: [Thread] = []
        var found: [Int]?
        for position in 0...scalars.count {
            var current: [Thread] = []
            for thread in threads { add(thread, at: position, to: &current) }
            // The first match starts as early as possible.
            if found == nil {
                add(Thread(place: 0, captures: Array(repeating: -1, count: captureCount)), at: position, to: &current)
            }
            threads = []
            for thread in current {
                switch program[thread.place] {
                case .match:
                    found = thread.captures
                case .set(let set):
                    if position < scalars.count, set.contains(scalars[position]) {
                        threads.append(Thread(place: thread.place + 1, captures: thread.captures))
                    }
                    continue
                default: continue
                }
                // Threads of lower precedence lose to the match.
                break
            }
            if threads.isEmpty, found != nil { break }
        }
        return found
    }

    /// Follows the instructions that consume no character, and adds the resulting threads in order of precedence.
    private mutating func add(_ first: Thread, at position: Int, to threads: inout [Thread]) {
        var waiting = [first]
        while let thread = waiting.popLast() {
            guard reached[thread.place] != position else { continue }
            reached[thread.place] = position
            switch program[thread.place] {
            case .set, .match: threads.append(thread)
            case .start: if position == 0 { waiting.append(Thread(place: thread.place + 1, captures: thread.captures)) }
            case .end:
                if position == scalars.count {
                    waiting.append(Thread(place: thread.place + 1, captures: thread.captures))
                }
            case .wordBoundary:
                if isWord(position - 1) != isWord(position) {
                    waiting.append(Thread(place: thread.place + 1, captures: thread.captures))
                }
            case .split(let preferred, let other):
                waiting.append(Thread(place: other, captures: thread.captures))
                waiting.append(Thread(place: preferred, captures: thread.captures))
            case .jump(let place): waiting.append(Thread(place: place, captures: thread.captures))
            case .save(let index):
                var captures = thread.captures
                captures[index] = position
                waiting.append(Thread(place: thread.place + 1, captures: captures))
            }
        }
    }

    private func isWord(_ position: Int) -> Bool {
        scalars.indices.contains(position) && CharacterSet.Member.word.contains(scalars[position])
    }
}
