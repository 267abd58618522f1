import EPGModel
import XMLTV

/// The rules of `xmltv.dtd`, and the part of a record that is valid under them.
enum XMLTVRules {
    /// The attributes of `<tv>`.
    static let guideAttributes = Set(DTDOrder.header.names)

    /// Returns the valid part of a `<channel>`. It may lack a name.
    static func conforming(station: ContentElement) -> ContentElement {
        stationRule.conforming(station) ?? station
    }

    /// Returns the valid part of a `<programme>`. It may lack a title.
    ///
    /// Removes an empty description, which validators flag (Rules.md, `emptydescription`).
    static func conforming(programme: ContentElement) -> ContentElement {
        var element = programmeRule.conforming(programme) ?? programme
        element.children.removeAll { $0.isElement(called: "desc") && $0.isWithoutChildren }
        return element
    }

    // MARK: - The DTD

    private static let localized = Rule(.text, "lang")
    private static let url = Rule(.text, "system")
    private static let icon = Rule(
        .empty, [.init(name: "src", isRequired: true), .init(name: "width"), .init(name: "height")])
    private static let image = Rule(
        .text,
        [
            .init(name: "type", values: ["poster", "backdrop", "still", "person", "character"]),
            .init(name: "size", values: ["1", "2", "3"]), .init(name: "orient", values: ["P", "L"]),
            .init(name: "system"),
        ])
    private static let rating = Rule(sequence(("value", .required, Rule(.text)), ("icon", .any, icon)), "system")

    private static let stationRule = Rule(
        sequence(("display-name", .any, localized), ("icon", .any, icon), ("url", .any, url)), "id")

    private static let programmeRule = Rule(
        sequence(
            ("title", .any, localized), ("sub-title", .any, localized), ("desc", .any, localized),
            ("credits", .optional, credits), ("date", .optional, Rule(.text)), ("category", .any, localized),
            ("keyword", .any, localized), ("language", .optional, localized),
            ("orig-language", .optional, localized),
            (
                "length", .optional,
                Rule(.text, [.init(name: "units", isRequired: true, values: ["seconds", "minutes", "hours"])])
            ),
            ("icon", .any, icon), ("url", .any, url), ("country", .any, localized),
            ("episode-num", .any, Rule(.text, "system")),
            ("video", .optional, Rule(children(.video, .optional))),
            ("audio", .optional, Rule(children(.audio, .optional))),
            ("previously-shown", .optional, Rule(.empty, "start", "channel")), ("premiere", .optional, localized),
            ("last-chance", .optional, localized), ("new", .optional, Rule(.empty)),
            (
                "subtitles", .any,
                Rule(
                    sequence(("language", .optional, localized)),
                    [.init(name: "type", values: ["teletext", "onscreen", "deaf-signed"])])
            ),
            ("rating", .any, rating), ("star-rating", .any, rating),
            (
                "review", .any,
                Rule(
                    .text,
                    [
                        .init(name: "type", isRequired: true, values: ["text", "url"]), .init(name: "source"),
                        .init(name: "reviewer"), .init(name: "lang"),
                    ])
            ),
            ("image", .any, image)),
        DTDOrder.programmeAttributes.names.map { Rule.Attribute(name: $0) })

    private static let credits: Rule = {
        let links: [String: Rule.Child] = [
            "image": .init(place: 0, occurrence: .any, rule: image),
            "url": .init(place: 1, occurrence: .any, rule: url),
        ]
        let person = Rule(.mixed(links))
        let actor = Rule(.mixed(links), [.init(name: "role"), .init(name: "guest", values: ["no", "yes"])])
        return Rule(children(.credits, .any) { $0 == "actor" ? actor : person })
    }()

    /// Returns a content model of elements in the given order.
    private static func sequence(_ children: (name: String, occurrence: Rule.Occurrence, rule: Rule)...) -> Rule.Content
    {
        .children(
            Dictionary(
                uniqueKeysWithValues: children.enumerated().map { place, child in
                    (child.name, Rule.Child(place: place, occurrence: child.occurrence, rule: child.rule))
                }))
    }

    /// Returns a content model of elements with the same occurrence. By default, they contain text.
    private static func children(
        _ order: DTDOrder, _ occurrence: Rule.Occurrence, _ rule: (String) -> Rule = { _ in Rule(.text) }
    ) -> Rule.Content {
        .children(
            Dictionary(
                uniqueKeysWithValues: order.names.enumerated().map { place, name in
                    (name, Rule.Child(place: place, occurrence: occurrence, rule: rule(name)))
                }))
    }
}

