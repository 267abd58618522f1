/// One of the five fields of a ``CronExpression``, in the order in which they are written.
public enum CronField: String, Hashable, Sendable, CaseIterable {
    case minute
    case hour
    case dayOfMonth = "day of the month"
    case month
    case dayOfWeek = "day of the week"

    /// The numbers that may be written; 0 and 7 are both Sunday.
    public var numbers: ClosedRange<Int> {
        switch self {
        case .minute: 0...59
        case .hour: 0...23
        case .dayOfMonth: 1...31
        case .month: 1...12
        case .dayOfWeek: 0...7
        }
    }

    /// What `*` means: all numbers, Sunday once.
    var all: ClosedRange<Int> { self == .dayOfWeek ? 0...6 : numbers }

    /// The names of the numbers from the first on, in lower case; empty where they have none.
    public var names: [String] {
        switch self {
        case .minute, .hour, .dayOfMonth: []
        case .month: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        case .dayOfWeek: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
        }
    }
}
