/// The names that stored documents write as one byte.
///
/// **The codes stand in databases: append to these lists, never change or reorder them.** A name that isn't here is
/// written out, so nothing is lost by its absence.
package enum ContentName {
    /// Element names; the code of the first is ``firstElementCode``.
    package static let elements: [StaticString] = [
        "title", "sub-title", "desc", "credits", "date", "category", "keyword", "language", "orig-language", "length",
        "icon", "url", "country", "episode-num", "video", "audio", "previously-shown", "premiere", "last-chance", "new",
        "subtitles", "rating", "star-rating", "review", "image", "value", "present", "colour", "aspect", "quality",
        "stereo", "director", "actor", "writer", "adapter", "producer", "composer", "editor", "presenter",
        "commentator", "guest", "display-name", "lcn", "season", "episode", "series-desc", "live", "summary",
        "audio-described",
    ]

    /// Attribute names; the code of the first is ``firstAttributeCode``.
    package static let attributes: [StaticString] = [
        "lang", "src", "width", "height", "system", "units", "type", "start", "channel", "role", "guest", "size",
        "orient", "source", "reviewer", "pdc-start", "vps-start", "showview", "videoplus", "clumpidx", "catchup-id",
    ]

    /// Below it stand the marks of ``ContentToken``.
    package static let firstElementCode: UInt8 = 0x10
    /// From here on codes are those of attributes.
    package static let firstAttributeCode: UInt8 = 0x80

    /// The code of an element's name, where it has one.
    package static func elementCode(_ name: String) -> UInt8? { elementCodes[name] }

    /// The code of an attribute's name, where it has one.
    package static func attributeCode(_ name: String) -> UInt8? { attributeCodes[name] }

    /// The place of an element among its siblings in the DTD, where the DTD knows it or feeds often add it.
    ///
    /// The codes are in the order of the DTD, but for two elements that stand before `<icon>` in their parents: the name of
    /// a channel and the value of a rating.
    package static func elementOrder(_ name: String) -> UInt8? {
        switch name {
        case "display-name": 0
        case "value": 1
        default: elementCodes[name]
        }
    }

    /// The place of the element with a code.
    package static func elementOrder(ofCode code: UInt8) -> UInt8 {
        switch code {
        case displayNameCode: 0
        case valueCode: 1
        default: code
        }
    }

    private static let displayNameCode = elementCodes["display-name"]
    private static let valueCode = elementCodes["value"]

    private static let elementCodes = codes(elements, from: firstElementCode)
    private static let attributeCodes = codes(attributes, from: firstAttributeCode)

    private static func codes(_ names: [StaticString], from first: UInt8) -> [String: UInt8] {
        Dictionary(
            uniqueKeysWithValues: names.enumerated().map { ("\($0.element)", first + UInt8($0.offset)) })
    }
}

/// The marks between the names and texts of a stored document.
///
/// A document is a run of tokens, the shape of the XML without its syntax:
///
/// ```
/// end                                  ends the innermost element
/// text           length bytes          a text, UTF-8
/// element        length bytes          begins an element whose name has no code
/// hoisted                              a text that stands in a column of its own
/// attribute      length bytes length bytes     name and value; after the beginning of its element
/// 0x10 … 0x7F                          begins an element, by the code of its name
/// 0x80 … 0xFF    length bytes          an attribute, by the code of its name
/// ```
///
/// Lengths are unsigned LEB128.
package enum ContentToken {
    /// Ends the innermost element.
    package static let end: UInt8 = 0x00
    /// A text that follows.
    package static let text: UInt8 = 0x01
    /// Begins an element whose name follows.
    package static let element: UInt8 = 0x02
    /// A text that stands in a column of its own.
    package static let hoisted: UInt8 = 0x03
    /// An attribute whose name and value follow.
    package static let attribute: UInt8 = 0x04
}
