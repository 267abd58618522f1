package import EPGModel

/// Writes a guide as EPG JSON: each record on a line of its own (Documentation/epg-json.md).
///
/// ```swift
/// var bytes: [UInt8] = []
/// GuideJSONWriter.append(header: [], announcesEnd: true, to: &bytes)
/// GuideJSONWriter.append(station: StationID("one.example"), nodes: nodes, to: &bytes)
/// GuideJSONWriter.append(airing, to: &bytes)
/// GuideJSONWriter.append(endAfterStations: 1, airings: 1, to: &bytes)
/// ```
///
/// What ``GuideJSONReader`` reads of it is what was written, in the canonical order of nodes.
package enum GuideJSONWriter {
    /// Appends the line of a guide: the attributes of `<tv>`. It comes first.
    ///
    /// - Parameter announcesEnd: Whether the line says that one follows which closes the guide; without that one, it is
    ///   read as a guide that was cut off. The default is `false`.
    package static func append(
        header attributes: [ContentAttribute], announcesEnd: Bool = false, to bytes: inout [UInt8]
    ) {
        bytes.append(contentsOf: "{\"type\":\"guide\",\"version\":1".utf8)
        if announcesEnd { bytes.append(contentsOf: ",\"end\":true".utf8) }
        for attribute in attributes { append(attribute, to: &bytes) }
        bytes.append(contentsOf: "}\n".utf8)
    }

    /// Appends the line of a station.
    ///
    /// - Parameter nodes: What `<channel>` would hold; its other attributes as elements `@name`.
    package static func append(station id: StationID, nodes: [ContentNode], to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "{\"type\":\"station\",\"id\":".utf8)
        bytes.append(quoted: id.rawValue)
        var isFirst = false
        append(nodes.canonical, to: &bytes, isFirst: &isFirst, isRecord: true)
        bytes.append(contentsOf: "}\n".utf8)
    }

    /// Appends the line of an airing.
    package static func append(_ airing: AiringRecord, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "{\"type\":\"airing\",\"station\":".utf8)
        bytes.append(quoted: airing.station.rawValue)
        bytes.append(contentsOf: ",\"start\":".utf8)
        bytes.append(quoted: airing.start.iso8601)
        if let stop = airing.stop {
            bytes.append(contentsOf: ",\"stop\":".utf8)
            bytes.append(quoted: stop.iso8601)
        }
        if let clump = airing.clump {
            bytes.append(contentsOf: ",\"clump\":\"\(clump.index)/\(clump.count)\"".utf8)
        }
        if !airing.transmission.isEmpty {
            bytes.append(contentsOf: ",\"transmission\":{".utf8)
            for (index, attribute) in airing.transmission.enumerated() {
                append(attribute, to: &bytes, isFirst: index == 0)
            }
            bytes.append(UInt8(ascii: "}"))
        }
        bytes.append(contentsOf: ",\"programme\":{".utf8)
        var isFirst = true
        append(airing.nodes.canonical, to: &bytes, isFirst: &isFirst, isRecord: true)
        bytes.append(contentsOf: "}}\n".utf8)
    }

    /// Appends the line that closes a guide. It comes last.
    ///
    /// - Parameters:
    ///   - stations: The lines of stations since the header.
    ///   - airings: The lines of airings since the header.
    package static func append(endAfterStations stations: Int, airings: Int, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "{\"type\":\"end\",\"stations\":\(stations),\"airings\":\(airings)}\n".utf8)
    }

    private static func append(_ attribute: ContentAttribute, to bytes: inout [UInt8], isFirst: Bool = false) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        bytes.append(quoted: EPGJSONName.key(of: attribute.name))
        bytes.append(UInt8(ascii: ":"))
        bytes.append(quoted: attribute.value)
    }
}

