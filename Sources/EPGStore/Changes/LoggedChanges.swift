/// What the log says of a station's schedule in one generation: a value of the column `change.airings`.
enum LoggedChanges: Equatable {
    /// NULL: any of it may be another.
    case whole
    /// The bytes of single changes, see `schema.sql`.
    case airings([UInt8])

    /// More changes of one station in one generation aren't told singly.
    static let limit = 2000

    /// The longest bytes of that many changes: kind, identifier and two windows of two numbers, each of ten bytes at most.
    static let longest = limit * (1 + 5 * 10)

    /// The bytes; `nil` for the whole schedule.
    var blob: [UInt8]? {
        switch self {
        case .whole: nil
        case .airings(let bytes): bytes
        }
    }
}
