import EPGModel

/// Why an element isn't valid by `xmltv.dtd`.
enum RuleFault: Hashable, Sendable, CustomStringConvertible {
    case unknownElement(String, parent: String)
    case unknownAttribute(String, element: String)
    case missingElement(String, parent: String)
    case missingAttribute(String, element: String)
    case wrongValue(String, attribute: String, allowed: [String])
    /// It stands behind an element that has to follow it.
    case outOfOrder(String, behind: String)
    case repeated(String)
    case text(parent: String)

    var description: String {
        switch self {
        case .unknownElement(let name, let parent): "<\(name)> has no place in <\(parent)>"
        case .unknownAttribute(let name, let element): "<\(element)> has no attribute \(name)"
        case .missingElement(let name, let parent): "<\(parent)> needs a <\(name)>"
        case .missingAttribute(let name, let element): "<\(element)> needs the attribute \(name)"
        case .wrongValue(let value, let attribute, let allowed):
            "\(attribute) is “\(value.prefix(40))”, not \(allowed.joined(separator: ", "))"
        case .outOfOrder(let name, let other): "<\(name)> stands behind <\(other)>"
        case .repeated(let name): "<\(name)> stands more than once"
        case .text(let parent): "a text has no place in <\(parent)>"
        }
    }
}

extension XMLTVRules {
    /// What of a `<channel>` or `<programme>` isn't valid, each kind of fault once.
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
    /// Adds what isn't valid in an element.
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
        case .empty, .text: findStrangers(in: element, [:], allowsText: content.isText, &faults)
        case .mixed(let allowed): findStrangers(in: element, allowed, allowsText: true, &faults)
        case .children(let allowed):
            findStrangers(in: element, allowed, allowsText: false, &faults)
            findOrder(in: element, allowed, &faults)
        }
    }

    /// Adds children that have no place in the element, and what isn't valid in those that have.
    private func findStrangers(
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

    /// Adds children that stand in the wrong order or too often, and those that are missing.
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
