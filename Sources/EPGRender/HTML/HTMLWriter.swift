/// Writes HTML (the WHATWG's) as it goes, with everything escaped that comes from a guide.
///
/// ```swift
/// var html = HTMLWriter()
/// html.element("p", [.class("note")]) { html in
///     html.text("Tom & Jerry")
///     html.element("a", [.url("href", "/airings/7")], text: "more")
/// }
/// html.markup     // <p class="note">Tom &amp; Jerry<a href="/airings/7">more</a></p>
/// ```
///
/// Names of elements and attributes are written in the program (`StaticString`), so that no guide can bring its own; texts
/// and values are escaped; addresses pass ``PageLink``. Scripts and styles are named by address only: nothing can be
/// written into them.
package struct HTMLWriter: Sendable {
    /// What was written, in UTF-8.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// What was written, as text.
    package var markup: String { String(decoding: bytes, as: UTF8.self) }

    /// Begins a document.
    package mutating func doctype() { append("<!DOCTYPE html>\n") }

    /// Writes an element with what a closure writes into it.
    package mutating func element(
        _ name: StaticString, _ attributes: [HTMLAttribute] = [], content: (inout HTMLWriter) throws -> Void
    ) rethrows {
        precondition(!HTMLWriter.isRaw(name), "what stands in this element isn't HTML")
        begin(name, attributes)
        try content(&self)
        end(name)
    }

    /// Writes an element that holds a text.
    package mutating func element(_ name: StaticString, _ attributes: [HTMLAttribute] = [], text: String) {
        element(name, attributes) { $0.text(text) }
    }

    /// Writes an element that has no end: `meta`, `link`, `img`, `input`, `br`, `hr`.
    package mutating func void(_ name: StaticString, _ attributes: [HTMLAttribute] = []) {
        begin(name, attributes)
    }

    /// Names a script by its address; it runs at once, before anything that stands after it is drawn.
    package mutating func script(at address: String) {
        begin("script", [.url("src", address)])
        end("script")
    }

    /// Names a module by its address; it runs when the document is read.
    package mutating func module(at address: String) {
        begin("script", [.text("type", "module"), .url("src", address)])
        end("script")
    }

    /// Writes a text.
    package mutating func text(_ text: String) { append(escaped: text) }

    /// Begins a new line, which only people see who read the source.
    package mutating func lineBreak() { bytes.append(UInt8(ascii: "\n")) }

    private mutating func begin(_ name: StaticString, _ attributes: [HTMLAttribute]) {
        bytes.append(UInt8(ascii: "<"))
        append(name)
        for attribute in attributes {
            switch attribute.content {
            case .none: continue
            case .flag:
                bytes.append(UInt8(ascii: " "))
                append(attribute.name)
            case .value(let value):
                bytes.append(UInt8(ascii: " "))
                append(attribute.name)
                append("=\"")
                append(escaped: value)
                bytes.append(UInt8(ascii: "\""))
            }
        }
        bytes.append(UInt8(ascii: ">"))
    }

    private mutating func end(_ name: StaticString) {
        append("</")
        append(name)
        bytes.append(UInt8(ascii: ">"))
    }

    private static func isRaw(_ name: StaticString) -> Bool {
        ["script", "style", "noscript", "iframe", "plaintext", "xmp"].contains("\(name)")
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Appends a text with what has a meaning in HTML escaped, in texts and in values alike.
    ///
    /// Control characters are left out, but for tabs and line ends: no reference makes them legal (HTML, 13.1.4).
    private mutating func append(escaped text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "&": append("&amp;")
            case "\"": append("&quot;")
            case "'": append("&#39;")
            case "\t", "\n": bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            case "\r": bytes.append(UInt8(ascii: "\n"))
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": break
            case _ where scalar.properties.isNoncharacterCodePoint: break
            default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
    }
}
