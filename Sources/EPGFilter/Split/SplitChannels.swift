import XMLTV

/// The channels that came before a place of the guides, as the files get them.
struct SplitChannels {
    /// By the bytes of their identifiers, of which each comes once.
    private var byIdentifier: [[UInt8]: XMLTVElement] = [:]
    /// Sorted by identifier; `nil` where one was added since.
    private var inOrder: [XMLTVElement]?

    init(_ channels: [XMLTVElement]) {
        for channel in channels { add(channel) }
    }

    mutating func add(_ channel: XMLTVElement) {
        byIdentifier[Array((channel[attribute: "id"] ?? "").utf8)] = channel.withoutEmptyParts
        inOrder = nil
    }

    /// The channel of an identifier.
    subscript(_ id: String) -> XMLTVElement? { byIdentifier[Array(id.utf8)] }

    /// All of them by identifier.
    ///
    /// - Complexity: O(*n* log *n*) after one was added, else O(1).
    mutating func sorted() -> [XMLTVElement] {
        if let inOrder { return inOrder }
        let sorted = Array(byIdentifier.values).sortedByIdentifier
        inOrder = sorted
        return sorted
    }
}
