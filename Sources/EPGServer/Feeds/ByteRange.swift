/// Which bytes a client asks for (`Range`, RFC 9110, 14.2).
enum ByteRange: Hashable, Sendable {
    /// All of them: no range is asked for, or one that may be passed over, such as several at once.
    case whole
    case part(Range<Int>)
    /// None of them is there.
    case unsatisfiable

    /// - Parameters:
    ///   - field: The field `Range`; `nil` where there is none.
    ///   - count: How many bytes there are.
    init(_ field: String?, of count: Int) {
        guard let field, let equals = field.firstIndex(of: "="),
            field[..<equals].lowercased() == "bytes"
        else {
            self = .whole
            return
        }
        let text = field[field.index(after: equals)...].filter { $0 != " " && $0 != "\t" }
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2, let first = ByteRange.number(ends[0]), let last = ByteRange.number(ends[1]) else {
            self = .whole
            return
        }
        switch (first, last) {
        case (nil, nil): self = .whole
        case (nil, let length?):
            self = length > 0 && count > 0 ? .part(max(0, count - length)..<count) : .unsatisfiable
        case (let first?, let last):
            if let last, last < first {
                self = .whole
            } else {
                self = first < count ? .part(first..<min(last ?? .max, count - 1) + 1) : .unsatisfiable
            }
        }
    }

    /// Digits as a number, at most `Int.max`; `nil` inside for no digit at all, `nil` for anything else.
    private static func number(_ text: Substring) -> Int?? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return .some(text.isEmpty ? nil : Int(text) ?? .max)
    }
}
