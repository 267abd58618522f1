import CollectionLayout
import XMLTV

/// SVG 2.
extension XMLWriter {
    /// Returns a document.
    ///
    /// - Parameters:
    ///   - view: The visible rectangle; a point is a pixel.
    ///   - title: The accessible name.
    ///   - style: CSS that follows the font rules.
    static func document(
        view: Rect, title: String, style: String, content: (inout XMLWriter) -> Void
    ) -> String {
        let box = "\(view.minX.svg) \(view.minY.svg) \(view.width.svg) \(view.height.svg)"
        var svg = XMLWriter()
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

    /// Draws a picture that fills a rectangle, cut at the edges.
    mutating func image(_ url: String, in rect: Rect) {
        element("image", [("href", url), ("preserveAspectRatio", "xMidYMid slice")] + place(rect))
    }

    /// Draws content clipped to a rectangle. Coordinates are relative to its upper left corner.
    mutating func clipped(to rect: Rect, _ attributes: [Attribute] = [], content: (inout XMLWriter) -> Void) {
        element("svg", place(rect) + attributes, content: content)
    }

    private func place(_ rect: Rect) -> [Attribute] {
        [("x", rect.minX.svg), ("y", rect.minY.svg), ("width", rect.width.svg), ("height", rect.height.svg)]
    }
}

extension Double {
    /// The number in SVG: at most three decimals, no exponent, no trailing zeros.
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
