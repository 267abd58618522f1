/// Changes of the user to the channels of a lineup: another number, other groups, another place, or none of its outputs.
///
/// The properties of a channel have the changed values, so that queries need not know of changes. Attributes of the channel hold
/// the changes, and the values of the list that they replaced, so that a new import of the list keeps them.
extension Channel {
    private enum EditName {
        static let hidden = "epg-user-hidden"
        static let number = "epg-user-number"
        static let groups = "epg-user-groups"
        static let listNumber = "epg-list-number"
        static let listGroups = "epg-list-groups"
        static let edits = [hidden, number, groups, listNumber, listGroups]
    }

    /// Whether the user hides the channel: it shows no station, and playlists omit it.
    package var isHidden: Bool { self[attribute: EditName.hidden] == "1" }

    /// The attribute with the place in the list, of all channels of a lineup whose order the user changed.
    package static let listPlaceName = "epg-list-place"

    /// Whether the user changed the channel, apart from its place.
    package var isEdited: Bool { attributes.contains { EditName.edits.contains($0.name) } }

    /// The place in the list, from 0; `nil` in a lineup with the order of the list.
    var listPlace: Int? {
        get { self[attribute: Channel.listPlaceName].flatMap { Int($0) } }
        set { set(Channel.listPlaceName, newValue.map(String.init)) }
    }

    /// The groups in the list, which the user may have changed.
    var listGroups: [String] { self[attribute: EditName.listGroups].map(Self.groups(in:)) ?? groups }

    private static func groups(in text: String) -> [String] { text.split(separator: ";").map(String.init) }

    /// Returns whether an attribute holds a change of the user, rather than being part of the list.
    package static func isEdit(_ attribute: ContentAttribute) -> Bool {
        EditName.edits.contains(attribute.name) || attribute.name == Channel.listPlaceName
    }

    package mutating func setHidden(_ isHidden: Bool) { set(EditName.hidden, isHidden ? "1" : nil) }

    /// Gives the channel another number, or none.
    package mutating func setNumber(_ number: ChannelNumber?) {
        guard number != self.number else { return }
        if self[attribute: EditName.number] == nil { set(EditName.listNumber, self.number?.description ?? "") }
        self.number = number
        set(EditName.number, number?.description ?? "")
        // The change restores the number of the list.
        if self[attribute: EditName.listNumber] == self[attribute: EditName.number] {
            set(EditName.listNumber, nil)
            set(EditName.number, nil)
        }
    }

    /// Puts the channel into other groups.
    package mutating func setGroups(_ groups: [String]) {
        let groups = groups.map { $0.split(separator: ";", omittingEmptySubsequences: false).joined(separator: ",") }
        guard groups != self.groups else { return }
        if self[attribute: EditName.groups] == nil { set(EditName.listGroups, self.groups.joined(separator: ";")) }
        self.groups = groups
        set(EditName.groups, groups.joined(separator: ";"))
        if self[attribute: EditName.listGroups] == self[attribute: EditName.groups] {
            set(EditName.listGroups, nil)
            set(EditName.groups, nil)
        }
    }

    /// Restores the values of the list, except for the place.
    fileprivate mutating func removeEdits() {
        if let number = self[attribute: EditName.listNumber] { self.number = ChannelNumber(number) }
        groups = listGroups
        attributes.removeAll { EditName.edits.contains($0.name) }
    }

    /// Applies the changes of another channel.
    mutating func takeEdits(of other: Channel) {
        if let number = other[attribute: EditName.number] { setNumber(ChannelNumber(number)) }
        if other[attribute: EditName.groups] != nil { setGroups(other.groups) }
        if other.isHidden { setHidden(true) }
    }

    private mutating func set(_ name: String, _ value: String?) {
        attributes.removeAll { $0.name == name }
        if let value { attributes.append(ContentAttribute(name: name, value: value)) }
    }
}

extension Lineup {
    /// Whether the user's order replaces the playlist's order. Guide rows then follow it instead of the numbers.
    package var isReordered: Bool { channels.contains { $0.listPlace != nil } }

    /// Moves a channel to the place of another channel; returns `false` if there is no such place.
    package mutating func move(_ index: Int, to place: Int) -> Bool {
        guard channels.indices.contains(index), channels.indices.contains(place) else { return false }
        guard index != place else { return true }
        if !isReordered { for index in channels.indices { channels[index].listPlace = index } }
        channels.insert(channels.remove(at: index), at: place)
        if channels.indices.allSatisfy({ channels[$0].listPlace == $0 }) { removeOrder() }
        return true
    }

    /// Restores the order and the values of the list.
    package mutating func removeEdits() {
        for index in channels.indices { channels[index].removeEdits() }
        removeOrder()
    }

    /// The places of the channels in the order of the list.
    var placesInListOrder: [Int] {
        let places = channels.indices.map { channels[$0].listPlace ?? $0 }
        return places.indices.sorted { (places[$0], $0) < (places[$1], $1) }
    }

    /// The channels in the order of the list.
    var inListOrder: [Channel] { placesInListOrder.map { channels[$0] } }

    private mutating func removeOrder() {
        guard isReordered else { return }
        channels = inListOrder
        for index in channels.indices { channels[index].listPlace = nil }
    }

    /// Sorts the channels, which are in the order of the list, by their places in the order of the user.
    ///
    /// - Parameter places: The places; `nil` for new channels, each of which follows its predecessor.
    mutating func sort(by places: [Int?]) {
        var last = -1
        let keys = places.map { place in
            last = place ?? last
            return last
        }
        // A new channel follows the channel whose place it shares.
        let order = channels.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
        for index in channels.indices { channels[index].listPlace = index }
        channels = order.map { channels[$0] }
        if channels.indices.allSatisfy({ channels[$0].listPlace == $0 }) { removeOrder() }
    }
}
