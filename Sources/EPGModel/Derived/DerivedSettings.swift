/// The settings of derived listings (Rules.md, rule 19). By default, only channels with a shift have some.
package struct DerivedSettings: Hashable, Sendable {
    /// The days after today that derived listings cover, 1…30. The default is 3.
    package var days = 3
    /// Whether a "+1" channel without listings takes its parent's listings an hour later. The default is `false`.
    package var plusOne = false
    /// The IANA zone of days and of times in names; `nil` for the system's.
    package var zone: String?
    /// The templates of placeholders. The first one whose pattern matches a channel applies.
    package var placeholders: [PlaceholderTemplate] = []
    /// The patterns of names. The first one that matches a name applies.
    package var names: [ChannelNamePattern] = []
    /// Whether the settings were read. Otherwise, only listings of channels with a shift are updated, and others stay as they are.
    package var areKnown = true

    package init() {}
}

/// A template of placeholders for channels without listings.
package struct PlaceholderTemplate: Hashable, Sendable {
    /// Patterns (`*`, `?`) of the names, `tvg-id` or groups of channels; empty for all channels.
    package var channels: [String] = []
    /// The title, in which `{channel}` stands for the name of the channel.
    package var title = "{channel}"
    package var description: String?
    package var category: String?
    /// The length of a block in seconds, from ten minutes to a day. The default is two hours.
    package var every: Int64 = 7200

    package init() {}
}

/// A pattern of channel names that announce a programme, such as `PPV 3: Fury vs Usyk @ 21:00 ET 12 Dec`.
package struct ChannelNamePattern: Hashable, Sendable {
    /// The regular expression with named groups; see ``NameExpression``.
    package var pattern: NameExpression
    /// Patterns (`*`, `?`) of channels, as in ``PlaceholderTemplate/channels``.
    package var channels: [String] = []
    /// The zone of times without a zone; `nil` for ``DerivedSettings/zone``.
    package var zone: String?
    /// The length in seconds of a programme without a duration. The default is two hours.
    package var duration: Int64 = 7200
    /// The titles before and after the programme, in which `{title}` stands for its title, `{channel}` for the channel's name
    /// and `{time}` for its start.
    package var before = "Upcoming: {title}"
    package var after = "Ended: {title}"
    package var category: String?

    package init(_ pattern: NameExpression) {
        self.pattern = pattern
    }

    /// The groups that a pattern can have.
    package static let groups = [
        "channel", "title", "date", "day", "month", "year", "time", "zone", "duration",
    ]
}
