package import EPGModel

/// The richness of a programme: the amount of information about it in a feed, in bytes. Of two listings for the same
/// time, the import keeps the richer one (``Listing/richness``).
///
/// The measure is the bytecode in which schema version 5 stored programmes, so that the same listings win as before:
/// two bytes for an element, one for an attribute, one for a text, and a varint and the bytes of each text and of each
/// name that is not in the lists of ``ElementOrder``. A text in a column has no varint.
package enum ContentSize {
    /// Returns the size of an element without its attributes and content.
    ///
    /// - Parameters:
    ///   - count: The length of its name in bytes.
    ///   - rank: The rank of its name; see ``ElementOrder``.
    @inline(__always)
    package static func element(_ count: Int, rank: UInt8) -> Int { 2 + name(count, rank) }

    /// Returns the size of an attribute.
    ///
    /// - Parameters:
    ///   - count: The length of its name in bytes.
    ///   - rank: The rank of its name; see ``ElementOrder``.
    ///   - value: The length of its value in bytes.
    @inline(__always)
    package static func attribute(_ count: Int, rank: UInt8, value: Int) -> Int {
        1 + name(count, rank) + varint(value) + value
    }

    /// Returns the size of a text of `count` bytes in the document.
    @inline(__always)
    package static func text(_ count: Int) -> Int { 1 + varint(count) + count }

    /// Returns the size of a text of `count` bytes in a column.
    @inline(__always)
    package static func columnText(_ count: Int) -> Int { 1 + count }

    /// Returns the size of a node with its content.
    package static func node(_ node: ContentNode) -> Int {
        guard case .element(let element) = node else {
            if case .text(let text) = node { return self.text(text.utf8.count) }
            return 0
        }
        let attributes = element.attributes.reduce(0) { size, attribute in
            size
                + self.attribute(
                    attribute.name.utf8.count, rank: ElementOrder.rank(ofAttribute: attribute.name),
                    value: attribute.value.utf8.count)
        }
        let own = self.element(element.name.utf8.count, rank: ElementOrder.rank(ofElement: element.name))
        return element.children.reduce(own + attributes) { $0 + Self.node($1) }
    }

    @inline(__always)
    private static func name(_ count: Int, _ rank: UInt8) -> Int {
        rank == ElementOrder.unknown ? varint(count) + count : 0
    }

    /// Returns the length of a number in unsigned LEB128.
    @inline(__always)
    private static func varint(_ value: Int) -> Int {
        value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : 4
    }
}
