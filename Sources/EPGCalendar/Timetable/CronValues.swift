/// The numbers that a field of a ``CronExpression`` names.
struct CronValues: Hashable, Sendable {
    /// Bit *n* stands for the number *n*, 0…63.
    private var bits: UInt64 = 0
    /// Whether the field's text begins with `*`, also as `*/2`: cron treats such a field as one that restricts nothing
    /// when it combines the day fields and when it decides about switch days.
    var beginsWithStar = false

    mutating func insert(_ number: Int) {
        precondition((0...63).contains(number), "every number of a field is one of 0 to 59")
        bits |= 1 << UInt64(number)
    }

    func contains(_ number: Int) -> Bool { first(from: number) == number }

    /// The least number at or above another one; `nil` when there is none.
    func first(from number: Int) -> Int? {
        guard number < 64 else { return nil }
        let rest = bits & (~0 << UInt64(max(number, 0)))
        return rest == 0 ? nil : rest.trailingZeroBitCount
    }

    /// The numbers, ascending.
    var numbers: [Int] { (0..<64).filter { contains($0) } }
}
