package import EPGFiles
package import EPGModel

/// The logos that outputs show: ``LogoSettings`` with the files of the folder and the URL at which they are served.
package struct Logos: Hashable, Sendable {
    /// The path at which the service serves the folder.
    package static let path = "/logos/"

    /// The files; `nil` without a folder.
    package let folder: LogoFolder?
    /// What precedes the name of a file in a URL.
    package var base: String
    /// What follows the name of a file in a URL, such as `?token=…`; empty by default.
    package var query = ""
    private let settings: LogoSettings

    /// No logos besides the logos of the guide and the playlist.
    package static let guide = Logos()

    private init() {
        folder = nil
        base = Self.path
        settings = LogoSettings()
    }

    /// Reads the names in the folder.
    ///
    /// - Parameter base: What precedes the name of a file in a URL, with a slash at the end.
    /// - Throws: ``SystemFault`` if the folder cannot be read.
    package init(_ settings: LogoSettings, base: String = Logos.path) throws(SystemFault) {
        self.settings = settings
        self.base = base
        if let path = settings.folder { folder = try LogoFolder(path: path) } else { folder = nil }
    }

    /// The logo of the settings.
    private func own(_ row: StationRow) -> String? {
        if let logo = settings.stations.first(where: { $0.station == row.station.id }) {
            if folder?.contains(logo.location) ?? false {
                return base + logo.location.percentEncoded + query
            }
            // A file that is missing has no URL.
            if logo.location.contains("://") { return logo.location }
        }
        return folder?.file(for: row).map { base + $0.percentEncoded + query } ?? settings.template?.url(for: row)
    }

    /// Returns a station whose icons start with the preferred logo: unchanged if that is its first icon, else with it as the
    /// only one.
    package func applied(to row: StationRow) -> StationRow {
        for origin in settings.order ?? [.own, .guide, .playlist] {
            let logo: String?
            switch origin {
            case .guide where row.station.icons.contains { !$0.source.isEmpty }: return row
            case .guide: logo = nil
            case .own: logo = own(row)
            case .playlist: logo = row.channelLogo
            }
            guard let logo, !logo.isEmpty else { continue }
            var row = row
            row.station.icons = [Icon(source: logo)]
            return row
        }
        return row
    }

    /// Returns the stored description of a station with the icon of ``applied(to:)``.
    ///
    /// Without settings, it stays as it is, so that an export of the guide has the icons of its feeds.
    package func applied(to row: StationRow, _ nodes: [ContentNode]) -> [ContentNode] {
        guard settings != LogoSettings() else { return nodes }
        let icons = applied(to: row).station.icons
        guard icons != row.station.icons, let icon = icons.first else { return nodes }
        var nodes = nodes.filter { if case .element(let element) = $0 { element.name != "icon" } else { true } }
        let element = ContentElement(name: "icon", attributes: [ContentAttribute(name: "src", value: icon.source)])
        let place = nodes.lastIndex { node in
            if case .element(let element) = node { element.name == "display-name" } else { false }
        }
        nodes.insert(.element(element), at: place.map { $0 + 1 } ?? 0)
        return nodes
    }

    /// Returns the logo of a channel in a playlist.
    ///
    /// - Parameters:
    ///   - playlist: The channel's logo in the playlist.
    ///   - row: The station that the channel shows; `nil` if there is none.
    package func logo(inPlaylist playlist: String?, of row: StationRow?) -> String? {
        for origin in settings.order ?? [.own, .playlist, .guide] {
            let logo: String? =
                switch origin {
                case .own: row.flatMap(own)
                case .playlist: playlist
                case .guide:
                    row?.station.icons.lazy.map(\.source.percentEncodedURL).first {
                        // `applied(to:)` may have put an own logo there.
                        !$0.isEmpty && !$0.hasPrefix(Self.path)
                    }
                }
            if let logo, !logo.isEmpty { return logo }
        }
        return nil
    }
}
