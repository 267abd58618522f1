/// The identifier of a station in a feed: the `id` of an XMLTV `<channel>`, compared byte for byte.
public struct StationID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let rawValue: String

    /// Creates an identifier. Any text is valid; it is not normalized.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// `String`'s own equality ignores differences in Unicode normalization.
    public static func == (lhs: StationID, rhs: StationID) -> Bool {
        lhs.rawValue.utf8.elementsEqual(rhs.rawValue.utf8)
    }

    public static func < (lhs: StationID, rhs: StationID) -> Bool {
        lhs.rawValue.utf8.lexicographicallyPrecedes(rhs.rawValue.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        for byte in rawValue.utf8 { hasher.combine(byte) }
    }

    public var description: String { rawValue }
}

/// A broadcast service with the description of its feed.
public struct Station: Hashable, Sendable {
    public var id: StationID
    /// The names, starting with the canonical one (xmltv.dtd, `display-name`).
    public var displayNames: [LocalizedText]
    /// Logos, in the order of the feed.
    public var icons: [Icon]
    public var urls: [WebLink]
    /// The channel number in the feed (`<lcn>`).
    public var number: ChannelNumber?
    /// Elements and attributes beyond the DTD, in the order of the feed.
    public var extras: [ContentNode]

    /// Creates a station, by default with its identifier only.
    ///
    /// - Parameter displayNames: The names, starting with the canonical one. Without any, ``name`` is the identifier.
    public init(
        id: StationID, displayNames: [LocalizedText] = [], icons: [Icon] = [], urls: [WebLink] = [],
        number: ChannelNumber? = nil, extras: [ContentNode] = []
    ) {
        self.id = id
        self.displayNames = displayNames
        self.icons = icons
        self.urls = urls
        self.number = number
        self.extras = extras
    }

    /// The first display name, or the identifier if there is none.
    public var name: String { displayNames.first?.text ?? id.rawValue }
}
