/// A new version of a playlist, compared with the stored lineup: which channels are the same, which were added, removed or renamed,
/// and what of the user's changes they keep.
///
/// Providers rename, reorder, drop and add channels, and change tokens in URLs. See ``ChannelPairs`` for how a channel is recognized.
package struct LineupUpdate {
    /// The new list with the user's changes.
    package let lineup: Lineup
    /// The added, removed and renamed channels, in the order of the new list, then of the stored one.
    package let changes: [ChannelChange]
    /// The keys of channels whose key changed, each with the channel's former key; see ``Channel/key``.
    package let newKeys: [(former: String, new: String)]
    /// The channels that the list no longer contains and that have changes of the user, the newest first.
    package let former: [FormerChannel]

    /// Maximum number of ``former`` channels.
    private static let maximumFormerCount = 10_000
    /// Seconds to keep a former channel: a year.
    private static let formerRetention: Int64 = 366 * 86_400

    /// Compares a new version of a list with the stored one.
    ///
    /// - Parameters:
    ///   - list: The new version, without changes of the user.
    ///   - stored: The stored version, with changes of the user.
    ///   - former: Channels that the stored version no longer contains.
    ///   - now: The instant at which missing channels count as removed.
    /// - Complexity: O(channels).
    package init(of list: Lineup, replacing stored: Lineup, former: [FormerChannel] = [], now: Instant) {
        let isReordered = stored.isReordered
        let known = isReordered ? stored.inListOrder : stored.channels
        let pairs = ChannelPairs(of: list.channels, with: known)
        let returned = ChannelPairs(
            of: pairs.unpaired.map { list.channels[$0] }, with: former.map(\.channel))
        var formerOfNew: [Int: Int] = [:]
        for (place, index) in returned.partners.enumerated() where index != nil {
            formerOfNew[pairs.unpaired[place]] = index
        }
        let placeOfKnown = isReordered ? stored.placesInListOrder : Array(stored.channels.indices)
        var lineup = list
        // A channel that returns precedes the channel that has its place now.
        var places: [Int?] = []
        var changes: [ChannelChange] = []
        var newKeys: [(former: String, new: String)] = []
        for index in list.channels.indices {
            let channel = list.channels[index]
            if let partner = pairs.partners[index] {
                let old = known[partner]
                lineup.channels[index].takeEdits(of: old)
                places.append(2 * placeOfKnown[partner] + 1)
                if old.name != channel.name { changes.append(ChannelChange(from: old.name, to: channel.name)) }
                if old.key != channel.key { newKeys.append((old.key, channel.key)) }
            } else {
                let old = formerOfNew[index].map { former[$0] }
                if let old {
                    lineup.channels[index].takeEdits(of: old.channel)
                    if old.channel.key != channel.key { newKeys.append((old.channel.key, channel.key)) }
                }
                places.append(old?.place.map { 2 * $0 })
                changes.append(ChannelChange(from: nil, to: channel.name))
            }
        }
        let hasReturned = formerOfNew.values.contains { former[$0].place != nil }
        if isReordered || hasReturned { lineup.sort(by: places) }
        var gone: [FormerChannel] = []
        let paired = Set(pairs.partners.compactMap(\.self))
        for index in known.indices where !paired.contains(index) {
            changes.append(ChannelChange(from: known[index].name, to: nil))
            guard known[index].isEdited || isReordered else { continue }
            gone.append(
                FormerChannel(
                    channel: known[index], place: isReordered ? placeOfKnown[index] : nil, removed: now))
        }
        let reused = Set(formerOfNew.values)
        let horizon = now.advanced(by: -Self.formerRetention)
        for (index, old) in former.enumerated() where !reused.contains(index) && old.removed >= horizon {
            gone.append(old)
        }
        self.lineup = lineup
        self.changes = changes
        self.newKeys = newKeys
        self.former = Array(gone.prefix(Self.maximumFormerCount))
    }
}

/// A channel that a playlist no longer contains, with changes of the user that it gets back when it returns.
package struct FormerChannel: Hashable, Sendable {
    /// The channel as it was stored.
    package let channel: Channel
    /// The place in the user's order, from 0; `nil` in the list's order.
    package let place: Int?
    /// The instant at which the playlist no longer contained the channel.
    package let removed: Instant

    package init(channel: Channel, place: Int?, removed: Instant) {
        self.channel = channel
        self.place = place
        self.removed = removed
    }
}

/// A channel that a new version of a playlist added, removed or renamed.
public struct ChannelChange: Hashable, Sendable {
    /// The former name; `nil` for an added channel.
    public let before: String?
    /// The new name; `nil` for a removed channel.
    public let after: String?

    /// Creates a change from one name to another, of which at least one is not `nil`.
    public init(from before: String?, to after: String?) {
        self.before = before
        self.after = after
    }
}

/// A change of a channel in the change log.
public struct LoggedChannelChange: Hashable, Sendable {
    /// The time of the import.
    public let at: Instant
    /// The generation of the guide after the import.
    public let generation: Generation
    public let change: ChannelChange

    /// Creates a logged change.
    public init(at instant: Instant, generation: Generation, change: ChannelChange) {
        at = instant
        self.generation = generation
        self.change = change
    }
}

extension Sequence<ChannelChange> {
    /// The numbers of added, removed and renamed channels.
    package var counts: (added: Int, removed: Int, renamed: Int) {
        reduce(into: (0, 0, 0)) { counts, change in
            if change.before == nil {
                counts.0 += 1
            } else if change.after == nil {
                counts.1 += 1
            } else {
                counts.2 += 1
            }
        }
    }
}

