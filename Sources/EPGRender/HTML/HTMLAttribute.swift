/// An attribute of an element, made so that what it holds can't become anything else.
package struct HTMLAttribute: Sendable {
    enum Content: Sendable {
        /// It is left out.
        case none
        /// It stands there without a value.
        case flag
        case value(String)
    }

    let name: StaticString
    let content: Content

    private init(_ name: StaticString, _ content: Content) {
        self.name = name
        self.content = content
    }

    /// An attribute that holds a text, such as `title` or `aria-label`; one without a text is left out.
    ///
    /// - Precondition: The name is none of those that hold an address, a script or a style.
    package static func text(_ name: StaticString, _ value: String?) -> HTMLAttribute {
        precondition(!isSpecial("\(name)"), "this attribute has a method of its own")
        return HTMLAttribute(name, value.map(Content.value) ?? .none)
    }

    /// An attribute that holds a whole number.
    package static func number(_ name: StaticString, _ value: some BinaryInteger) -> HTMLAttribute {
        text(name, String(value))
    }

    /// An attribute that is there or isn't, such as `hidden`.
    package static func flag(_ name: StaticString, _ isThere: Bool = true) -> HTMLAttribute {
        precondition(!isSpecial("\(name)"), "this attribute has a method of its own")
        return HTMLAttribute(name, isThere ? .flag : .none)
    }

    /// An attribute that holds an address, such as `href` or `src`; left out unless it passes ``PageLink``.
    package static func url(_ name: StaticString, _ address: String?) -> HTMLAttribute {
        HTMLAttribute(name, address.flatMap(PageLink.init).map { .value($0.text) } ?? .none)
    }

    /// `id`; left out unless it consists of letters of ASCII, digits, `-` and `_`.
    package static func id(_ name: String) -> HTMLAttribute {
        HTMLAttribute("id", isName(name) ? .value(name) : .none)
    }

    /// `class`: those of the names that consist of letters of ASCII, digits, `-` and `_`.
    package static func `class`(_ names: String?...) -> HTMLAttribute {
        let names = names.compactMap(\.self).filter(isName)
        return HTMLAttribute("class", names.isEmpty ? .none : .value(names.joined(separator: " ")))
    }

    /// `style`: properties in points, which only places and sizes are.
    package static func points(_ properties: KeyValuePairs<StaticString, Double>) -> HTMLAttribute {
        HTMLAttribute("style", .value(properties.map { "\($0.key):\($0.value.svg)px" }.joined(separator: ";")))
    }

    /// `class`: names of `views.css`, which begin with `v-` there, so that the guide's rules don't meet these elements.
    static func view(_ names: String?...) -> HTMLAttribute {
        let names = names.compactMap(\.self).filter(isName).map { "v-" + $0 }
        return HTMLAttribute("class", names.isEmpty ? .none : .value(names.joined(separator: " ")))
    }

    /// `style`: a part of the whole, from 0 to 1, as the custom property `--part`.
    static func part(_ part: Double) -> HTMLAttribute { HTMLAttribute("style", .value("--part:\(part.svg)")) }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// Whether an attribute holds an address, a script, a style or a document.
    private static func isSpecial(_ name: String) -> Bool {
        name.hasPrefix("on")
            || [
                "href", "src", "srcset", "srcdoc", "action", "formaction", "poster", "data", "ping", "cite",
                "background",
                "style", "id", "class", "xlink:href",
            ].contains(name)
    }
}
