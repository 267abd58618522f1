/// A stored document that can't be read: the database was damaged or written by something else.
public struct ContentDamage: Error, Hashable, Sendable {
    /// The offset of the first byte that makes no sense.
    public let offset: Int
}

/// Reads the tree back from the bytes that ``ContentEncoder`` wrote.
package struct ContentDecoder {
    private let bytes: [UInt8]
    private var offset = 0
    /// The texts that stand in columns, by the name of their element.
    private var hoisted: [String: String]

    /// - Parameter hoisted: The texts of hoisted elements, by element name: each is put in once, where the mark stands.
    package init(_ bytes: [UInt8], hoisted: [String: String] = [:]) {
        self.bytes = bytes
        self.hoisted = hoisted
    }

    /// Attributes alone, as they are stored for a transmission.
    package mutating func attributes() throws(ContentDamage) -> [ContentAttribute] {
        var attributes: [ContentAttribute] = []
        while offset < bytes.count {
            guard let attribute = try attributeIfNext() else { throw ContentDamage(offset: offset) }
            attributes.append(attribute)
        }
        return attributes
    }

    /// All nodes of the document.
    package mutating func nodes() throws(ContentDamage) -> [ContentNode] {
        let root = try element(named: "", depth: 0)
        return root.children
    }

    /// The attributes and children up to the end of an element; at depth 0 up to the end of the document.
    private mutating func element(named name: String, depth: Int) throws(ContentDamage) -> ContentElement {
        guard depth <= 64 else { throw ContentDamage(offset: offset) }
        var element = ContentElement(name: name)
        while true {
            guard offset < bytes.count else {
                guard depth == 0 else { throw ContentDamage(offset: offset) }
                return element
            }
            if let attribute = try attributeIfNext() {
                element.attributes.append(attribute)
                continue
            }
            let code = bytes[offset]
            offset += 1
            switch code {
            case ContentToken.end where depth > 0:
                return element
            case ContentToken.text:
                element.children.append(.text(try string()))
            case ContentToken.hoisted:
                if let text = hoisted.removeValue(forKey: name) { element.children.append(.text(text)) }
            case ContentToken.element:
                let childName = try string()
                element.children.append(.element(try self.element(named: childName, depth: depth + 1)))
            default:
                let index = Int(code) - Int(ContentName.firstElementCode)
                guard ContentName.elements.indices.contains(index) else { throw ContentDamage(offset: offset - 1) }
                let childName = "\(ContentName.elements[index])"
                element.children.append(.element(try self.element(named: childName, depth: depth + 1)))
            }
        }
    }

    private mutating func attributeIfNext() throws(ContentDamage) -> ContentAttribute? {
        let code = bytes[offset]
        if code == ContentToken.attribute {
            offset += 1
            let name = try string()
            return ContentAttribute(name: name, value: try string())
        }
        guard code >= ContentName.firstAttributeCode else { return nil }
        let index = Int(code) - Int(ContentName.firstAttributeCode)
        guard ContentName.attributes.indices.contains(index) else { throw ContentDamage(offset: offset) }
        offset += 1
        return ContentAttribute(name: "\(ContentName.attributes[index])", value: try string())
    }

    private mutating func string() throws(ContentDamage) -> String {
        let start = offset
        var length: UInt = 0
        var shift: UInt = 0
        while true {
            guard offset < bytes.count, shift < 35 else { throw ContentDamage(offset: start) }
            let byte = bytes[offset]
            offset += 1
            length |= UInt(byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 { break }
        }
        guard length <= UInt(bytes.count - offset) else { throw ContentDamage(offset: start) }
        defer { offset += Int(length) }
        return String(decoding: bytes[offset..<offset + Int(length)], as: UTF8.self)
    }
}
