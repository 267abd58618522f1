/// Rewrites a script for the browsers of televisions, which may lack the operators `?.`, `??`, `??=`, `||=` and `&&=` (Chrome 85).
///
/// An operator becomes a conditional expression, which keeps an intermediate value in the variable `$o`. One variable is enough,
/// because each conditional expression reads it immediately after it was assigned:
///
/// ```js
/// a?.b ?? c           // becomes
/// (($o = (a == null ? undefined : a.b)) != null ? $o : c)
/// ```
///
/// This is no parser of the whole language. Statements must end with semicolons, and the operand of `delete` and `new` must not be
/// optional. The test `televisions_need_only_chrome_79` checks the result for all scripts with esbuild.
struct ScriptLowering {
    /// A part of a script.
    private indirect enum Node {
        /// Spaces and comments.
        case space([UInt8])
        /// An identifier, a keyword, or a number.
        case word([UInt8])
        /// An operator, or another sign outside of brackets.
        case sign([UInt8])
        /// A string or a regular expression.
        case literal([UInt8])
        /// A template literal: its texts, with the expressions after all but the last one.
        case template(texts: [[UInt8]], expressions: [[Node]])
        /// An expression or statements in brackets.
        case group(open: UInt8, [Node])

        var isSpace: Bool {
            if case .space = self { true } else { false }
        }
    }

    private let bytes: [UInt8]
    private var at = 0
    private var needsVariable = false

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns a script in UTF-8 that does the same without these operators.
    static func lowered(_ script: [UInt8]) -> [UInt8] {
        var lowering = ScriptLowering(script)
        let nodes = lowering.lower(lowering.parse(until: nil))
        var result: [UInt8] = []
        result.reserveCapacity(script.count * 5 / 4)
        ScriptLowering.write(nodes, to: &result)
        // A declaration with `var` applies to the whole script, and so may follow a directive and imports.
        if lowering.needsVariable { result += Array("var $o;\n".utf8) }
        return result
    }

    // MARK: - Reading

    /// Words after which an operand begins.
    private static let operators: Set<String> = [
        "await", "case", "default", "delete", "do", "else", "extends", "in", "instanceof", "new", "of", "return",
        "throw", "typeof",
        "void", "yield",
    ]
    /// Operators of several characters, the longest first.
    private static let signs = [
        ">>>=", "...", "??=", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "=>", "==", "!=", "<=", ">=",
        "&&", "||", "??",
        "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "**", "<<", ">>",
    ].map { Array($0.utf8) }