extension GuideJSONWriter {
    /// Appends nodes as members of an object: the text, and an array for each name of elements.
    ///
    /// - Parameters:
    ///   - nodes: In canonical order, in which elements of one name stand together.
    ///   - isRecord: Whether the object is a station or programme, whose elements `@name` stand for attributes.
    private static func append(
        _ nodes: [ContentNode], to bytes: inout [UInt8], isFirst: inout Bool, isRecord: Bool
    ) {
        var index = 0
        while index < nodes.count {
            guard case .element(let element) = nodes[index] else {
                if case .text(let text) = nodes[index] {
                    appendKey(EPGJSONName.text, to: &bytes, &isFirst)
                    bytes.append(quoted: text)
                }
                index += 1
                continue
            }
            var end = index + 1
            while end < nodes.count, nodes[end].isElement(named: element.name) { end += 1 }
            let attribute = isRecord && end == index + 1 ? element.attributeValue : nil
            appendKey(attribute == nil ? EPGJSONName.key(of: element.name) : element.name, to: &bytes, &isFirst)
            if let attribute {
                bytes.append(quoted: attribute)
            } else {
                bytes.append(UInt8(ascii: "["))
                for place in index..<end {
                    guard case .element(let element) = nodes[place] else { continue }
                    if place > index { bytes.append(UInt8(ascii: ",")) }
                    append(element, to: &bytes)
                }
                bytes.append(UInt8(ascii: "]"))
            }
            index = end
        }
    }

    /// Appends an element as a value: `true`, a string or an object.
    private static func append(_ element: ContentElement, to bytes: inout [UInt8]) {
        if element.attributes.isEmpty {
            if element.children.isEmpty {
                bytes.append(contentsOf: "true".utf8)
                return
            }
            if element.children.count == 1, case .text(let text) = element.children[0] {
                bytes.append(quoted: text)
                return
            }
        }
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for attribute in element.attributes {
            appendKey("@" + attribute.name, to: &bytes, &isFirst)
            bytes.append(quoted: attribute.value)
        }
        if element.needsOrder {
            appendKey(EPGJSONName.content, to: &bytes, &isFirst)
            append(inOrder: element.children, to: &bytes)
        } else {
            append(element.children, to: &bytes, isFirst: &isFirst, isRecord: false)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends texts as strings and elements as objects of one member.
    private static func append(inOrder nodes: [ContentNode], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        for (place, node) in nodes.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            switch node {
            case .text(let text): bytes.append(quoted: text)
            case .element(let element):
                bytes.append(UInt8(ascii: "{"))
                bytes.append(quoted: EPGJSONName.key(of: element.name))
                bytes.append(UInt8(ascii: ":"))
                append(element, to: &bytes)
                bytes.append(UInt8(ascii: "}"))
            }
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private static func appendKey(_ key: String, to bytes: inout [UInt8], _ isFirst: inout Bool) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        bytes.append(quoted: key)
        bytes.append(UInt8(ascii: ":"))
    }
}

extension ContentNode {
    fileprivate func isElement(named name: String) -> Bool {
        if case .element(let element) = self { element.name.utf8.elementsEqual(name.utf8) } else { false }
    }
}

extension ContentElement {
    /// Whether texts and elements are mixed otherwise than a text with the elements of each name behind it.
    fileprivate var needsOrder: Bool {
        guard isMixed else { return false }
        guard case .text? = children.first, elements.count == children.count - 1 else { return true }
        var seen: Set<String> = []
        var last: String?
        for element in elements where element.name != last {
            guard seen.insert(element.name).inserted else { return true }
            last = element.name
        }
        return false
    }

    /// The value of an attribute that is kept as an element `@name`; `nil` for any other element.
    fileprivate var attributeValue: String? {
        guard name.utf8.first == UInt8(ascii: "@"), attributes.isEmpty, children.count == 1,
            case .text(let text) = children[0]
        else { return nil }
        return text
    }
}

extension AiringRecord.Time {
    /// ISO 8601 in UTC, or the text that the guide gave.
    fileprivate var iso8601: String {
        switch self {
        case .text(let text): text
        case .instant(let instant): instant.iso8601
        }
    }
}
