/// Rewrites a style sheet for Chrome 79, which the browsers of televisions are based on: without `:is()`, `:where()`,
/// `:focus-visible`, the shorthands of logical properties, logical positions, `overflow: clip`, the `gap` of flexible boxes, and
/// the individual property `translate`.
///
/// A logical position becomes a physical one, and a second rule mirrors it for right-to-left pages. Rules of the grid with hours
/// from top to bottom, which televisions do not show, are left out, and so are rules with `:has()`.
///
/// The test `televisions_need_only_chrome_79` checks the result for all style sheets.
struct StyleLowering {
    /// A declaration of a rule.
    private struct Declaration {
        var name: String
        var value: String

        var text: String { "\(name): \(value); " }
    }

    private let text: [UInt8]
    private var at = 0
    /// The selectors of flexible boxes.
    private var flexible: Set<String> = []
    private var result = ""

    private init(_ style: [UInt8]) {
        text = style
    }

    /// Returns a style sheet in UTF-8 with the same effect in left-to-right and right-to-left pages.
    static func lowered(_ style: [UInt8]) -> [UInt8] {
        var lowering = StyleLowering(style)
        lowering.writeRules()
        return Array(lowering.result.utf8)
    }

    // MARK: - Reading

    private mutating func writeRules() {
        while true {
            skipSpace()
            guard at < text.count, text[at] != UInt8(ascii: "}") else {
                at += 1
                return
            }
            let prelude = take(until: [UInt8(ascii: "{"), UInt8(ascii: ";")])
            guard at < text.count else { return }
            let isBlock = text[at] == UInt8(ascii: "{")
            at += 1
            if !isBlock {
                result += prelude + ";\n"
            } else if prelude.hasPrefix("@media") || prelude.hasPrefix("@supports") {
                result += prelude + " {\n"
                writeRules()
                result += "}\n"
            } else if prelude.hasPrefix("@keyframes") {
                result += prelude + " {\n"
                writeFrames()
                result += "}\n"
            } else if prelude.hasPrefix("@") {
                write([prelude], declarations())
            } else {
                writeRule(prelude, declarations())
            }
        }
    }

    /// Writes the frames of an animation, whose selectors need no rewriting.
    private mutating func writeFrames() {
        while true {
            skipSpace()
            guard at < text.count, text[at] != UInt8(ascii: "}") else {
                at += 1
                return
            }
            let name = take(until: [UInt8(ascii: "{")])
            at += 1
            write([name], declarations().flatMap(StyleLowering.lowered))
        }
    }

    private mutating func declarations() -> [Declaration] {
        var found: [Declaration] = []
        while true {
            skipSpace()
            guard at < text.count, text[at] != UInt8(ascii: "}") else {
                at += 1
                return found
            }
            let declaration = take(until: [UInt8(ascii: ";"), UInt8(ascii: "}")])
            if at < text.count, text[at] == UInt8(ascii: ";") { at += 1 }
            guard let colon = declaration.firstIndex(of: ":") else { continue }
            found.append(
                Declaration(
                    name: StyleLowering.trimmed(declaration[..<colon]),
                    value: StyleLowering.trimmed(declaration[declaration.index(after: colon)...])))
        }
    }

    private mutating func skipSpace() {
        while at < text.count {
            if text[at] == 32 || text[at] == 10 || text[at] == 9 {
                at += 1
            } else if text[at...].starts(with: "/*".utf8) {
                at += 2
                while !text[at...].starts(with: "*/".utf8) { at += 1 }
                at += 2
            } else {
                return
            }
        }
    }

