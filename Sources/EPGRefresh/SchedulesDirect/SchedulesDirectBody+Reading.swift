import EPGJSON

internal import EPGImport

/// How answers are read.
extension SchedulesDirectBody {
    /// An answer that isn't what the API describes.
    static func unreadable(_ detail: String) -> SchedulesDirectTrouble {
        SchedulesDirectTrouble(
            ServiceRefusal(
                problem: "the answer of Schedules Direct can't be read: \(detail)",
                advice: "The next refresh tries again; if it fails too, report it.",
                exitCode: RefreshFailure.badContent))
    }

    /// Reads JSON; what is wrong with it is the service's trouble.
    func read<Result>(
        _ read: (inout JSONScanner) throws(JSONError) -> Result
    ) throws(SchedulesDirectTrouble) -> Result {
        var scanner: JSONScanner
        do throws(SystemFailure) {
            scanner = try self.scanner()
        } catch {
            throw SchedulesDirectTrouble(error)
        }
        do throws(JSONError) {
            guard try scanner.nextDocument() else { throw JSONError(reason: .empty) }
            return try read(&scanner)
        } catch {
            throw Self.unreadable(error.description)
        }
    }

    /// A short answer as a whole.
    func root() throws(SchedulesDirectTrouble) -> JSONNode {
        try read { (json) throws(JSONError) in try json.readValue() }
    }

    /// Hands out the elements of an answer that is an array, each with its place behind its opening brace.
    func forEachRecord(_ take: (JSONNode, SchedulesDirectPlace) -> Void) throws(SchedulesDirectTrouble) {
        try read { (json) throws(JSONError) in
            try json.enterArray()
            while try json.nextElement() {
                let node = try json.readValue()
                guard node.kind == .object else { continue }
                take(node, SchedulesDirectPlace(self, behindBraceOf: node, end: json.offset))
            }
        }
    }
}

/// Where the text of a record lies, from behind its opening brace to its end.
struct SchedulesDirectPlace {
    let body: SchedulesDirectBody
    let range: Range<Int>

    init(_ body: SchedulesDirectBody, range: Range<Int>) {
        self.body = body
        self.range = range
    }

    /// The place of an object that was just read.
    ///
    /// - Parameter end: The scanner's place behind it.
    init(_ body: SchedulesDirectBody, behindBraceOf node: JSONNode, end: Int) {
        self.init(body, range: end - node.recordBytes.count + 1..<end)
    }
}
