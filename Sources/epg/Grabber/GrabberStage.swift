import EPGModel

/// The stages of `--configure-api`: what a program with windows has to ask the user, as the XMLTV project's
/// `xmltv-configuration.dtd` wants it.
enum GrabberStage {
    /// The first stage: which database.
    static func start(_ configuration: GrabberConfiguration) throws -> String {
        let known = configuration.database ?? GrabberConfiguration.usualDatabase ?? ""
        return document(
            """
              <string id="database" default="\(known.escaped)">
                <title lang="en">Database</title>
                <description lang="en">The file that “epg import” fills.</description>
              </string>

            """, next: "select-channels")
    }

    /// The second and last stage: which channels.
    static func selectChannels(_ configuration: GrabberConfiguration) throws -> String {
        let stations = try configuration.guide().read { try $0.stations(inRows: 0..<Int.max) }
        let options = stations.map { row in
            """
                <option value="\(row.station.id.rawValue.escaped)">
                  <text lang="en">\(row.station.name.escaped)</text>
                </option>

            """
        }
        return document(
            """
              <selectmany id="channel">
                <title lang="en">Channels</title>
                <description lang="en">The channels whose guide you want.</description>
            \(options.joined())  </selectmany>

            """, next: "end")
    }

    private static func document(_ content: String, next: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <xmltvconfiguration grabber="\(Grabber.name)">
        \(content)  <nextstage stage="\(next)" />
        </xmltvconfiguration>

        """
    }
}

extension GrabberConfiguration {
    /// Where the guide is if nobody says otherwise; `nil` where there is none yet.
    static var usualDatabase: String? {
        do {
            let guide = try GrabberConfiguration().guide()
            try guide.read { _ in }
            return guide.location
        } catch {
            // It is a suggestion only: who has no guide there is asked all the same.
            return nil
        }
    }
}

extension String {
    /// The text for an attribute or an element of XML; what XML doesn't have is a blank.
    fileprivate var escaped: String {
        withoutControls.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").filter { $0 != "\u{FFFE}" && $0 != "\u{FFFF}" }
    }
}
