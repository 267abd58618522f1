/// Finds the names that look most like a text, to say "did you mean".
struct NearestNames {
    private let wanted: [Character]
    private var candidates: [(id: String, distance: Int)] = []

    /// How many letters of a near name may differ.
    private var most: Int { max(2, wanted.count / 2) }

    init(_ text: String) {
        wanted = Array(text.lowercased().prefix(64))
    }

    /// Measures a station by its identifier and its name, whichever is nearer.
    mutating func consider(id: String, name: String) {
        let distances = [id, name].flatMap { text in
            // A part of the name, such as the "lantern" of "lantern.example", is a little farther than the whole.
            [distance(to: text)]
                + text.split { !$0.isLetter && !$0.isNumber }.filter { $0.count >= 4 }.map { distance(to: $0) + 1 }
        }
        if let distance = distances.min(), distance <= most { candidates.append((id, distance)) }
    }

    /// The nearest identifiers, those that came first before others as near.
    func best(_ limit: Int) -> [String] {
        candidates.sorted { $0.distance < $1.distance }.prefix(limit).map(\.id)
    }

    /// The number of letters to insert, remove or replace (Levenshtein); 1 where the wanted text is a part of the name.
    private func distance(to name: some StringProtocol) -> Int {
        let name = name.lowercased()
        let letters = Array(name.prefix(64))
        if letters == wanted { return 0 }
        if wanted.count >= 3, name.contains(String(wanted)) { return 1 }
        guard abs(letters.count - wanted.count) <= most else { return .max - 1 }
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
