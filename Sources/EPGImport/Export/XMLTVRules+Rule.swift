import EPGModel

extension XMLTVRules {
    /// What the DTD allows in one element.
    struct Rule: Sendable {
        enum Content: Sendable {
            /// Nothing at all.
            case empty
            /// `(#PCDATA)`.
            case text
            /// Elements in the order of the places.
            case children([String: Child])
            /// Text and elements, in any order.
            case mixed([String: Child])
        }

        /// An element that is allowed.
        struct Child: Sendable {
            /// Its place among its siblings, from 0.
            var place: Int
            var occurrence: Occurrence
            var rule: Rule
        }

        enum Occurrence: Sendable {
            case any
            case optional
            case required
        }

        /// An attribute that is allowed.
        struct Attribute: Sendable {
            var name: String
            var isRequired = false
            /// The values that it may have; empty for any.
            var values: [String] = []
        }

        let content: Content
        let attributes: [Attribute]
        /// The places of the children that have to be there.
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

        /// The valid part of an element; `nil` where something is missing that has to be there.
        ///
        /// - Complexity: O(nodes), and O(n log n) for children that aren't in order.
        func conforming(_ element: ContentElement) -> ContentElement? {
            guard let attributes = conforming(element.attributes), let children = conforming(element.children) else {
                return nil
            }
            return ContentElement(name: element.name, attributes: attributes, children: children)
        }

        /// The first of each attribute that is allowed.
        private func conforming(_ given: [ContentAttribute]) -> [ContentAttribute]? {
            var kept: [ContentAttribute] = []
            for attribute in given {
                guard let rule = attributes.first(where: { $0.name == attribute.name }),
                    rule.values.isEmpty || rule.values.contains(attribute.value),
                    !kept.contains(where: { $0.name == attribute.name })
                else { continue }
                kept.append(attribute)
            }
            let isWhole = attributes.allSatisfy { rule in
                !rule.isRequired || kept.contains { $0.name == rule.name }
            }
            return isWhole ? kept : nil
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
    /// Whether it is a text.
    fileprivate var isText: Bool {
        if case .text = self { true } else { false }
    }
}
