import CollectionLayout
import Foundation

@testable import EPGRender

/// The elements of a page that carry places, read back from its markup.
struct ViewsMarkup {
    struct Element {
        let classes: [String]
        /// From the upper leading corner of the outermost place, one for each width.
        let frames: [Rect]
        /// Of the element's own numbers, such as `--part`.
        let numbers: [String: Double]
    }

    private(set) var elements: [Element] = []
    /// Whether every element that was begun was ended, in order.
    private(set) var isBalanced = true

    /// - Precondition: `<`, `>` and `"` are escaped in texts and values.
    init(_ markup: String) {
        var open: [(name: Substring, origins: [Point])] = []
        let zero = ViewWidth.allCases.map { _ in Point.zero }
        for part in markup.split(separator: "<").dropFirst() {
            guard let end = part.firstIndex(of: ">") else { isBalanced = false; continue }
            let tag = part[..<end]
            let name = tag.prefix { $0 != " " }
            if name.hasPrefix("!") { continue }
            if name.hasPrefix("/") {
                if open.popLast()?.name != name.dropFirst() { isBalanced = false }
                continue
            }
            let numbers = ViewsMarkup.numbers(ViewsMarkup.value("style", in: tag))
            var origins = open.last?.origins ?? zero
            if numbers["x0"] != nil {
                origins = origins.enumerated().map { index, origin in
                    Point(x: origin.x + (numbers["x\(index)"] ?? .nan), y: origin.y + (numbers["y\(index)"] ?? .nan))
                }
                let frames = origins.enumerated().map { index, origin in
                    Rect(
                        x: origin.x, y: origin.y, width: numbers["w\(index)"] ?? .nan,
                        height: numbers["h\(index)"] ?? .nan)
                }
                let classes = ViewsMarkup.value("class", in: tag).split(separator: " ").map(String.init)
                elements.append(Element(classes: classes, frames: frames, numbers: numbers))
            }
            if !["meta", "link", "img", "input", "br", "hr"].contains(name) { open.append((name, origins)) }
        }
        if !open.isEmpty { isBalanced = false }
    }

    func elements(_ style: String) -> [Element] { elements.filter { $0.classes.contains("v-" + style) } }

    private static func value(_ name: String, in tag: Substring) -> Substring {
        guard let range = tag.range(of: " \(name)=\"") else { return "" }
        return tag[range.upperBound...].prefix { $0 != "\"" }
    }

    private static func numbers(_ style: Substring) -> [String: Double] {
        var numbers: [String: Double] = [:]
        for declaration in style.split(separator: ";") {
            let sides = declaration.split(separator: ":")
            guard sides.count == 2, sides[0].hasPrefix("--") else { continue }
            numbers[String(sides[0].dropFirst(2))] = Double(sides[1])
        }
        return numbers
    }
}
