package import EPGModel

extension FetchRequest {
    /// Requests the playlist or the guide of an account on a server with the Xtream Codes API.
    ///
    /// - Parameters:
    ///   - account: The account, whose service determines the file.
    ///   - server: The URL of the server, with or without a path, a query, and a file name of the API.
    ///   - password: The password of the account, which becomes part of the URL.
    package mutating func setLocation(ofAccount account: SourceAccount, server: String, password: String) {
        var base = server.prefix { $0 != "?" && $0 != "#" }
        for file in ["get.php", "xmltv.php", "player_api.php"] where base.hasSuffix("/\(file)") {
            base.removeLast(file.count)
        }
        while base.hasSuffix("/") { base.removeLast() }
        let credentials = "username=\(account.username.percentEncoded)&password=\(password.percentEncoded)"
        location = .url(
            account.service == .xtreamGuide
                ? "\(base)/xmltv.php?\(credentials)" : "\(base)/get.php?\(credentials)&type=m3u_plus&output=ts")
    }
}

extension Source {
    /// Maximum number of guides that are followed.
    private static let maximumGuideCount = 16

    /// Returns the guides of the playlist of this source as sources without a name: the guide of the Xtream account, or else the
    /// URLs in the attributes `x-tvg-url`, `url-tvg` and `tvg-url` of the list, if the source follows them.
    func guides(namedBy attributes: [ContentAttribute]) -> [Source] {
        func guide(_ location: String, _ account: SourceAccount? = nil) -> Source {
            Source(
                name: "", location: location, interval: interval, priority: priority, account: account, playlist: name,
                groups: groups)
        }
        if let account, account.service == .xtreamPlaylist, let location {
            return [guide(location, SourceAccount(.xtreamGuide, username: account.username))]
        }
        guard followsGuides else { return [] }
        return Lineup(name: name, attributes: attributes).guideURLs.prefix(Self.maximumGuideCount).map { guide($0) }
    }

    /// Whether the playlist of this source brings guides along.
    var hasGuides: Bool { followsGuides || account?.service == .xtreamPlaylist }

    /// Returns the name of the source of a guide by its place among the guides of this playlist, from 0: `tv-guide`, `tv-guide-2`.
    func nameOfGuide(at place: Int) -> String { "\(name)-guide\(place == 0 ? "" : "-\(place + 1)")" }

    /// Returns whether both locations are the same except for a query.
    func hasSamePath(as other: Source) -> Bool {
        guard let location, let otherLocation = other.location else { return false }
        return location.prefix { $0 != "?" } == otherLocation.prefix { $0 != "?" }
    }

    /// Returns whether both sources have the same location and account.
    func hasSameOrigin(as other: Source) -> Bool { location == other.location && account == other.account }
}
