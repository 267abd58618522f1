/// Finds the stations of channels; the import's matcher stands behind it, so that the store can ask without knowing how.
package protocol ChannelMatching: Sendable {
    /// The station of each channel, or `nil` where none matches or more than one does.
    ///
    /// - Parameter mappings: What the user said, by the key of the channel (see ``channelKey(_:)``).
    func matches(
        of channels: [Channel], among stations: [Station], mappings: [String: StationID]
    ) -> [ChannelMatch?]

    /// What a user's mapping calls a channel, so that it survives every import: its `tvg-id`, else its name.
    func channelKey(_ channel: Channel) -> String
}
