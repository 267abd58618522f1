import EPGModel
import XMLTV

/// The codes and the places of the names that the reader knows, by the number of the name.
struct ContentNames {
    /// The codes in stored documents; 0 where a name has none.
    let elements: [UInt8]
    let attributes: [UInt8]
    /// The places among siblings in the stored order; ``unknown`` where a name has none.
    let elementRanks: [UInt8]

    /// The place of names that nobody knows: behind all others.
    static let unknown: UInt8 = 0xFE

    init() {
        elements = XMLTVName.allCases.map { ContentName.elementCode("\($0.text)") ?? 0 }
        attributes = XMLTVName.allCases.map { ContentName.attributeCode("\($0.text)") ?? 0 }
        elementRanks = XMLTVName.allCases.map { ContentName.elementOrder("\($0.text)") ?? Self.unknown }
    }
}