/// The channels of a new list, each with the channel of another list that it continues.
///
/// The rules, from the surest on; each considers only channels that no earlier rule has paired. “Only” means that exactly one channel
/// of each list qualifies. Names are also compared without case, spaces and punctuation.
///
/// 1. The same `tvg-id`, name, groups and stream; then without the stream, in the order of the lists.
/// 2. The same `tvg-id` and name, in the order of the lists; then the only channel with a similar name.
/// 3. The only channel with this `tvg-id`, unless more than four channels of a list have it, such as a placeholder.
/// 4. The only channel with this name in the same groups, although its `tvg-id` changed; then with a similar name.
/// 5. The only channel with this name, unless both have a `tvg-id`; then the only channel of the stream, too.
///
/// The stream is the URL without user, query and fragment, in which providers change tokens.
struct ChannelPairs {
    /// The index of the partner of each new channel; `nil` without one.
    private(set) var partners: [Int?]

    /// The indices of the new channels without a partner.
    var unpaired: [Int] { partners.indices.filter { partners[$0] == nil } }

    private struct Rule: Sendable {
        /// Whether only one channel of each list may have the key.
        let isUnique: Bool
        /// What both channels must have in common; `nil` for channels that the rule does not concern.
        let key: @Sendable (Traits) -> [String]?
    }

    private static let rules: [Rule] = [
        Rule(isUnique: false) { [$0.id, $0.name, $0.groups, $0.stream] },
        Rule(isUnique: false) { [$0.id, $0.name, $0.groups] },
        Rule(isUnique: false) { $0.id.isEmpty ? nil : [$0.id, $0.name] },
        Rule(isUnique: true) { $0.id.isEmpty ? nil : [$0.id, $0.foldedName] },
        Rule(isUnique: true) { $0.id.isEmpty || $0.hasPlaceholder ? nil : [$0.id] },
        Rule(isUnique: true) { [$0.name, $0.groups] },
        Rule(isUnique: true) { [$0.foldedName, $0.groups] },
        Rule(isUnique: true) { [$0.name] },
        Rule(isUnique: true) { [$0.stream] },
    ]
    /// The rules from this index on do not pair channels with different identifiers.
    private static let firstRuleForMissingID = 7

    init(of new: [Channel], with old: [Channel]) {
        let placeholders = Self.placeholders(in: new).union(Self.placeholders(in: old))
        let newTraits = new.map { Traits($0, placeholders) }
        let oldTraits = old.map { Traits($0, placeholders) }
        partners = Array(repeating: nil, count: new.count)
        var (newLeft, oldLeft) = (Array(new.indices), Array(old.indices))
        for (number, rule) in Self.rules.enumerated() {
            if newLeft.isEmpty || oldLeft.isEmpty { break }
            var candidates: [[String]: [Int]] = [:]
            for index in oldLeft {
                if let key = rule.key(oldTraits[index]) { candidates[key, default: []].append(index) }
            }
            var wanted: [[String]: [Int]] = [:]
            for index in newLeft {
                if let key = rule.key(newTraits[index]), candidates[key] != nil {
                    wanted[key, default: []].append(index)
                }
            }
            var taken: Set<Int> = []
            for (key, indices) in wanted {
                let found = candidates[key] ?? []
                if rule.isUnique, indices.count != 1 || found.count != 1 { continue }
                for (index, partner) in zip(indices, found) {
                    let (id, other) = (newTraits[index].id, oldTraits[partner].id)
                    if number >= Self.firstRuleForMissingID, !id.isEmpty, !other.isEmpty, id != other { continue }
                    partners[index] = partner
                    taken.insert(partner)
                }
            }
            newLeft = newLeft.filter { partners[$0] == nil }
            oldLeft = oldLeft.filter { !taken.contains($0) }
        }
    }

    /// The identifiers that more than four channels have.
    private static func placeholders(in channels: [Channel]) -> Set<String> {
        var counts: [String: Int] = [:]
        for channel in channels { if let id = channel.guideID { counts[id, default: 0] += 1 } }
        return Set(counts.filter { $0.value > 4 }.keys)
    }

    /// What identifies a channel.
    private struct Traits {
        let id: String
        let hasPlaceholder: Bool
        let name: String
        let foldedName: String
        let groups: String
        let stream: String

        init(_ channel: Channel, _ placeholders: Set<String>) {
            id = channel.guideID ?? ""
            hasPlaceholder = placeholders.contains(id)
            name = channel.name
            let folded = String(
                String.UnicodeScalarView(
                    name.lowercased().unicodeScalars.filter {
                        $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "+"
                    }))
            // A name of symbols only has no other form.
            foldedName = folded.isEmpty ? name : folded
            groups = channel.listGroups.joined(separator: ";")
            stream = channel.stream
        }
    }
}

extension Channel {
    /// The URL of the stream without user, password, query and fragment.
    fileprivate var stream: String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        guard let scheme = path.firstRange(of: "://") else { return String(path) }
        let rest = path[scheme.upperBound...]
        let host = rest.prefix { $0 != "/" }
        guard let at = host.lastIndex(of: "@") else { return String(path) }
        return "\(path[..<scheme.upperBound])\(rest[rest.index(after: at)...])"
    }
}
