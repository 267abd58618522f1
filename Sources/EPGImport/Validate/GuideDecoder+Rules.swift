import EPGModel
import XMLTV

/// What a validator looks at and an import doesn't care for.
extension GuideDecoder {
    /// Reports what of a record isn't valid by `xmltv.dtd`.
    mutating func checkRules(_ element: XMLTVElement, _ line: Int) {
        guard case .element(let content) = element.contentNode else { return }
        let id = element[attribute: element.name == "channel" ? "id" : "channel"]
        for fault in XMLTVRules.faults(of: content).map(\.description).sorted() {
            diagnostics.add(
                Diagnostic(
                    severity: .warning, keyword: .notvalid, action: .kept, line: line,
                    station: id.map { StationID($0) }, quote: fault))
        }
        if element.name == "channel", let id, !id.isEmpty, !Self.isDomain(id) {
            diagnostics.add(
                Diagnostic(
                    severity: .warning, keyword: .invalidid, action: .kept, line: line, station: StationID(id)))
        }
    }

    /// Whether an identifier is of the form that the DTD asks for: names of letters, digits and hyphens with points
    /// between them, such as `channel4.com` (`/^[-a-zA-Z0-9]+(\.[-a-zA-Z0-9]+)+$/`).
    private static func isDomain(_ id: String) -> Bool {
        let names = id.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return names.count >= 2
            && names.allSatisfy { name in
                !name.isEmpty
                    && name.allSatisfy { byte in
                        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D
                    }
            }
    }
}
