import XMLTV

/// Brings records into the form that the XMLTV project's programs write.
///
/// Texts lose the white space around them, attributes and children stand in the order of the DTD, and what begins with
/// `x-` is private to whoever wrote it and goes. Unlike those programs it keeps elements and attributes that the DTD
/// doesn't have: they come last.
enum RecordTidying {
    /// Whether a name is private: the DTD leaves names that begin with `x-` to anybody.
    static func isPrivate(_ name: String) -> Bool { name.utf8.starts(with: "x-".utf8) }

    /// The attributes of `<tv>`.
    static func header(_ attributes: [XMLTVElement.Attribute]) -> [XMLTVElement.Attribute] {
        DTDOrder.header.sorted(tidied(attributes))
    }

    /// A channel; `nil` where it has no identifier.
    static func channel(_ element: XMLTVElement, _ warn: (FilterWarning) -> Void) -> XMLTVElement? {
        var channel = element
        channel.attributes = DTDOrder.channelAttributes.sorted(tidied(element.attributes))
        guard channel[attribute: "id"] != nil else {
            warn(.missingAttribute(record: "channel", attribute: "id"))
            return nil
        }
        channel.children = children(of: element, in: DTDOrder.channel)
        return channel
    }

    /// A programme; `nil` where it says no start or no channel.
    static func programme(_ element: XMLTVElement, _ warn: (FilterWarning) -> Void) -> XMLTVElement? {
        var programme = element
        programme.attributes = DTDOrder.programmeAttributes.sorted(tidied(element.attributes))
        for needed in ["start", "channel"] where programme[attribute: needed] == nil {
            warn(.missingAttribute(record: "programme", attribute: needed))
            return nil
        }
        programme.children = children(of: element, in: DTDOrder.programme)
        return programme
    }

    /// Attributes that aren't private, without white space around their values.
    static func tidied(_ attributes: [XMLTVElement.Attribute]) -> [XMLTVElement.Attribute] {
        if attributes.isEmpty { return attributes }
        return attributes.compactMap { attribute in
            isPrivate(attribute.name) ? nil : .init(attribute.name, attribute.value.tidied(keepsLines: true))
        }
    }

    /// Children that aren't private, tidied, in the order of the DTD.
    private static func children(of element: XMLTVElement, in order: DTDOrder) -> [XMLTVElement.Child] {
        var children: [XMLTVElement] = []
        for case .element(let child) in element.children where !isPrivate(child.name) {
            if let tidy = child.tidiedPart { children.append(tidy) }
        }
        return order.sorted(children).map { .element($0) }
    }
}

extension XMLTVElement {
    /// The element without `credits`, `video` and `audio` that hold nothing.
    var withoutEmptyParts: XMLTVElement {
        var copy = self
        copy.children.removeAll { child in
            guard case .element(let part) = child, part.children.isEmpty else { return false }
            return part.name == "credits" || part.name == "video" || part.name == "audio"
        }
        return copy
    }
}