    /// Reads nodes up to a closing bracket, which is consumed, or to the end.
    private mutating func parse(until closing: UInt8?) -> [Node] {
        var nodes: [Node] = []
        while at < bytes.count {
            let byte = bytes[at]
            if byte == closing {
                at += 1
                return nodes
            }
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
                nodes.append(.space(take { $0 == 32 || $0 == 10 || $0 == 9 || $0 == 13 }))
            case UInt8(ascii: "/") where isNext("//"):
                nodes.append(.space(take { $0 != UInt8(ascii: "\n") }))
            case UInt8(ascii: "/") where isNext("/*"):
                nodes.append(.space(takeComment()))
            case UInt8(ascii: "/") where ScriptLowering.expectsOperand(after: nodes):
                nodes.append(.literal(takeRegularExpression()))
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                nodes.append(.literal(takeString(byte)))
            case UInt8(ascii: "`"):
                nodes.append(takeTemplate())
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                at += 1
                nodes.append(.group(open: byte, parse(until: ScriptLowering.closing(byte))))
            case _ where ScriptLowering.isWord(byte):
                nodes.append(.word(take(ScriptLowering.isWord)))
            default:
                nodes.append(.sign(takeSign()))
            }
        }
        precondition(closing == nil, "a script has a bracket that is not closed")
        return nodes
    }

    private static func closing(_ open: UInt8) -> UInt8 {
        open == UInt8(ascii: "(")
            ? UInt8(ascii: ")") : open == UInt8(ascii: "[") ? UInt8(ascii: "]") : UInt8(ascii: "}")
    }

    /// Letters, digits, `_`, `$`, `#`, and all characters beyond ASCII.
    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x24, 0x23, 0x80...: true
        default: false
        }
    }

    private func isNext(_ text: StaticString) -> Bool { isNext(Array("\(text)".utf8)) }

    private func isNext(_ text: [UInt8]) -> Bool { bytes[at...].starts(with: text) }

    private mutating func take(_ belongs: (UInt8) -> Bool) -> [UInt8] {
        let end = bytes[at...].firstIndex { !belongs($0) } ?? bytes.count
        defer { at = end }
        return Array(bytes[at..<end])
    }

    private mutating func takeComment() -> [UInt8] {
        let start = at
        at += 2
        while !isNext("*/") { at += 1 }
        at += 2
        return Array(bytes[start..<at])
    }

    private mutating func takeString(_ quote: UInt8) -> [UInt8] {
        let start = at
        at += 1
        while bytes[at] != quote { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
        at += 1
        return Array(bytes[start..<at])
    }

    private mutating func takeRegularExpression() -> [UInt8] {
        let start = at
        var isInClass = false
        at += 1
        while isInClass || bytes[at] != UInt8(ascii: "/") {
            switch bytes[at] {
            case UInt8(ascii: "\\"): at += 1
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            default: break
            }
            at += 1
        }
        at += 1
        return Array(bytes[start..<at]) + take(ScriptLowering.isWord)
    }

    private mutating func takeTemplate() -> Node {
        var texts: [[UInt8]] = []
        var expressions: [[Node]] = []
        at += 1
        var start = at
        while true {
            if bytes[at] == UInt8(ascii: "`") {
                texts.append(Array(bytes[start..<at]))
                at += 1
                return .template(texts: texts, expressions: expressions)
            }
            if isNext("${") {
                texts.append(Array(bytes[start..<at]))
                at += 2
                expressions.append(parse(until: UInt8(ascii: "}")))
                start = at
            } else {
                at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
            }
        }
    }

    private mutating func takeSign() -> [UInt8] {
        let sign = ScriptLowering.signs.first { isNext($0) } ?? [bytes[at]]
        // `a?.5:b` is a conditional expression.
        let isNumber = sign == Array("?.".utf8) && at + 2 < bytes.count && 0x30...0x39 ~= bytes[at + 2]
        let taken = isNumber ? [bytes[at]] : sign
        at += taken.count
        return taken
    }

    /// Whether an operand follows these nodes, so that `/` begins a regular expression.
    private static func expectsOperand(after nodes: [Node]) -> Bool {
        switch nodes.last(where: { !$0.isSpace }) {
        case .none, .sign, .space: true
        case .word(let word): operators.contains(String(decoding: word, as: UTF8.self))
        case .literal, .template, .group: false
        }
    }

    // MARK: - Rewriting

    private mutating func lower(_ nodes: [Node]) -> [Node] {
        var nodes = nodes.map { node -> Node in
            switch node {
            case .group(let open, let content): .group(open: open, lower(content))
            case .template(let texts, let expressions):
                .template(texts: texts, expressions: expressions.map { lower($0) })
            default: node
            }
        }
        while let place = nodes.firstIndex(where: { ScriptLowering.isSign($0, "?.") }) {
            lowerChain(at: place, in: &nodes)
        }
        while let place = nodes.firstIndex(where: { ScriptLowering.isSign($0, "??") }) {
            lowerDefault(at: place, in: &nodes)
        }
        while let place = nodes.firstIndex(where: { node in
            ["??=", "||=", "&&="].contains { ScriptLowering.isSign(node, $0) }
        }) {
            lowerAssignment(at: place, in: &nodes)
        }
        return nodes
    }

    /// `a?.b.c(d)` becomes `(a == null ? undefined : a.b.c(d))`.
    private mutating func lowerChain(at place: Int, in nodes: inout [Node]) {
        let start = ScriptLowering.startOfChain(before: place, in: nodes)
        let end = ScriptLowering.endOfChain(after: place, in: nodes)
        let left = ScriptLowering.trimmed(nodes[start..<place])
        var rest = Array(nodes[(place + 1)..<end])
        var tested: [Node]
        var value: [Node]
        if case .group(UInt8(ascii: "("), _) = rest[0], left.count > 2, ScriptLowering.isSign(left[left.count - 2], ".")
        {
            // A method keeps its object: `a.b?.(c)` becomes `(($o = a).b == null ? undefined : $o.b(c))`.
            let method = Array(left.suffix(2))
            tested = [variable(for: Array(left.dropLast(2)))] + method
            value = [.word(ScriptLowering.name)] + method
        } else if left.count == 1, case .word = left[0] {
            (tested, value) = (left, left)
        } else {
            tested = [variable(for: left)]
            value = [.word(ScriptLowering.name)]
        }
        if case .word = rest[0] { rest.insert(.sign(Array(".".utf8)), at: 0) }
        value = lower(value + rest)
        nodes.replaceSubrange(
            start..<end,
            with: [ScriptLowering.parenthesized(tested + ScriptLowering.code(" == null ? undefined : ") + value)])
    }

    /// `a ?? b` becomes `(a != null ? a : b)`.
    private mutating func lowerDefault(at place: Int, in nodes: inout [Node]) {
        let start = ScriptLowering.startOfOperand(before: place, in: nodes)
        let end = ScriptLowering.endOfOperand(after: place, in: nodes, isAssigned: false)
        let left = ScriptLowering.trimmed(nodes[start..<place])
        let right = ScriptLowering.trimmed(nodes[(place + 1)..<end])
        let isWord = if left.count == 1, case .word = left[0] { true } else { false }
        let tested = isWord ? left : [variable(for: left)]
        let value = isWord ? left : [.word(ScriptLowering.name)]
        nodes.replaceSubrange(
            start..<end,
            with: [
                ScriptLowering.parenthesized(
                    tested + ScriptLowering.code(" != null ? ") + value + ScriptLowering.code(" : ") + right)
            ])
    }

    /// `a.b ??= c` becomes `(a.b != null ? a.b : (a.b = c))`, and `a.b ||= c` becomes `(a.b || (a.b = c))`.
    private mutating func lowerAssignment(at place: Int, in nodes: inout [Node]) {
        let start = ScriptLowering.startOfOperand(before: place, in: nodes)
        let end = ScriptLowering.endOfOperand(after: place, in: nodes, isAssigned: true)
        let target = ScriptLowering.trimmed(nodes[start..<place])
        let right = ScriptLowering.trimmed(nodes[(place + 1)..<end])
        precondition(
            target.allSatisfy { if case .group = $0 { false } else { true } },
            "the target of ??=, ||= or &&= must be names with points")
        let middle =
            if ScriptLowering.isSign(nodes[place], "??=") {
                ScriptLowering.code(" != null ? ") + target + ScriptLowering.code(" : ")
            } else {
                ScriptLowering.code(ScriptLowering.isSign(nodes[place], "||=") ? " || " : " && ")
            }
        let assignment = ScriptLowering.parenthesized(target + ScriptLowering.code(" = ") + right)
        nodes.replaceSubrange(start..<end, with: [ScriptLowering.parenthesized(target + middle + [assignment])])
    }

    private static let name = Array("$o".utf8)

    /// `($o = value)`.
    private mutating func variable(for value: [Node]) -> Node {
        needsVariable = true
        return ScriptLowering.parenthesized([.word(ScriptLowering.name)] + ScriptLowering.code(" = ") + value)
    }

    private static func parenthesized(_ nodes: [Node]) -> Node { .group(open: UInt8(ascii: "("), nodes) }

    /// Text that needs no rewriting.
    private static func code(_ text: String) -> [Node] { [.space(Array(text.utf8))] }

    private static func isSign(_ node: Node, _ text: String) -> Bool {
        if case .sign(let sign) = node { sign.elementsEqual(text.utf8) } else { false }
    }

    private static func trimmed(_ nodes: ArraySlice<Node>) -> [Node] {
        var nodes = nodes
        while nodes.first?.isSpace == true { nodes.removeFirst() }
        while nodes.last?.isSpace == true { nodes.removeLast() }
        return Array(nodes)
    }

    private static func previous(_ place: Int, in nodes: [Node]) -> Int? {
        nodes[..<place].lastIndex { !$0.isSpace }
    }

    /// Whether a node is the end of an operand: of a name, of brackets, or of a literal.
    private static func isOperand(_ node: Node) -> Bool {
        switch node {
        case .word(let word):
            !operators.contains(String(decoding: word, as: UTF8.self))
                && !["if", "while", "for", "switch", "catch"].contains(String(decoding: word, as: UTF8.self))
        case .literal, .template, .group: true
        case .sign, .space: false
        }
    }

    /// The start of `a.b(c)[d]` before `?.`.
    private static func startOfChain(before place: Int, in nodes: [Node]) -> Int {
        guard var start = previous(place, in: nodes) else { preconditionFailure("nothing is before ?.") }
        while let before = previous(start, in: nodes) {
            let isPoint = isSign(nodes[before], ".") || isSign(nodes[before], "?.")
            if isPoint, let object = previous(before, in: nodes) {
                start = object
            } else if case .group(let open, _) = nodes[start], open != UInt8(ascii: "{"), isOperand(nodes[before]) {
                start = before
            } else {
                break
            }
        }
        return start
    }

    /// The end of `b.c(d)?.e` after `?.`, excluded.
    private static func endOfChain(after place: Int, in nodes: [Node]) -> Int {
        var end = place + 2
        while let next = nodes[end...].firstIndex(where: { !$0.isSpace }) {
            switch nodes[next] {
            case .sign where isSign(nodes[next], ".") || isSign(nodes[next], "?."):
                guard let part = nodes[(next + 1)...].firstIndex(where: { !$0.isSpace }) else { return end }
                end = part + 1
            case .group(let open, _) where open != UInt8(ascii: "{") && next == end: end = next + 1
            case .template where next == end: end = next + 1
            default: return end
            }
        }
        return end
    }

    /// Signs that end an operand of `??`. The operators in an operand bind more strongly.
    private static let boundaries: Set<String> = [
        ",", ";", "?", ":", "=>", "...", "||", "&&", "??", "=", "+=", "-=", "*=", "/=", "%=", "**=", "&=", "|=", "^=",
        "<<=", ">>=",
        ">>>=", "??=", "||=", "&&=",
    ]
    /// Words that end an operand of `??`.
    private static let boundaryWords: Set<String> = [
        "case", "const", "default", "do", "else", "let", "of", "return", "throw", "var", "yield",
    ]

    private static func isBoundary(_ node: Node) -> Bool {
        switch node {
        case .sign(let sign): boundaries.contains(String(decoding: sign, as: UTF8.self))
        case .word(let word): boundaryWords.contains(String(decoding: word, as: UTF8.self))
        default: false
        }
    }

    /// The start of the operand before `??` or `??=`.
    private static func startOfOperand(before place: Int, in nodes: [Node]) -> Int {
        guard var start = previous(place, in: nodes) else { preconditionFailure("nothing is before ??") }
        while let before = previous(start, in: nodes), !isBoundary(nodes[before]) {
            // After a statement such as `if (a)` or a block, another statement begins.
            if case .group(let open, _) = nodes[start], open != UInt8(ascii: "{") {
            } else if isOperand(nodes[start]), isOperand(nodes[before]) {
                break
            }
            start = before
        }
        return start
    }

    /// The end of the operand after `??` or `??=`, excluded. An assigned value extends to the end of its expression.
    private static func endOfOperand(after place: Int, in nodes: [Node], isAssigned: Bool) -> Int {
        let isEnd = { (node: Node) in
            isAssigned ? isSign(node, ",") || isSign(node, ";") || isSign(node, ":") : isBoundary(node)
        }
        return nodes[(place + 1)...].firstIndex(where: isEnd) ?? nodes.count
    }

    // MARK: - Writing

    private static func write(_ nodes: [Node], to result: inout [UInt8]) {
        for node in nodes {
            switch node {
            case .space(let text), .word(let text), .sign(let text), .literal(let text): result += text
            case .group(let open, let content):
                result.append(open)
                write(content, to: &result)
                result.append(closing(open))
            case .template(let texts, let expressions):
                result.append(UInt8(ascii: "`"))
                for (index, text) in texts.enumerated() {
                    result += text
                    guard index < expressions.count else { continue }
                    result += Array("${".utf8)
                    write(expressions[index], to: &result)
                    result.append(UInt8(ascii: "}"))
                }
                result.append(UInt8(ascii: "`"))
            }
        }
    }
}
