/// An operator's ordered list of channels, imported from a playlist (M3U).
public struct Lineup: Hashable, Sendable {
    /// The name, unique in a store.
    public var name: String
    /// The attributes of the whole list, such as `x-tvg-url`, in the order of the file.
    public var attributes: [ContentAttribute]
    /// The channels in the order of the list.
    public var channels: [Channel]

    /// Creates a lineup, by default without attributes and channels.
    ///
    /// - Parameter name: The name, unique in a store. Storing a lineup replaces the one with the same name.
    public init(name: String, attributes: [ContentAttribute] = [], channels: [Channel] = []) {
        self.name = name
        self.attributes = attributes
        self.channels = channels
    }
}

/// An entry of a lineup: a number, a name, a stream, and the station that it shows.
public struct Channel: Hashable, Sendable {
    /// The display name: the text after the comma of `#EXTINF`.
    public var name: String
    /// `tvg-chno`
    public var number: ChannelNumber?
    /// The station's identifier in a guide (`tvg-id`).
    public var guideID: String?
    /// The station's name in a guide (`tvg-name`).
    public var guideName: String?
    /// The URL of a picture (`tvg-logo`).
    public var logo: String?
    /// The groups in the order of the list (`group-title`, separated by semicolons, and `#EXTGRP`).
    public var groups: [String]
    /// The URL of the stream.
    public var url: String
    /// All other attributes, such as `catchup`, `catchup-source` and `tvg-shift`, in the order of the file.
    public var attributes: [ContentAttribute]
    /// Lines between the entry and its URL that belong to it, such as `#EXTVLCOPT:…` and `#KODIPROP:…`.
    public var directives: [String]

    /// Creates a channel. All properties except its name and the URL of its stream are optional, and missing by default.
    public init(
        name: String, number: ChannelNumber? = nil, guideID: String? = nil, guideName: String? = nil,
        logo: String? = nil, groups: [String] = [], url: String, attributes: [ContentAttribute] = [],
        directives: [String] = []
    ) {
        self.name = name
        self.number = number
        self.guideID = guideID
        self.guideName = guideName
        self.logo = logo
        self.groups = groups
        self.url = url
        self.attributes = attributes
        self.directives = directives
    }
}

extension Lineup {
    /// The value of the first attribute of the whole list with a name.
    package subscript(attribute name: String) -> String? { attributes.first { $0.name == name }?.value }
}

extension Lineup {
    /// The URLs of guides that the playlist names (`x-tvg-url`, `url-tvg`, `tvg-url`), in its order: `http` and `https` URLs, separated
    /// by commas or white space.
    package var guideURLs: [String] {
        var urls: [String] = []
        for name in ["x-tvg-url", "url-tvg", "tvg-url"] {
            // A comma may also be part of a URL.
            let words = (self[attribute: name] ?? "").split(whereSeparator: \.isWhitespace).joined(separator: ",")
            for piece in words.split(separator: ",") {
                if ["http://", "https://"].contains(where: piece.lowercased().hasPrefix) {
                    urls.append(String(piece))
                } else if !urls.isEmpty, !piece.contains("://") {
                    urls[urls.count - 1] += ",\(piece)"
                }
            }
        }
        var known: Set<String> = []
        return urls.filter { $0.count > 8 && known.insert($0).inserted }
    }
}

extension Channel {
    /// The key of the channel in mappings: its `tvg-id`, or else its name.
    package var key: String {
        if let id = guideID, !id.isEmpty { id } else { name }
    }

    /// The value of the first attribute with a name.
    package subscript(attribute name: String) -> String? { attributes.first { $0.name == name }?.value }

    /// Returns the seconds that players add to the times of the guide (`tvg-shift`) of the channel or else its lineup.
    package func shift(in lineup: Lineup) -> Int { seconds(inHoursOf: "tvg-shift", in: lineup) }

    /// Returns the seconds by which the channel transmits later than its station: the shift of the user's mapping, or else
    /// `tvg-shift`.
    ///
    /// - Parameter mappingShifts: The shifts of mappings by the key of the channel (``GuideReading/mappingShifts()``).
    package func shift(in lineup: Lineup, mappingShifts: [String: Int]) -> Int {
        mappingShifts[key] ?? shift(in: lineup)
    }

    /// Returns the value in seconds of an attribute in hours, of the channel or, if that is missing or empty, its lineup.
    ///
    /// Like C's `atof`, players read the decimal number at the beginning. The result is 0 without a number and for more than
    /// 10,000 hours.
    package func seconds(inHoursOf name: String, in lineup: Lineup) -> Int {
        let own = self[attribute: name] ?? ""
        let text = own.isEmpty ? lineup[attribute: name] ?? "" : own
        var number = text.drop { $0 == " " }.prefix { "+-.0123456789".contains($0) }.prefix(32)
        while !number.isEmpty, Double(number) == nil { number.removeLast() }
        guard let hours = Double(number), abs(hours) <= 10_000 else { return 0 }
        return Int((hours * 3600).rounded())
    }
}

/// The number of a channel in a lineup: one to four numbers separated by periods or hyphens, such as `7` or `7.1`.
///
/// Channel numbers sort as numbers, part by part: 7 < 7.1 < 7.2 < 7.10 < 8.
public struct ChannelNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The numbers, starting with the major one.
    public let parts: [Int]

    /// Parses a channel number; `nil` if the text is invalid or a part exceeds 999,999.
    public init?(_ text: some StringProtocol) {
        var parts: [Int] = []
        for piece in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "." || $0 == "-" }) {
            guard let number = Int(digits: piece) else { return nil }
            parts.append(number)
        }
        guard (1...4).contains(parts.count) else { return nil }
        self.parts = parts
    }

    public static func < (lhs: ChannelNumber, rhs: ChannelNumber) -> Bool {
        lhs.parts.lexicographicallyPrecedes(rhs.parts)
    }

    /// The parts separated by periods.
    public var description: String { parts.map(String.init).joined(separator: ".") }
}

/// The rules that match channels with stations, in the order in which they are tried.
public enum ChannelMatchRule: String, Hashable, Sendable, CaseIterable {
    /// The user chose the station (`epg match`).
    case mapping
    /// Equal identifiers, byte for byte.
    case exactID
    /// Equal identifiers, ignoring case.
    case foldedID
    /// Equal identifiers without `@` and the following feed name, ignoring case.
    case feedlessID
    /// Equal names after NFKC, case folding, and removal of white space, `-`, `_` and `.`.
    case name
    /// Equal names without country, quality and diacritics, with numerals as digits. The country and the time shift must agree.
    case plainName
    /// The same words in other spellings, and no other station is similar.
    case similarName
    /// Equal numbers, if only one channel and one station have the number.
    case number
    /// No station of a feed matches; the station with derived listings was made for the channel (Rules.md, rule 19).
    case derived
}

/// The station of a channel, and the rule that found it.
public struct ChannelMatch: Hashable, Sendable {
    public var station: StationID
    public var rule: ChannelMatchRule

    /// Creates a match of a channel with a station.
    public init(station: StationID, rule: ChannelMatchRule) {
        self.station = station
        self.rule = rule
    }
}