extension ContentNode {
    /// Whether the node is an element without children.
    fileprivate var isWithoutChildren: Bool {
        if case .element(let element) = self { element.children.isEmpty } else { false }
    }
}

extension XMLTVRules {
    /// The content model of an element in the DTD.
    struct Rule: Sendable {
        enum Content: Sendable {
            /// No content.
            case empty
            /// `(#PCDATA)`.
            case text
            /// Elements in the order of their positions.
            case children([String: Child])
            /// Text and elements in any order.
            case mixed([String: Child])
        }

        /// An allowed child element.
        struct Child: Sendable {
            /// Its position among its siblings, from 0.
            var place: Int
            var occurrence: Occurrence
            var rule: Rule
        }

        enum Occurrence: Sendable {
            case any
            case optional
            case required
        }

        /// An allowed attribute.
        struct Attribute: Sendable {
            var name: String
            var isRequired = false
            /// The allowed values; empty for any.
            var values: [String] = []
        }

        let content: Content
        let attributes: [Attribute]
        /// The positions of the required children.
        private let required: [Int]

        init(_ content: Content, _ attributes: [Attribute] = []) {
            self.content = content
            self.attributes = attributes
            guard case .children(let children) = content else {
                required = []
                return
            }
            required = children.values.filter { $0.occurrence == .required }.map(\.place)
        }

        init(_ content: Content, _ names: String...) {
            self.init(content, names.map { Attribute(name: $0) })
        }

        /// Returns the valid part of an element, or `nil` if a required part is missing.
        ///
        /// - Complexity: O(nodes), and O(n log n) for children that aren't in order.
        func conforming(_ element: ContentElement) -> ContentElement? {
            guard let attributes = conforming(element.attributes), let children = conforming(element.children) else {
                return nil
            }
            return ContentElement(name: element.name, attributes: attributes, children: children)
        }

        /// Returns the first occurrence of each allowed attribute, or `nil` if a required one is missing.
        private func conforming(_ given: [ContentAttribute]) -> [ContentAttribute]? {
            var kept: [ContentAttribute] = []
            for attribute in given {
                guard let rule = attributes.first(where: { $0.name == attribute.name }),
                    rule.values.isEmpty || rule.values.contains(attribute.value),
                    !kept.contains(where: { $0.name == attribute.name })
                else { continue }
                kept.append(attribute)
            }
            let isComplete = attributes.allSatisfy { rule in
                !rule.isRequired || kept.contains { $0.name == rule.name }
            }
            return isComplete ? kept : nil
        }

        private func conforming(_ nodes: [ContentNode]) -> [ContentNode]? {
            switch content {
            case .empty: return []
            case .text:
                guard !nodes.allSatisfy(\.isText) else { return nodes }
                let text = ContentElement(name: "", children: nodes).textContent
                return text.isEmpty ? [] : [.text(text)]
            case .mixed(let allowed):
                return nodes.compactMap { node in
                    guard case .element(let element) = node else { return node }
                    return allowed[element.name]?.rule.conforming(element).map { .element($0) }
                }
            case .children(let allowed):
                var kept: [(place: Int, node: ContentNode)] = []
                var isInOrder = true
                for case .element(let element) in nodes {
                    guard let child = allowed[element.name], let valid = child.rule.conforming(element) else {
                        continue
                    }
                    if child.occurrence != .any, kept.contains(where: { $0.place == child.place }) { continue }
                    isInOrder = isInOrder && kept.last.map { $0.place <= child.place } ?? true
                    kept.append((child.place, .element(valid)))
                }
                guard required.allSatisfy({ place in kept.contains { $0.place == place } }) else { return nil }
                guard !isInOrder else { return kept.map(\.node) }
                let order = kept.indices.sorted { (kept[$0].place, $0) < (kept[$1].place, $1) }
                return order.map { kept[$0].node }
            }
        }
    }
}

extension ContentNode {
    /// Whether the node is text.
    fileprivate var isText: Bool {
        if case .text = self { true } else { false }
    }
}

/// The reason why an element isn't valid under `xmltv.dtd`.
enum RuleFault: Hashable, Sendable, CustomStringConvertible {
    case unknownElement(String, parent: String)
    case unknownAttribute(String, element: String)
    case missingElement(String, parent: String)
    case missingAttribute(String, element: String)
    case wrongValue(String, attribute: String, allowed: [String])
    /// An element after one that must follow it.
    case outOfOrder(String, behind: String)
    case repeated(String)
    case text(parent: String)

