package import EPGModel

/// Changes of a guide in a short notation, one line each.
///
/// - `unknown`: The guide does not know the changes.
/// - `stations`: The stations changed.
/// - `one *`: The complete schedule of `one` changed.
/// - `one + 4 20:00-21:00`: Airing 4 was inserted. `-` means removed.
/// - `one > 4 20:00-21:00 20:05-21:00`: Airing 4 was moved. `~` means changed.
package enum ChangeText {
    package static func lines(_ changes: GuideChanges?) -> [String] {
        guard let changes else { return ["unknown"] }
        return (changes.changesStations ? ["stations"] : [])
            + changes.stations.flatMap { station in
                switch station.extent {
                case .whole: ["\(station.station) *"]
                case .airings(let airings): airings.map { "\(station.station) " + line($0) }
                }
            }
    }

    package static func line(_ change: AiringChange) -> String {
        let sign =
            switch change.kind {
            case .inserted: "+"
            case .removed: "-"
            case .moved: ">"
            case .changed: "~"
            }
        let windows = [change.before, change.after].compactMap { window in
            window.map { "\(Day.clock($0.start))-\(Day.clock($0.end))" }
        }
        return ([sign, "\(change.id)"] + windows).joined(separator: " ")
    }

    /// Parses a change such as `> 4 20:00-21:00 20:05-21:00`. Returns `nil` if the windows do not match the sign.
    package static func change(_ text: String) -> AiringChange? {
        let words = text.split(separator: " ").map(String.init)
        guard words.count >= 3, let id = Int64(words[1]) else { return nil }
        let windows = words[2...].map { Day.window($0) }
        let change = AiringChange(
            AiringID(id), from: words[0] == "+" ? nil : windows.first, to: words[0] == "-" ? nil : windows.last)
        return change.flatMap { line($0) == text ? $0 : nil }
    }
}
