import EPGModel

/// Finds the names that a person may have meant.
enum NearestNames {
    /// At most three names, the nearest first; none where nothing is near.
    ///
    /// Near is a name of which the text is the last part, whatever the case (`london`), or one that comes of the text,
    /// or whose last part does, by few changes of single letters: one for every three.
    ///
    /// - Complexity: O(*n* · *m*²) for *n* names of *m* bytes.
    static func suggestions(for text: String, among names: [String]) -> [String] {
        // A blank is how people write what the database writes as `_`.
        let wanted = Array(text.lowercased().utf8.prefix(64).map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "_") : $0 })
        let limit = wanted.count / 3
        let ranked = names.compactMap { name -> (distance: Int, name: String)? in
            let candidate = Array(name.lowercased().utf8)
            let lastPart = candidate.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? candidate
            let distance = min(
                wanted.editDistance(to: candidate, limit: limit), wanted.editDistance(to: lastPart, limit: limit))
            return distance <= limit ? (distance, name) : nil
        }
        return ranked.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
    }
}
