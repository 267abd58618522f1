import EPGJSON

/// Counts the lines of a file of EPG JSON, and tells whether its guides are whole.
///
/// A guide is whole that doesn't announce an end, or has one. A file may hold several, one after the other.
struct EPGJSONTally {
    /// What is wrong with the end of a guide; no line is lost by it.
    enum Fault: Hashable {
        /// A guide announces an end that isn't there: it was cut off.
        case noEnd
        /// Other numbers of lines are announced than were read.
        case otherCount(announced: String, read: String)
        /// A count that is no whole number.
        case noCount(member: String)
        /// Lines stand behind the end of a guide, and no line of the type `guide` before them.
        case behindEnd
    }

    private enum Phase {
        /// No end is announced.
        case open
        /// An end is to come.
        case announced
        /// The end was read.
        case ended
        /// Lines were read behind it, and reported.
        case continued
    }

    private var phase = Phase.open
    private var stations = 0
    private var airings = 0

    /// Takes a line that was read, whether or not its record makes sense; what is wrong with the end of a guide.
    mutating func take(_ node: JSONNode, _ kind: EPGJSONLine.Kind?) -> Fault? {
        switch kind {
        case .guide: return begin(announcesEnd: node[ElementJSON.end]?.bool == true)
        case .station: stations += 1
        case .airing: airings += 1
        case .end: return end(node)
        case nil: break
        }
        return markLineBehindEnd()
    }

    /// What is wrong with the end of the last guide, where the file ends.
    func faultAtEndOfFile() -> Fault? { phase == .announced ? .noEnd : nil }

    private mutating func begin(announcesEnd: Bool) -> Fault? {
        let fault = faultAtEndOfFile()
        self = EPGJSONTally()
        if announcesEnd { phase = .announced }
        return fault
    }

    private mutating func end(_ node: JSONNode) -> Fault? {
        if let fault = markLineBehindEnd() { return fault }
        defer {
            self = EPGJSONTally()
            phase = .ended
        }
        var (announced, read): ([String], [String]) = ([], [])
        for (member, count) in [("stations", stations), ("airings", airings)] {
            guard let value = node[member], value.kind != .null else { continue }
            guard let number = value.integer else { return .noCount(member: member) }
            guard number != Int64(count) else { continue }
            announced.append("\(number) \(member)")
            read.append("\(count)")
        }
        guard !announced.isEmpty else { return nil }
        return .otherCount(
            announced: announced.joined(separator: " and "), read: read.joined(separator: " and "))
    }

    /// Says once that a line stands behind the end.
    private mutating func markLineBehindEnd() -> Fault? {
        guard phase == .ended else { return nil }
        phase = .continued
        return .behindEnd
    }
}

extension EPGJSONTally.Fault: CustomStringConvertible {
    /// `end: 14 airings are announced, 13 were read`.
    var description: String {
        switch self {
        case .noEnd: "a guide whose last line, of the type end, is missing"
        case .otherCount(let announced, let read): "end: \(announced) are announced, \(read) were read"
        case .noCount(let member): "end: \(member) is no whole number"
        case .behindEnd: "lines behind the end of the guide are read, too"
        }
    }
}
