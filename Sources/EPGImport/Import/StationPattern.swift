/// A pattern of station identifiers: `*` stands for any text, `?` for one character; case doesn't matter.
public struct StationPattern: Hashable, Sendable {
    private let pattern: [Character]

    public init(_ text: String) {
        pattern = Array(text.lowercased())
    }

    /// Whether an identifier matches.
    ///
    /// - Complexity: O(n·m) at worst: a star is tried again one character later, and only the last star is.
    public func matches(_ identifier: String) -> Bool {
        let text = Array(identifier.lowercased())
        var (place, index) = (0, 0)
        var retry: (place: Int, index: Int)?
        while index < text.count {
            if place < pattern.count, pattern[place] == "*" {
                retry = (place, index)
                place += 1
            } else if place < pattern.count, pattern[place] == "?" || pattern[place] == text[index] {
                place += 1
                index += 1
            } else if let last = retry {
                retry = (last.place, last.index + 1)
                place = last.place + 1
                index = last.index + 1
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }
}
