/// The part of a body that an answer with status 206 brings: `bytes 100-199/200` (RFC 9110, 14.4).
struct ContentRange: Hashable {
    let first: Int64
    let last: Int64
    /// Bytes of the whole body; `nil` where the server doesn't know.
    let total: Int64?

    /// Reads a field's value; `nil` for another unit, and for numbers that contradict each other.
    init?(_ value: String) {
        let words = value.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = ContentRange.number(ends[0]), let last = ContentRange.number(ends[1]),
            first <= last
        else { return nil }
        if parts[1] == "*" {
            total = nil
        } else {
            guard let total = ContentRange.number(parts[1]), last < total else { return nil }
            self.total = total
        }
        self.first = first
        self.last = last
    }

    private static func number(_ text: Substring) -> Int64? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}
