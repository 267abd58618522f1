/// Changes of the user to the channels of a lineup: another number, other groups, or none of its outputs.
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
        static let all = [hidden, number, groups, listNumber, listGroups]
    }

    /// Whether the user hides the channel: it shows no station, and playlists omit it.
    package var isHidden: Bool { self[attribute: EditName.hidden] == "1" }

    /// Whether the user changed the channel.
    package var isEdited: Bool { attributes.contains { EditName.all.contains($0.name) } }

    /// Returns whether an attribute holds a change of the user, rather than being part of the list.
    package static func isEdit(_ attribute: ContentAttribute) -> Bool { EditName.all.contains(attribute.name) }

    package mutating func setHidden(_ isHidden: Bool) { set(EditName.hidden, isHidden ? "1" : nil) }

    /// Gives the channel another number, or none.
    package mutating func setNumber(_ number: ChannelNumber?) {
        guard number != self.number else { return }
        if self[attribute: EditName.number] == nil { set(EditName.listNumber, self.number?.description ?? "") }
        self.number = number
        set(EditName.number, number?.description ?? "")
        // The change takes the number back to that of the list.
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

    /// Restores the values of the list.
    package mutating func removeEdits() {
        if let number = self[attribute: EditName.listNumber] { self.number = ChannelNumber(number) }
        if let groups = self[attribute: EditName.listGroups] {
            self.groups = groups.split(separator: ";").map(String.init)
        }
        attributes.removeAll(where: Channel.isEdit)
    }

    /// Changes the channel as another one was changed.
    fileprivate mutating func takeEdits(of other: Channel) {
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
    /// Returns a new version of the list with the changes of the user to the stored one.
    ///
    /// A channel is the same if its key and its name are, and its URL, if several channels have that key and name.
    package func keepingEdits(of stored: Lineup) -> Lineup {
        struct Identity: Hashable {
            let key: String
            let name: String
        }
        let edited = Dictionary(grouping: stored.channels.filter(\.isEdited)) { Identity(key: $0.key, name: $0.name) }
        guard !edited.isEmpty else { return self }
        var lineup = self
        for index in lineup.channels.indices {
            let channel = lineup.channels[index]
            let candidates = edited[Identity(key: channel.key, name: channel.name)] ?? []
            let former = candidates.count == 1 ? candidates.first : candidates.first { $0.url == channel.url }
            if let former { lineup.channels[index].takeEdits(of: former) }
        }
        return lineup
    }
}
