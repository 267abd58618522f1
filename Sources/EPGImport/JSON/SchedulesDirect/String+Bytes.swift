extension String {
    /// Whether the bytes of a short text stand in it.
    ///
    /// `contains` of the standard library makes a table for each search, which takes far longer than to look for a word.
    ///
    /// - Complexity: O(*nm*) for a text of m bytes.
    func hasBytes(of part: String) -> Bool {
        let (bytes, part) = (utf8.span, part.utf8.span)
        guard bytes.count >= part.count else { return false }
        for start in 0...bytes.count - part.count {
            var index = 0
            while index < part.count, bytes[start + index] == part[index] { index += 1 }
            if index == part.count { return true }
        }
        return false
    }
}
