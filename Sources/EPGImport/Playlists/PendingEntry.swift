import EPGModel

/// An entry of a playlist on its way: what its lines have said before its address comes.
struct PendingEntry {
    /// The `#EXTINF` line, as far as a diagnostic quotes it, and its number; `nil` before there is one.
    private(set) var mark: (line: Int, quote: [UInt8])?
    /// Whether the description couldn't be read, so that the address is left out with it.
    var isSkipped = false
    /// The bytes of its lines.
    var length = 0
    private var channel = Channel(name: "", address: "")
    private let limit: Int

    /// - Parameter limit: How many attributes, groups and directives it may have, each.
    init(limit: Int) {
        self.limit = limit
    }

    /// Takes what an `#EXTINF` line says; of an attribute that comes twice, the first value counts.
    mutating func describe(_ scanned: AttributeScanner, line: Int, quote: [UInt8]) {
        mark = (line, quote)
        channel.name = scanned.name
        for attribute in scanned.attributes { take(attribute) }
    }

    private mutating func take(_ attribute: ContentAttribute) {
        let value = attribute.value
        switch attribute.name {
        case PlaylistAttribute.guideID: Self.set(&channel.guideID, value)
        case PlaylistAttribute.guideName: Self.set(&channel.guideName, value)
        case PlaylistAttribute.logo: Self.set(&channel.logo, value)
        case PlaylistAttribute.groups: addGroups(value)
        case let name where PlaylistAttribute.numbers.contains(name) && channel.number == nil:
            if let number = ChannelNumber(value) {
                channel.number = number
            } else if !value.isEmpty {
                channel.attributes.append(attribute)
            }
        case let name where channel.attributes.contains { $0.name == name }: break
        default: channel.attributes.append(attribute)
        }
    }

    private static func set(_ field: inout String?, _ value: String) {
        if field == nil, !value.isEmpty { field = value }
    }

    /// Adds groups, parted by semicolons.
    mutating func addGroups(_ text: String) {
        for piece in text.split(separator: ";") {
            let group = PlaylistText.clean(String(piece))
            if !group.isEmpty, channel.groups.count < limit, !channel.groups.contains(group) {
                channel.groups.append(group)
            }
        }
    }

    /// Adds a directive; `false` where it has as many as may be.
    mutating func addDirective(_ text: String) -> Bool {
        guard channel.directives.count < limit else { return false }
        channel.directives.append(text)
        return true
    }

    /// Whether it says anything of the guide, as entries of a stream's own playlist don't.
    var saysSomethingOfGuide: Bool {
        channel.guideID != nil || channel.guideName != nil || channel.logo != nil || channel.number != nil
            || !channel.groups.isEmpty
    }

    /// The channel, complete with its address; without a name it is called as the guide does, else by its address.
    func channel(at address: String) -> Channel {
        var channel = channel
        channel.address = address
        // Of several numbers the first that is one counts; it stands under this name when it is written.
        if channel.number != nil { channel.attributes.removeAll { $0.name == PlaylistAttribute.numbers[0] } }
        if channel.name.isEmpty { channel.name = channel.guideName ?? channel.guideID ?? address }
        return channel
    }

    /// Whether a number was given that is none.
    var hasBadNumber: Bool {
        channel.number == nil && channel.attributes.contains { PlaylistAttribute.numbers.contains($0.name) }
    }
}