    var description: String {
        switch self {
        case .unknownElement(let name, let parent): "<\(name)> is not allowed in <\(parent)>"
        case .unknownAttribute(let name, let element): "<\(element)> has no attribute \(name)"
        case .missingElement(let name, let parent): "<\(parent)> requires a <\(name)>"
        case .missingAttribute(let name, let element): "<\(element)> requires the attribute \(name)"
        case .wrongValue(let value, let attribute, let allowed):
            "\(attribute) is “\(value.prefix(40))”, not \(allowed.joined(separator: ", "))"
        case .outOfOrder(let name, let other): "<\(name)> must precede <\(other)>"
        case .repeated(let name): "<\(name)> occurs more than once"
        case .text(let parent): "text is not allowed in <\(parent)>"
        }
    }
}

extension XMLTVRules {
    /// Returns the faults of a `<channel>` or `<programme>`, each kind once.
    static func faults(of element: ContentElement) -> Set<RuleFault> {
        var faults: Set<RuleFault> = []
        switch element.name {
        case "channel":
            stationRule.find(in: element, &faults)
            if element.elements(named: "display-name").isEmpty {
                faults.insert(.missingElement("display-name", parent: "channel"))
            }
        case "programme":
            programmeRule.find(in: element, &faults)
            for name in ["start", "channel"] where element[attribute: name] == nil {
                faults.insert(.missingAttribute(name, element: "programme"))
            }
            if element.elements(named: "title").isEmpty {
                faults.insert(.missingElement("title", parent: "programme"))
            }
        default:
            faults.insert(.unknownElement(element.name, parent: "tv"))
        }
        return faults
    }
}

extension XMLTVRules.Rule {
    /// Adds the faults of an element.
    func find(in element: ContentElement, _ faults: inout Set<RuleFault>) {
        for attribute in element.attributes {
            guard let rule = attributes.first(where: { $0.name == attribute.name }) else {
                faults.insert(.unknownAttribute(attribute.name, element: element.name))
                continue
            }
            guard rule.values.isEmpty || rule.values.contains(attribute.value) else {
                faults.insert(.wrongValue(attribute.value, attribute: attribute.name, allowed: rule.values))
                continue
            }
        }
        for rule in attributes where rule.isRequired && element[attribute: rule.name] == nil {
            faults.insert(.missingAttribute(rule.name, element: element.name))
        }
        switch content {
        case .empty, .text: findChildren(in: element, [:], allowsText: content.isText, &faults)
        case .mixed(let allowed): findChildren(in: element, allowed, allowsText: true, &faults)
        case .children(let allowed):
            findChildren(in: element, allowed, allowsText: false, &faults)
            findOrder(in: element, allowed, &faults)
        }
    }

    /// Adds children that aren't allowed in the element, and faults of those that are.
    private func findChildren(
        in element: ContentElement, _ allowed: [String: Child], allowsText: Bool, _ faults: inout Set<RuleFault>
    ) {
        for node in element.children {
            switch node {
            case .text: if !allowsText { faults.insert(.text(parent: element.name)) }
            case .element(let child):
                if let rule = allowed[child.name]?.rule {
                    rule.find(in: child, &faults)
                } else {
                    faults.insert(.unknownElement(child.name, parent: element.name))
                }
            }
        }
    }

    /// Adds children in the wrong order or repeated too often, and missing ones.
    private func findOrder(in element: ContentElement, _ allowed: [String: Child], _ faults: inout Set<RuleFault>) {
        var last: (place: Int, name: String)?
        var seen: Set<String> = []
        for child in element.elements {
            guard let rule = allowed[child.name] else { continue }
            if let last, rule.place < last.place { faults.insert(.outOfOrder(child.name, behind: last.name)) }
            last = (rule.place, child.name)
            if !seen.insert(child.name).inserted, rule.occurrence != .any { faults.insert(.repeated(child.name)) }
        }
        for (name, child) in allowed where child.occurrence == .required && !seen.contains(name) {
            faults.insert(.missingElement(name, parent: element.name))
        }
    }
}

extension XMLTVRules.Rule.Content {
    fileprivate var isText: Bool {
        if case .text = self { true } else { false }
    }
}