    /// Reads up to one of some bytes outside of strings and parentheses, without spaces at the end.
    private mutating func take(until ends: [UInt8]) -> String {
        var bytes: [UInt8] = []
        var depth = 0
        var quote: UInt8?
        while at < text.count {
            let byte = text[at]
            if let open = quote {
                if byte == open { quote = nil }
            } else if depth == 0, ends.contains(byte) {
                break
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "(") {
                depth += 1
            } else if byte == UInt8(ascii: ")") {
                depth -= 1
            }
            bytes.append(byte)
            at += 1
        }
        return StyleLowering.trimmed(String(decoding: bytes, as: UTF8.self)[...])
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// The parts of a text between separators outside of parentheses, brackets and strings.
    private static func parts(of text: String, separatedBy separator: Character) -> [String] {
        var parts = [""]
        var depth = 0
        var quote: Character?
        for character in text {
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == "(" || character == "[" {
                depth += 1
            } else if character == ")" || character == "]" {
                depth -= 1
            } else if depth == 0, character == separator {
                parts.append("")
                continue
            }
            parts[parts.count - 1].append(character)
        }
        return parts.map { trimmed($0[...]) }.filter { !$0.isEmpty }
    }

    // MARK: - Selectors

    private static func selectors(_ list: String) -> [String] {
        parts(of: list, separatedBy: ",").flatMap { expanded($0) }
            .filter { !$0.contains(":has(") && !$0.contains("[data-grid=vertical]") }
    }

    /// The selectors without `:is()` and `:where()`, and with one selector in each `:not()`.
    private static func expanded(_ selector: String) -> [String] {
        let selector = selector.split(separator: ":focus-visible", omittingEmptySubsequences: false).joined(
            separator: ":focus")
        for function in [":is(", ":where("] {
            guard let (before, list, after) = call(of: function, in: selector) else { continue }
            return parts(of: list, separatedBy: ",").flatMap { alternative -> [String] in
                // The name of an element comes before the conditions that it meets.
                let isElement = alternative.first?.isLetter == true
                guard isElement, let last = before.last, !" >+~(".contains(last) else {
                    return expanded(before + alternative + after)
                }
                let start = before.lastIndex { " >+~".contains($0) }.map(before.index(after:)) ?? before.startIndex
                return expanded(before[..<start] + alternative + before[start...] + after)
            }
        }
        if let (before, list, after) = call(of: ":not(", in: selector, where: { $0.contains(",") }) {
            let conditions = parts(of: list, separatedBy: ",").map { ":not(\($0))" }.joined()
            return expanded(before + conditions + after)
        }
        return [selector]
    }

    /// The first call of a function in a selector, whose argument meets a condition.
    private static func call(
        of function: String, in selector: String, where isWanted: (String) -> Bool = { _ in true }
    ) -> (before: String, argument: String, after: String)? {
        var rest = selector[...]
        while let start = rest.firstRange(of: function) {
            var depth = 1
            var end = start.upperBound
            while depth > 0 {
                if selector[end] == "(" { depth += 1 }
                if selector[end] == ")" { depth -= 1 }
                end = selector.index(after: end)
            }
            let argument = String(selector[start.upperBound..<selector.index(before: end)])
            if isWanted(argument) { return (String(selector[..<start.lowerBound]), argument, String(selector[end...])) }
            rest = selector[start.upperBound...]
        }
        return nil
    }

    /// The selector in right-to-left pages; `nil` if it has a direction already.
    private static func mirrored(_ selector: String) -> String? {
        if selector.contains("[dir=") { return nil }
        let isOfRoot = [".js", ".elsewhere", ":root", "[data-"].contains { selector.hasPrefix($0) }
        if selector.hasPrefix("html") { return "html[dir=rtl]" + selector.dropFirst(4) }
        return isOfRoot ? "[dir=rtl]" + selector : "[dir=rtl] " + selector
    }

    // MARK: - Rules

    private mutating func writeRule(_ list: String, _ declarations: [Declaration]) {
        let selectors = StyleLowering.selectors(list)
        guard !selectors.isEmpty else { return }
        var common: [Declaration] = []
        var leading: [Declaration] = []
        var trailing: [Declaration] = []
        for declaration in declarations {
            if let sides = StyleLowering.sides(of: declaration) {
                leading += sides.leftToRight
                trailing += sides.rightToLeft
            } else {
                common += StyleLowering.lowered(declaration)
            }
        }
        let displays = declarations.filter { $0.name == "display" }
        if let display = displays.last {
            for selector in selectors {
                if display.value.hasSuffix("flex") { flexible.insert(selector) } else { flexible.remove(selector) }
            }
        }
        let gap = declarations.last { $0.name == "gap" }
        let isFlexible = selectors.contains { flexible.contains($0) }
        if isFlexible { common.removeAll { $0.name == "gap" } }
        // Rules that name a direction apply to it alone.
        let mirrored = selectors.filter { $0.contains("[dir=rtl]") }
        let others = selectors.filter { !$0.contains("[dir=rtl]") }
        write(others, common + leading)
        write(mirrored, common + trailing)
        if !trailing.isEmpty { write(others.compactMap(StyleLowering.mirrored), trailing) }
        if let gap, isFlexible { writeGap(gap.value, of: selectors, declarations) }
    }

    private mutating func write(_ selectors: [String], _ declarations: [Declaration]) {
        guard !selectors.isEmpty, !declarations.isEmpty else { return }
        result += selectors.joined(separator: ", ") + " { " + declarations.map(\.text).joined() + "}\n"
    }

    /// Writes the margins of the children of a flexible box: between them, or around each one if they wrap.
    private mutating func writeGap(_ gap: String, of selectors: [String], _ declarations: [Declaration]) {
        let sizes = StyleLowering.parts(of: gap, separatedBy: " ")
        guard let row = sizes.first, let column = sizes.last else { return }
        let value = { (name: String) in declarations.last { $0.name == name }?.value ?? "" }
        if value("flex-wrap") == "wrap" {
            write(
                selectors.map { $0 + " > *" },
                [
                    Declaration(
                        name: "margin",
                        value: [row, column].map { $0 == "0" ? $0 : "calc(\($0)/2)" }.joined(separator: " "))
                ])
        } else {
            let isColumn = value("flex-direction").hasPrefix("column")
            let isReversed = value("flex-direction").hasSuffix("reverse")
            write(
                selectors.map { $0 + " > * + *" },
                [
                    Declaration(
                        name: (isColumn ? "margin-block-" : "margin-inline-") + (isReversed ? "end" : "start"),
                        value: isColumn ? row : column)
                ])
        }
    }

    // MARK: - Declarations

    /// Properties that older browsers ignore without harm.
    private static let ignored: Set<String> = [
        "aspect-ratio", "line-clamp", "scrollbar-width", "scrollbar-gutter", "text-underline-offset", "accent-color",
        "text-wrap",
    ]

    private static let shorthands: Set<String> = [
        "margin-inline", "margin-block", "padding-inline", "padding-block", "scroll-margin-inline",
        "scroll-margin-block",
        "scroll-padding-inline", "scroll-padding-block",
    ]

    /// The declarations with the same effect in all directions of text.
    private static func lowered(_ declaration: Declaration) -> [Declaration] {
        var (name, value) = (declaration.name, declaration.value)
        if ignored.contains(name) { return [] }
        for unit in ["dvh", "svh", "lvh"] {
            value = value.split(separator: unit, omittingEmptySubsequences: false).joined(separator: "vh")
        }
        let sizes = parts(of: value, separatedBy: " ").filter { $0 != "!important" }
        let suffix = value.hasSuffix("!important") ? " !important" : ""
        guard let first = sizes.first, let last = sizes.last else { return [Declaration(name: name, value: value)] }
        switch name {
        case _ where shorthands.contains(name):
            return [
                Declaration(name: name + "-start", value: first + suffix),
                Declaration(name: name + "-end", value: (sizes.count > 1 ? sizes[1] : first) + suffix),
            ]
        case "border-inline", "border-block":
            return ["-start", "-end"].map { Declaration(name: name + $0, value: value) }
        case "inset":
            let all =
                [first, sizes.count > 1 ? sizes[1] : first, sizes.count > 2 ? sizes[2] : first]
                + [sizes.count > 3 ? sizes[3] : sizes.count > 1 ? sizes[1] : first]
            return zip(["top", "right", "bottom", "left"], all).map { Declaration(name: $0, value: $1 + suffix) }
        case "inset-block":
            return [
                Declaration(name: "top", value: first + suffix), Declaration(name: "bottom", value: last + suffix),
            ]
        case "inset-block-start": name = "top"
        case "inset-block-end": name = "bottom"
        case "overflow", "overflow-x", "overflow-y": value = value == "clip" ? "hidden" : value
        case "overflow-wrap" where value == "anywhere":
            return [Declaration(name: "word-break", value: "break-word")]
        case "align-items", "align-content", "align-self", "justify-content":
            value = ["end": "flex-end", "start": "flex-start"][value] ?? value
        case "translate": (name, value) = ("transform", "translate(\(sizes.joined(separator: ", ")))")
        default: break
        }
        return [Declaration(name: name, value: value)]
    }

    /// The physical declarations for a logical side in both directions of text; `nil` for other declarations.
    private static func sides(
        of declaration: Declaration
    ) -> (leftToRight: [Declaration], rightToLeft: [Declaration])? {
        let value = declaration.value
        let both = { (left: String, right: String, unset: String) in
            (
                [Declaration(name: left, value: value)],
                [Declaration(name: right, value: value), Declaration(name: left, value: unset)]
            )
        }
        switch declaration.name {
        case "inset-inline":
            let sizes = parts(of: value, separatedBy: " ")
            let (start, end) = (sizes[0], sizes.count > 1 ? sizes[1] : sizes[0])
            let declarations = { (left: String, right: String) in
                [Declaration(name: "left", value: left), Declaration(name: "right", value: right)]
            }
            return (declarations(start, end), start == end ? [] : declarations(end, start))
        case "inset-inline-start": return both("left", "right", "auto")
        case "inset-inline-end": return both("right", "left", "auto")
        case "float" where value == "inline-end":
            return ([Declaration(name: "float", value: "right")], [Declaration(name: "float", value: "left")])
        case "float" where value == "inline-start":
            return ([Declaration(name: "float", value: "left")], [Declaration(name: "float", value: "right")])
        case "border-start-start-radius": return both("border-top-left-radius", "border-top-right-radius", "0")
        case "border-start-end-radius": return both("border-top-right-radius", "border-top-left-radius", "0")
        case "border-end-start-radius": return both("border-bottom-left-radius", "border-bottom-right-radius", "0")
        case "border-end-end-radius": return both("border-bottom-right-radius", "border-bottom-left-radius", "0")
        default: return nil
        }
    }
}
