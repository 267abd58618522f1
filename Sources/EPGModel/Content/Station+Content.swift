extension Station {
    /// The station that a feed's element describes: names, icons, addresses, number, and whatever lies beyond the DTD.
    public init(id: StationID, nodes: [ContentNode]) {
        self.init(id: id)
        for node in nodes {
            guard case .element(let element) = node, take(element) else {
                extras.append(node)
                continue
            }
        }
        displayNames += markedUpNames
    }

    /// The names among ``extras``, whose text has child elements: they follow the plain ones in ``displayNames``.
    private var markedUpNames: [LocalizedText] {
        extras.compactMap { node in
            guard case .element(let element) = node, element.name == "display-name", element.isMarkedUpText,
                let plain = element.withoutMarkup
            else { return nil }
            return LocalizedText(plain.text, language: element[attribute: "lang"])
        }
    }

    /// What a store keeps of the station: its properties as nodes, in the order of the DTD.
    public var nodes: [ContentNode] {
        let markedUp = markedUpNames
        let plainNames =
            displayNames.suffix(markedUp.count) == markedUp[...]
            ? displayNames.dropLast(markedUp.count) : displayNames[...]
        var nodes = plainNames.map { name in
            ContentNode.element(
                ContentElement(
                    name: "display-name", attributes: [ContentAttribute].of(("lang", name.language)),
                    children: [.text(name.text)]))
        }
        nodes += icons.map { icon in
            .element(
                ContentElement(
                    name: "icon",
                    attributes: .of(("src", icon.source), ("width", icon.width), ("height", icon.height))))
        }
        nodes += urls.map { url in
            .element(
                ContentElement(
                    name: "url", attributes: .of(("system", url.system)), children: [.text(url.address)]))
        }
        if let number, numberAmongExtras != number {
            nodes.append(.element(ContentElement(name: "lcn", children: [.text(number.description)])))
        }
        return nodes + extras
    }

    /// The number that reading ``extras`` alone would give.
    private var numberAmongExtras: ChannelNumber? {
        for case .element(let element) in extras where element.name == "lcn" {
            guard let read = ChannelNumber(element.text) else { continue }
            return element == ContentElement(name: "lcn", children: [.text(read.description)]) ? nil : read
        }
        return nil
    }

    private mutating func take(_ element: ContentElement) -> Bool {
        switch element.name {
        case "display-name":
            let known = element.attributes.allSatisfy { $0.name == "lang" } && element.elements.isEmpty
            guard known else { return false }
            displayNames.append(LocalizedText(element.text, language: element[attribute: "lang"]))
            return true
        case "icon":
            guard let icon = element.icon else { return false }
            icons.append(icon)
            return true
        case "url":
            guard let url = element.webLink else { return false }
            urls.append(url)
            return true
        case "lcn":
            guard number == nil, let read = ChannelNumber(element.text) else { return false }
            number = read
            // A text that the number doesn't give back, such as `007`, stays among the extras.
            return element == ContentElement(name: "lcn", children: [.text(read.description)])
        default:
            return false
        }
    }
}

extension [ContentAttribute] {
    /// The attributes that have a value.
    fileprivate static func of(_ pairs: (name: String, value: String?)...) -> [ContentAttribute] {
        pairs.compactMap { pair in pair.value.map { ContentAttribute(name: pair.name, value: $0) } }
    }
}
