/// An operator's ordered list of channels, as a playlist (M3U) gives it.
public struct Lineup: Hashable, Sendable {
    /// What people call it; unique in a store.
    public var name: String
    /// The attributes of the whole list (`x-tvg-url` …), in the order of the file.
    public var attributes: [ContentAttribute]
    /// In the order of the list.
    public var channels: [Channel]

    public init(name: String, attributes: [ContentAttribute] = [], channels: [Channel] = []) {
        self.name = name
        self.attributes = attributes
        self.channels = channels
    }
}

/// One entry of a lineup: a number, a name, where it streams, and the station that it shows.
public struct Channel: Hashable, Sendable {
    /// The name for people; what stands behind the comma of `#EXTINF`.
    public var name: String
    /// The number to tune to, as the list gives it (`tvg-chno`); `nil` for none.
    public var number: ChannelNumber?
    /// The station's identifier in a guide, as the list gives it (`tvg-id`).
    public var guideID: String?
    /// The station's name in a guide, as the list gives it (`tvg-name`).
    public var guideName: String?
    /// The address of a picture (`tvg-logo`).
    public var logo: String?
    /// In the order of the list (`group-title`, parted by semicolons, and `#EXTGRP`).
    public var groups: [String]
    /// Where it streams.
    public var address: String
    /// Every other attribute of the entry (`catchup`, `catchup-source`, `tvg-shift` …), in the order of the file.
    public var attributes: [ContentAttribute]
    /// Lines between the entry and its address that belong to it, such as `#EXTVLCOPT:…` and `#KODIPROP:…`.
    public var directives: [String]

    public init(
        name: String, number: ChannelNumber? = nil, guideID: String? = nil, guideName: String? = nil,
        logo: String? = nil, groups: [String] = [], address: String, attributes: [ContentAttribute] = [],
        directives: [String] = []
    ) {
        self.name = name
        self.number = number
        self.guideID = guideID
        self.guideName = guideName
        self.logo = logo
        self.groups = groups
        self.address = address
        self.attributes = attributes
        self.directives = directives
    }
}

/// Why a channel shows a station: the rules in the order in which they are tried.
public enum ChannelMatchRule: String, Hashable, Sendable, CaseIterable {
    /// The user said so (`epg match`).
    case mapping
    /// The identifier, byte for byte.
    case exactID
    /// The identifier, whatever its case.
    case foldedID
    /// The identifier without what follows `@` (the feed), whatever its case.
    case feedlessID
    /// A name: NFKC, case-folded, without white space, `-`, `_` and `.`.
    case name
    /// The number, where only one channel and one station have it.
    case number
}

/// A channel's station, and by which rule it was found.
public struct ChannelMatch: Hashable, Sendable {
    /// The station that the channel shows.
    public var station: StationID
    /// By which it was found.
    public var rule: ChannelMatchRule

    public init(station: StationID, rule: ChannelMatchRule) {
        self.station = station
        self.rule = rule
    }
}
