package import EPGModel

/// Finds the stations whose identifier or name looks most like a text, to ask "did you mean".
package struct StationSuggestions {
    private let wanted: [Character]

    /// The number of letters of a near name that may differ.
    private var limit: Int { max(2, wanted.count / 2) }

    /// - Parameter text: The name as the user typed it; only its first 64 characters count, and case doesn't matter.
    package init(for text: String) {
        wanted = Array(text.lowercased().prefix(64))
    }

    /// At most five stations, the nearest first; of those that are as near, the first ones.
    package func nearest(among stations: [StationRow]) -> [StationRow] {
        let near = stations.compactMap { row -> (row: StationRow, distance: Int)? in
            let distance = min(distance(toName: row.station.id.rawValue), distance(toName: row.station.name))
            return distance <= limit ? (row, distance) : nil
        }
        return near.sorted { $0.distance < $1.distance }.prefix(5).map(\.row)
    }

    /// The distance to a name; to a part of it, such as the "lantern" of "lantern.example", it counts as a little farther.
    private func distance(toName name: String) -> Int {
        let parts: [Substring] = name.split { !$0.isLetter && !$0.isNumber }
        return parts.filter { $0.count >= 4 }.reduce(distance(to: name)) { min($0, distance(to: $1) + 1) }
    }

    /// The edit distance; 1 where the text is a part of the name.
    private func distance(to name: some StringProtocol) -> Int {
        let name = name.lowercased()
        let letters = Array(name.prefix(64))
        if letters == wanted { return 0 }
        if wanted.count >= 3, name.contains(String(wanted)) { return 1 }
        return wanted.editDistance(to: letters, limit: limit)
    }
}
