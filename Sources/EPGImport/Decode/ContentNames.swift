import EPGModel
import XMLTV

/// The codes of stored documents for the names that the reader knows; 0 where a name has none.
struct ContentNames {
    let elements: [UInt8]
    let attributes: [UInt8]

    init() {
        elements = XMLTVName.allCases.map { ContentName.elementCode("\($0.text)") ?? 0 }
        attributes = XMLTVName.allCases.map { ContentName.attributeCode("\($0.text)") ?? 0 }
    }
}
