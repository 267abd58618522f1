import EPGModel

/// How a record comes into the stored order, and how one is encoded that isn't XML.
extension RecordEncoder {
    /// Moves the elements of the first two levels in the bytes that were encoded.
    mutating func sort() {
        var newCategory = category
        let sorted = ContentSorting(document).sorted { old, new in
            if let category, old.contains(category.lowerBound) {
                let start = category.lowerBound - old.lowerBound + new
                newCategory = start..<start + category.count
            }
        }
        document = sorted
        category = newCategory
        var ordered: [UInt8] = []
        ordered.reserveCapacity(texts.count)
        title = move(title, to: &ordered)
        subtitle = move(subtitle, to: &ordered)
        description = move(description, to: &ordered)
        texts = ordered
    }

    /// Encodes the record once more, from a tree in the stored order.
    mutating func encodeAnew() {
        func text(_ range: Range<Int>?) -> String? { range.map { String(decoding: texts[$0], as: UTF8.self) } }
        var hoisted: [String: String] = [:]
        hoisted["title"] = text(title)
        hoisted["sub-title"] = text(subtitle)
        hoisted["desc"] = text(description)
        var decoder = ContentDecoder(document, hoisted: hoisted)
        // What was just encoded can be decoded; were it not so, the order of the feed would stand.
        guard case .success(let nodes) = Result(catching: { try decoder.nodes() }) else { return }
        let kept = findings
        encode(nodes)
        findings.formUnion(kept)
    }

    /// Encodes the children of a record that are given as nodes, in any order.
    ///
    /// Texts are normalised as those of XML are.
    mutating func encode(_ nodes: [ContentNode]) {
        begin()
        var content = ContentEncoder()
        for node in nodes.canonical {
            switch node {
            case .text(let text):
                let text = TextNormaliser.normalised(text, isDescription: false)
                if !text.isEmpty { content.text(text) }
            case .element(let element):
                // A title without anything says nothing.
                let isEmpty = element.children.isEmpty && element.attributes.isEmpty
                if element.name == "title", isEmpty { continue }
                encode(child: element, to: &content)
            }
        }
        document = content.bytes
        if title == nil { findings.insert(.emptyTitle) }
    }

    /// Encodes a child of the record; the first text of some goes to a column.
    private mutating func encode(child element: ContentElement, to content: inout ContentEncoder) {
        guard !element.isMarkedUpText else { return encode(markedUp: element, to: &content) }
        let isDescription = element.name == "desc"
        content.begin(element: element.name)
        for attribute in element.attributes { content.attribute(attribute.name, attribute.value) }
        let isWhole = element.children.count == 1
        for node in element.children {
            guard case .text(let raw) = node else {
                content.normalisedNode(node)
                continue
            }
            let text = TextNormaliser.normalised(raw, isDescription: isDescription)
            guard !text.isEmpty else { continue }
            if isWhole, hoist(text, of: element.name) {
                content.hoistedText()
            } else {
                content.text(text)
                if element.name == "category", category == nil, categoryContent == nil {
                    category = content.bytes.count - text.utf8.count..<content.bytes.count
                }
            }
        }
        content.end()
        check(element)
    }

    /// Encodes a text with child elements: all of it goes to the document, and its text content to a free column.
    private mutating func encode(markedUp element: ContentElement, to content: inout ContentEncoder) {
        let element = element.normalisedMarkup
        content.node(.element(element))
        let text = element.textContent
        guard !text.isEmpty else { return }
        if element.name == "category", category == nil, categoryContent == nil {
            categoryContent = texts.count..<texts.count + text.utf8.count
            texts.append(contentsOf: text.utf8)
        } else {
            _ = hoist(text, of: element.name)
        }
    }

    /// Moves a text to a column, if its element has one that is free.
    private mutating func hoist(_ text: String, of name: String) -> Bool {
        let range = texts.count..<texts.count + text.utf8.count
        switch name {
        case "title" where title == nil: title = range
        case "sub-title" where subtitle == nil: subtitle = range
        case "desc" where description == nil: description = range
        default: return false
        }
        texts.append(contentsOf: text.utf8)
        return true
    }

    private mutating func check(_ element: ContentElement) {
        switch element.name {
        case "title" where element.children.isEmpty: findings.insert(.emptyTitle)
        case "desc" where element.children.isEmpty: findings.insert(.emptyDescription)
        case "episode-num" where element[attribute: "system"] == "xmltv_ns":
            checkEpisode(Array(element.text.utf8).span)
        default: break
        }
    }

    private func move(_ range: Range<Int>?, to ordered: inout [UInt8]) -> Range<Int>? {
        guard let range else { return nil }
        ordered.append(contentsOf: texts[range])
        return ordered.count - range.count..<ordered.count
    }
}

extension ContentEncoder {
    /// A tree, its texts normalised; those that say nothing are left out.
    fileprivate mutating func normalisedNode(_ node: ContentNode) {
        switch node {
        case .text(let raw):
            let text = TextNormaliser.normalised(raw, isDescription: false)
            if !text.isEmpty { self.text(text) }
        case .element(let element):
            begin(element: element.name)
            for attribute in element.attributes { self.attribute(attribute.name, attribute.value) }
            for child in element.children { normalisedNode(child) }
            end()
        }
    }
}

extension TextNormaliser {
    /// The text as it is stored.
    static func normalised(_ text: String, isDescription: Bool) -> String {
        var bytes: [UInt8] = []
        append(Array(text.utf8), isDescription: isDescription, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
