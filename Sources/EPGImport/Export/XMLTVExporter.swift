import EPGJSON
package import EPGModel
import XMLTV

/// A streaming exporter of a stored guide to XMLTV, in constant memory.
///
/// Stations become `<channel>` and airings `<programme>`, with elements in the order of `xmltv.dtd` and times in UTC.
/// Content that the DTD doesn't define is kept as in the feed, unless ``ExportOptions/isStrict`` omits it: then the
/// document is valid for every feed. With ``ExportOptions/Times/shown``, names that only some XML parsers accept are
/// omitted.
package struct XMLTVExporter: GuideVisitor {
    /// The number of skipped airings: their start is outside the years 0 to 9999, which XMLTV can't represent, or they
    /// are members of a clump whose window has fewer seconds than members.
    package var omittedCount: Int { airings.omittedCount + unwritable }

    private let options: ExportOptions
    private let sink: ExportSink
    private var writer = XMLTVWriter()
    private var airings: ExportedAirings
    private var unwritable = 0

    /// - Parameter sink: Receives the bytes in pieces of about 64 KiB.
    package init(_ options: ExportOptions = ExportOptions(), to sink: @escaping ExportSink) {
        self.options = options
        self.sink = sink
        airings = ExportedAirings(options.times)
    }

    package mutating func begin(header: [ContentAttribute]) throws {
        var attributes = options.isStrict ? header.filter { XMLTVRules.guideAttributes.contains($0.name) } : header
        // Keep the header of a single source. A guide of several sources names this program.
        if attributes.isEmpty {
            attributes.append(ContentAttribute(name: "generator-info-name", value: options.generator))
        }
        if options.times == .shown { attributes.removeAll { !$0.name.isPortableName } }
        writer.begin(attributes: attributes.map(XMLTVElement.Attribute.init))
    }

    package mutating func station(_ row: StationRow, nodes: [ContentNode]) throws {
        var element = ContentElement(name: "channel", attributes: [.init(name: "id", value: row.station.id.rawValue)])
        for node in airings.content(nodes) {
            // Attributes of the `<channel>` tag are stored as elements of that name.
            if case .element(let child) = node, child.name.utf8.first == UInt8(ascii: "@") {
                element.attributes.append(.init(name: String(child.name.dropFirst()), value: child.text))
            } else {
                element.children.append(node)
            }
        }
        if options.isStrict { element = XMLTVRules.conforming(station: element) }
        if options.addsRequired, element.elements(named: "display-name").isEmpty {
            let name = ContentElement(name: "display-name", children: [.text(row.station.id.rawValue)])
            element.children.insert(.element(name), at: 0)
        }
        try write(element)
    }

    package mutating func airing(_ airing: ExportedAiring) throws {
        for airing in airings.append(airing) { try write(airing) }
    }

    private mutating func write(_ airing: ExportedAiring) throws {
        let times = airing.times(options.times)
        guard let start = XMLTVTime.format(secondsSince1970: times.start.secondsSince1970) else {
            unwritable += 1
            return
        }
        var element = ContentElement(name: "programme", attributes: [.init(name: "start", value: start)])
        element.attributes.reserveCapacity(airing.transmission.count + 4)
        if let stop = times.stop.flatMap({ XMLTVTime.format(secondsSince1970: $0.secondsSince1970) }) {
            // A strict guide omits a stop before the start.
            if !options.isStrict || times.stop.map({ $0 >= times.start }) ?? true {
                element.attributes.append(.init(name: "stop", value: stop))
            }
        }
        element.attributes.append(.init(name: "channel", value: airing.station.rawValue))
        if let clump = airing.clump {
            element.attributes.append(.init(name: "clumpidx", value: "\(clump.index)/\(clump.count)"))
        }
        element.attributes += airing.transmission
        element.children = airings.content(try airing.programme.nodes())
        if options.isStrict { element = XMLTVRules.conforming(programme: element) }
        if options.addsRequired, !element.children.contains(where: { $0.isElement(called: "title") }) {
            element.children.insert(.element(ContentElement(name: "title")), at: 0)
        }
        try write(element)
    }

    package mutating func end() throws {
        for airing in airings.finish() { try write(airing) }
        writer.end()
        try sink(writer.takeBytes())
    }

    private mutating func write(_ element: ContentElement) throws {
        var element = element
        if options.times == .shown, !element.hasPortableNames { element.keepPortableNames() }
        writer.write(XMLTVElement(element))
        if writer.count > 64 << 10 { try sink(writer.takeBytes()) }
    }
}

extension ContentElement {
    /// Whether the names of all attributes and child elements are portable.
    fileprivate var hasPortableNames: Bool {
        attributes.allSatisfy(\.name.isPortableName)
            && children.allSatisfy { node in
                guard case .element(let element) = node else { return true }
                return element.name.isPortableName && element.hasPortableNames
            }
    }

    /// Removes child elements and attributes whose names are not portable.
    fileprivate mutating func keepPortableNames() {
        attributes.removeAll { !$0.name.isPortableName }
        children = children.compactMap { node in
            guard case .element(var element) = node else { return node }
            guard element.name.isPortableName else { return nil }
            element.keepPortableNames()
            return .element(element)
        }
    }
}

extension String {
    /// Whether every XML parser accepts the string as a name: ASCII, and no prefix except `xml`.
    ///
    /// Parsers of the fourth edition of XML, such as libexpat, reject many letters of the fifth, and namespace-aware
    /// parsers reject undeclared prefixes. Both come from damaged guides, and players use none of these names.
    fileprivate var isPortableName: Bool {
        guard utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        let colons = utf8.count { $0 == UInt8(ascii: ":") }
        return colons == 0 || colons == 1 && hasPrefix("xml:")
    }
}

extension ContentNode {
    /// Returns whether the node is an element with a name.
    func isElement(called name: String) -> Bool {
        if case .element(let element) = self { element.name == name } else { false }
    }
}

extension XMLTVElement {
    /// Converts the element for the writer.
    fileprivate init(_ element: ContentElement) {
        self.init(
            element.name, attributes: element.attributes.map(Attribute.init),
            children: element.children.map { node in
                switch node {
                case .text(let text): .text(text)
                case .element(let child): .element(XMLTVElement(child))
                }
            })
    }
}

extension XMLTVElement.Attribute {
    /// Converts the attribute for the writer.
    fileprivate init(_ attribute: ContentAttribute) {
        self.init(attribute.name, attribute.value)
    }
}
