/// What XML allows as the name of an element or attribute.
enum XMLNames {
    /// Whether a text is a name: XML 1.0, fifth edition, production [5].
    ///
    /// - Complexity: O(bytes of the text).
    static func isName(_ text: String) -> Bool {
        var isFirst = true
        for scalar in text.unicodeScalars {
            let value = scalar.value
            let isAllowed: Bool
            if value < 0x80 {
                let byte = UInt8(truncatingIfNeeded: value)
                isAllowed = isFirst ? byte.isASCIINameStart : byte.isASCIIName
            } else {
                isAllowed = isFirst ? value.isNameStart : value.isName
            }
            guard isAllowed else { return false }
            isFirst = false
        }
        return !isFirst
    }
}
