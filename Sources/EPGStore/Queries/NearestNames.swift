/// Finds the names that look most like a text, to say "did you mean".
struct NearestNames {
    private let wanted: [Character]
    private var candidates: [(id: String, distance: Int)] = []

    init(_ text: String) {
        wanted = Array(text.lowercased().prefix(64))
    }

    /// Measures a station by its identifier and its name, whichever is nearer.
    mutating func consider(id: String, name: String) {
        var distance = min(distance(to: id), distance(to: name))
        for text in [id, name] {
            // A part of the name, such as the "lantern" of "lantern.example", is a little farther than the whole.
            for part in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) where part.count >= 4 {
                distance = min(distance, self.distance(to: String(part)).advanced(by: 1))
            }
        }
        guard distance <= max(2, wanted.count / 2) else { return }
        candidates.append((id, distance))
    }

    /// The nearest identifiers, those that came first before others as near.
    func best(_ limit: Int) -> [String] {
        candidates.enumerated()
            .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
            .prefix(limit).map(\.element.id)
    }

    /// The number of letters to insert, remove or replace (Levenshtein); 1 where the wanted text is a part of the name.
    private func distance(to name: String) -> Int {
        let letters = Array(name.lowercased().prefix(64))
        if letters == wanted { return 0 }
        if wanted.count >= 3, name.lowercased().contains(String(wanted)) { return 1 }
        // Names of much other length can't be near.
        guard abs(letters.count - wanted.count) <= max(2, wanted.count / 2) else { return .max - 1 }
        var previous = Array(0...letters.count)
        for (row, letter) in wanted.enumerated() {
            var current = [row + 1]
            for (column, other) in letters.enumerated() {
                current.append(
                    min(previous[column] + (letter == other ? 0 : 1), previous[column + 1] + 1, current[column] + 1))
            }
            previous = current
        }
        return previous[letters.count]
    }
}
