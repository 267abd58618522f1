import CollectionLayout

/// Writes SVG 1.1: elements, attributes and texts, with everything escaped that comes from a guide.
///
/// Characters that XML doesn't allow, or advises against, are left out: no escape makes them legal (XML 1.0, production
/// 2).
struct SVGWriter: Sendable {
    /// A name and its value; one without a value is left out.
    typealias Attribute = (name: String, value: String)

    private(set) var text = ""

    /// Writes an element with what a closure writes into it.
    mutating func element(
        _ name: String, _ attributes: [Attribute], content: (inout SVGWriter) -> Void
    ) {
        begin(name, attributes)
        text += ">"
        content(&self)
        text += "</\(name)>"
    }

    /// Writes an element that holds a text.
    mutating func element(_ name: String, _ attributes: [Attribute] = [], text content: String) {
        begin(name, attributes)
        text += ">"
        append(content, isAttribute: false)
        text += "</\(name)>"
    }

    /// Writes an element without content.
    mutating func element(_ name: String, _ attributes: [Attribute]) {
        begin(name, attributes)
        text += "/>"
    }

    /// Begins a new line, which only people see.
    mutating func lineBreak() { text += "\n" }

    private mutating func begin(_ name: String, _ attributes: [Attribute]) {
        text += "<\(name)"
        for (name, value) in attributes where !value.isEmpty {
            text += " \(name)=\""
            append(value, isAttribute: true)
            text += "\""
        }
    }

    private mutating func append(_ content: String, isAttribute: Bool) {
        for scalar in content.unicodeScalars {
            switch scalar {
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "&": text += "&amp;"
            case "\"" where isAttribute: text += "&quot;"
            case "\t", "\n", "\r": text += " "
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": break
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension SVGWriter {
    /// A whole document.
    ///
    /// - Parameters:
    ///   - view: What of the plane is seen; a point is a pixel.
    ///   - title: What it shows, for screen readers.
    ///   - style: CSS beside that of the fonts, which are named by families, so that every viewer takes its own.
    static func document(
        view: Rect, title: String, style: String, content: (inout SVGWriter) -> Void
    ) -> String {
        let box = "\(view.minX.svg) \(view.minY.svg) \(view.width.svg) \(view.height.svg)"
        var svg = SVGWriter()
        svg.element(
            "svg",
            [
                ("xmlns", "http://www.w3.org/2000/svg"), ("width", view.width.svg), ("height", view.height.svg),
                ("viewBox", box), ("role", "img"),
            ]
        ) { svg in
            svg.element("title", text: title)
            svg.element("style", text: fonts + style)
            svg.lineBreak()
            content(&svg)
        }
        svg.lineBreak()
        return svg.text
    }

    private static var fonts: String {
        #"text { font-family: "Inter", "Noto Sans", "Helvetica Neue", system-ui, sans-serif; font-size: 12px; } "#
    }

    /// Draws a rectangle.
    mutating func rectangle(_ rect: Rect, _ attributes: [Attribute]) {
        element("rect", place(rect) + attributes)
    }

    /// Draws what lies in a rectangle and cuts off the rest; coordinates begin at its corner.
    mutating func clipped(to rect: Rect, _ attributes: [Attribute] = [], content: (inout SVGWriter) -> Void) {
        element("svg", place(rect) + attributes, content: content)
    }

    private func place(_ rect: Rect) -> [Attribute] {
        [("x", rect.minX.svg), ("y", rect.minY.svg), ("width", rect.width.svg), ("height", rect.height.svg)]
    }
}

extension Double {
    /// The number as SVG writes it: at most three decimals, no exponent, no zeros behind.
    var svg: String {
        guard !isNaN else { return "0" }
        let whole = Int64((clamped(to: -1e12...1e12) * 1000 + 0.5).floored)
        let (units, rest) = whole.magnitude.quotientAndRemainder(dividingBy: 1000)
        let sign = whole < 0 ? "-" : ""
        guard rest > 0 else { return "\(sign)\(units)" }
        var decimals = String(rest + 1000).dropFirst()
        while decimals.last == "0" { decimals.removeLast() }
        return "\(sign)\(units).\(decimals)"
    }
}
