/// Appends the tokens of a stored document to a byte buffer; see ``ContentToken`` for the format.
package struct ContentEncoder {
    /// What has been written.
    package var bytes: [UInt8] = []

    /// A document without tokens.
    package init() {}

    /// Begins an element, by the code of its name if that has one.
    package mutating func begin(element name: String) {
        if let code = ContentName.elementCode(name) {
            bytes.append(code)
        } else {
            bytes.append(ContentToken.element)
            append(name)
        }
    }

    /// Ends the element that was begun last.
    package mutating func end() {
        bytes.append(ContentToken.end)
    }

    /// Marks the place of a text that is kept in a column.
    package mutating func hoistedText() {
        bytes.append(ContentToken.hoisted)
    }

    /// A text that is written out, UTF-8.
    package mutating func text(_ text: String) {
        bytes.append(ContentToken.text)
        append(text)
    }

    /// An attribute of the element that was begun last, before anything that stands in it.
    package mutating func attribute(_ name: String, _ value: String) {
        if let code = ContentName.attributeCode(name) {
            bytes.append(code)
        } else {
            bytes.append(ContentToken.attribute)
            append(name)
        }
        append(value)
    }

    /// A tree, in document order.
    package mutating func node(_ node: ContentNode) {
        switch node {
        case .text(let value):
            text(value)
        case .element(let element):
            begin(element: element.name)
            for attribute in element.attributes { self.attribute(attribute.name, attribute.value) }
            for child in element.children { self.node(child) }
            end()
        }
    }

    private mutating func append(_ string: String) {
        bytes.appendLength(string.utf8.count)
        bytes.append(contentsOf: string.utf8)
    }
}

extension [UInt8] {
    /// Appends a length as stored documents write it: unsigned LEB128.
    package mutating func appendLength(_ value: Int) {
        var rest = UInt(value)
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}
