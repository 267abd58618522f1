import XMLTV

/// A question about a programme.
enum GrepTest {
    /// Whether a pattern is found anywhere: in the names and values of its attributes and elements.
    case anything(GrepPattern)
    case field(GrepField, GrepPattern)
    /// Whether its channel has exactly this identifier.
    case channelID(String)
    case channelIDPattern(GrepPattern)
    /// Whether one of its channel's names matches: which of the names that are asked for, from 0.
    case channelName(Int)
    /// Whether some of it is on at a time or later: seconds since 1970.
    case onAfter(Int64)
    /// Whether some of it is on at a time or before: seconds since 1970.
    case onBefore(Int64)
    /// How many different attributes and elements it has.
    case fieldCount(CountComparison, Int)

    /// Whether the question is about the channel, so that it is asked of channels, too.
    var isAboutChannel: Bool {
        switch self {
        case .channelID, .channelIDPattern, .channelName: true
        default: false
        }
    }
}

/// How a count is compared, as Perl writes it.
enum CountComparison: String, CaseIterable, Sendable {
    case more = ">"
    case less = "<"
    case atLeast = ">="
    case atMost = "<="
    case equal = "=="
    case unequal = "!="

    func holds(_ left: Int, _ right: Int) -> Bool {
        switch self {
        case .more: left > right
        case .less: left < right
        case .atLeast: left >= right
        case .atMost: left <= right
        case .equal: left == right
        case .unequal: left != right
        }
    }
}

/// A question, or its opposite.
struct GrepTerm {
    let test: GrepTest
    let isNegated: Bool
}
