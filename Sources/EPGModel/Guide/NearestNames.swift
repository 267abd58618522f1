/// A search for the names that are most similar to a text, for "did you mean" messages.
package struct NearestNames {
    private let wanted: [Unicode.Scalar]
    /// The maximum edit distance of a similar name: less than the length of the text.
    private let limit: Int

    /// - Parameter text: The name as the user typed it. Only its first 64 characters count, and case doesn't matter.
    package init(to text: String) {
        wanted = Array(text.lowercased().unicodeScalars.prefix(64))
        limit = min(max(2, wanted.count / 2), wanted.count - 1)
    }

    /// Creates a search for a word in a large vocabulary, of which only the most similar words are plausible: with one mistake for up to
    /// four letters, with two for up to eight, and with three for longer ones.
    package init(toWord word: String) {
        wanted = Array(word.lowercased().unicodeScalars.prefix(64))
        limit = wanted.count < 3 ? 0 : wanted.count < 5 ? 1 : wanted.count < 9 ? 2 : 3
    }

    /// Returns the number of mistakes that turn a word into the text, at least one; `nil` if the word is the text or not similar.
    package func mistakes(in word: String) -> Int? {
        let distance = editDistance(to: Array(word.lowercased().unicodeScalars.prefix(64)))
        return distance > 0 && distance <= limit ? distance : nil
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
        let letters = Array(name.unicodeScalars.prefix(64))
        if letters == wanted { return 0 }
        if wanted.count >= 3, name.unicodeScalars.contains(wanted) { return 1 }
        return editDistance(to: letters)
    }

    /// Returns the number of letters to insert, remove, replace, or swap with the next one, or some number above the limit if it exceeds
    /// the limit.
    private func editDistance(to letters: [Unicode.Scalar]) -> Int {
        guard abs(wanted.count - letters.count) <= limit else { return limit + 1 }
        var beforePrevious: [Int] = []
        var previous = Array(0...letters.count)
        for (row, letter) in wanted.enumerated() {
            var current = [row + 1]
            current.reserveCapacity(previous.count)
            for (column, candidate) in letters.enumerated() {
                let replaced = previous[column] + (letter == candidate ? 0 : 1)
                var distance = min(replaced, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, letter == letters[column - 1], candidate == wanted[row - 1] {
                    distance = min(distance, beforePrevious[column - 1] + 1)
                }
                current.append(distance)
            }
            (beforePrevious, previous) = (previous, current)
        }
        return previous[letters.count]
    }
}
