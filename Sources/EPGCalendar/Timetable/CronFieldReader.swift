/// Reads a field of a ``CronExpression``.
///
///     field:  part { "," part }
///     part:   ( "*" | value [ "-" value ] ) [ "/" step ]
///     value:  digits | name
struct CronFieldReader {
    private typealias Bytes = ArraySlice<UInt8>

    private let field: CronField

    /// The numbers that a field names.
    ///
    /// - Complexity: O(*n*) for *n* bytes; each part names at most 60 numbers.
    static func values(of bytes: ArraySlice<UInt8>, in field: CronField) throws(CronError.Problem) -> CronValues {
        let reader = CronFieldReader(field: field)
        var values = CronValues()
        values.beginsWithStar = bytes.first == UInt8(ascii: "*")
        for part in bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            do throws(Flawed) {
                for number in try reader.readPart(part) {
                    values.insert(field == .dayOfWeek ? number % 7 : number)
                }
            } catch {
                // Without its neighbours an empty part would say nothing.
                let shown = part.isEmpty ? bytes : part
                throw .field(field, part: String(decoding: shown, as: UTF8.self), flaw: error.flaw)
            }
        }
        return values
    }

    private struct Flawed: Error {
        let flaw: CronError.Flaw
    }

    private func readPart(_ part: Bytes) throws(Flawed) -> StrideThrough<Int> {
        if part.isEmpty { throw Flawed(flaw: .missing) }
        let pieces = part.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        let range = try readRange(pieces[0])
        guard pieces.count == 2 else { return stride(from: range.lowerBound, through: range.upperBound, by: 1) }
        guard pieces[0].first == UInt8(ascii: "*") || pieces[0].contains(UInt8(ascii: "-")) else {
            throw Flawed(flaw: .stepWithoutRange)
        }
        guard let step = readNumber(pieces[1]), (1...field.all.count).contains(step) else {
            throw Flawed(flaw: .badStep)
        }
        return stride(from: range.lowerBound, through: range.upperBound, by: step)
    }

    private func readRange(_ text: Bytes) throws(Flawed) -> ClosedRange<Int> {
        if text.elementsEqual("*".utf8) { return field.all }
        let ends = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard ends.count <= 2 else { throw Flawed(flaw: .unreadable) }
        let first = try readValue(ends[0])
        guard ends.count == 2 else { return first...first }
        var last = try readValue(ends[1])
        // The Sunday at the end of `fri-sun` is the one behind the Saturday.
        if field == .dayOfWeek, last == 0, first > 0, ends[1].first?.isLetter == true { last = 7 }
        guard first <= last else { throw Flawed(flaw: .reversed) }
        return first...last
    }

    private func readValue(_ text: Bytes) throws(Flawed) -> Int {
        let lowercased = text.map { $0.isLetter ? $0 | 0x20 : $0 }
        if let index = field.names.firstIndex(where: { $0.utf8.elementsEqual(lowercased) }) {
            return field.numbers.lowerBound + index
        }
        guard let number = readNumber(text) else {
            throw Flawed(flaw: CronFieldReader.isForeign(lowercased) ? .foreign : .unreadable)
        }
        guard field.numbers.contains(number) else { throw Flawed(flaw: .outOfRange) }
        return number
    }

    /// A number of digits alone; one beyond all fields is some number beyond all fields.
    private func readNumber(_ text: Bytes) -> Int? {
        guard !text.isEmpty, text.allSatisfy(\.isDigit) else { return nil }
        return text.reduce(0) { min($0 * 10 + Int($1 - UInt8(ascii: "0")), 1000) }
    }

    /// Whether a value is what Quartz and its like have beyond cron: `?`, `L`, `15W`, `LW`, `5L`, `fri#2`.
    private static func isForeign(_ lowercased: [UInt8]) -> Bool {
        if lowercased.contains(UInt8(ascii: "?")) || lowercased.contains(UInt8(ascii: "#")) { return true }
        let letters = lowercased.drop(while: \.isDigit)
        return ["l", "w", "lw"].contains { $0.utf8.elementsEqual(letters) }
    }
}
