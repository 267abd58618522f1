/// A pattern of identifiers or names: `*` matches any text and `?` one character, ignoring case.
public struct WildcardPattern: Hashable, Sendable {
    private let pattern: [Character]

    /// Creates a pattern. A text without `*` and `?` matches only itself.
    public init(_ text: String) {
        pattern = Array(text.lowercased())
    }

    /// Returns whether a text matches.
    ///
    /// - Complexity: O(n·m) in the worst case: only the last `*` is retried, one character later each time.
    public func matches(_ text: String) -> Bool {
        let text = Array(text.lowercased())
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
