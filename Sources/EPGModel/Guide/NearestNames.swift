/// A search for the names that are most similar to a text, for "did you mean" messages.
package struct NearestNames {
    private let wanted: [Character]

    /// The maximum edit distance of a similar name, in characters: less than the length of the text.
    private var limit: Int { min(max(2, wanted.count / 2), wanted.count - 1) }

    /// - Parameter text: The name as the user typed it. Only its first 64 characters count, and case doesn't matter.
    package init(to text: String) {
        wanted = Array(text.lowercased().prefix(64))
    }

    /// Returns the items with the most similar names, nearest first. Earlier items win ties.
    ///
    /// - Parameters:
    ///   - count: The maximum number of items to return.
    ///   - names: Returns the names of an item.
    /// - Complexity: O(*n* · *m*²) for *n* names of *m* characters.
    package func nearest<Item>(_ count: Int, among items: [Item], names: (Item) -> [String]) -> [Item] {
        let near = items.compactMap { item -> (item: Item, distance: Int)? in
            guard let distance = names(item).lazy.map(distance(toName:)).min(), distance <= limit else { return nil }
            return (item, distance)
        }
        return near.sorted { $0.distance < $1.distance }.prefix(count).map(\.item)
    }

    /// Returns the distance to a name. A match of a part, such as "lantern" in "lantern.example", counts as slightly
    /// farther.
    private func distance(toName name: String) -> Int {
        let parts: [Substring] = name.split { !$0.isLetter && !$0.isNumber }
        return parts.filter { $0.count >= 4 }.reduce(distance(to: name)) { min($0, distance(to: $1) + 1) }
    }

    /// Returns the edit distance, or 1 if the name contains the text.
    private func distance(to name: some StringProtocol) -> Int {
        let name = name.lowercased()
        let letters = Array(name.prefix(64))
        if letters == wanted { return 0 }
        if wanted.count >= 3, name.contains(String(wanted)) { return 1 }
        return editDistance(to: letters)
    }

    /// Returns the Levenshtein distance, or some number above the limit if it exceeds the limit.
    private func editDistance(to letters: [Character]) -> Int {
        guard abs(wanted.count - letters.count) <= limit else { return limit + 1 }
        var previous = Array(0...letters.count)
        for (row, letter) in wanted.enumerated() {
            var current = [row + 1]
            for (column, candidate) in letters.enumerated() {
                let replaced = previous[column] + (letter == candidate ? 0 : 1)
                current.append(min(replaced, previous[column + 1] + 1, current[column] + 1))
            }
            previous = current
        }
        return previous[letters.count]
    }
}
