/// The attributes of playlists that players agree on.
enum PlaylistAttribute {
    static let guideID = "tvg-id"
    static let guideName = "tvg-name"
    static let logo = "tvg-logo"
    static let groups = "group-title"
    /// The number, under each of its names; the first is written.
    static let numbers = ["tvg-chno", "channel-number", "ch-number"]
    /// What players add to the times of the guide, in hours.
    static let shift = "tvg-shift"
    /// The guide's address in the header, under both of its names.
    static let guideAddresses = ["x-tvg-url", "url-tvg"]

    /// A name as it is kept: in small letters where it is known, else as it is written.
    static func spelled(_ name: String) -> String {
        let small = name.lowercased()
        return known.contains(small) ? small : name
    }

    private static let known: Set<String> = Set(
        [guideID, guideName, logo, groups] + numbers + guideAddresses + [
            "tvg-url", "url-epg", "url-logo", shift, "tvg-rec", "tvg-language", "tvg-country", "tvg-type",
            "catchup", "catchup-type", "catchup-source", "catchup-days", "catchup-time", "catchup-correction",
            "timeshift", "radio", "parent-code", "audio-track", "provider", "provider-type", "provider-logo",
            "provider-countries", "provider-languages", "media", "media-dir", "media-size", "aspect-ratio",
        ])
}
