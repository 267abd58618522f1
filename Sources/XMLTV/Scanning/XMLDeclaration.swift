/// `version="1.0" encoding="UTF-8" standalone="yes"`: the content of an XML declaration ([23] to [32], [80]).
struct XMLDeclaration {
    /// As it is written.
    private(set) var encoding: String?
    private(set) var isStandalone = false

    /// Reads what stands between `<?xml` and `?>`.
    ///
    /// The order of the three is fixed, only the version must be there. Versions 1.2 and above are read as 1.0 (2.8);
    /// 1.1, which has other rules, and versions that aren't 1.x are refused.
    init(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(ScanFault) {
        var fields: [(name: String, value: String)] = []
        var index = range.lowerBound
        while true {
            let afterSpace = Self.skipSpace(bytes, index, range.upperBound)
            if afterSpace == range.upperBound { break }
            guard afterSpace > index else { throw Self.fault(range) }
            index = afterSpace
            let name = Self.take(bytes, &index, range.upperBound) { $0.isASCIIName }
            index = Self.skipSpace(bytes, index, range.upperBound)
            guard index < range.upperBound, bytes[index] == ASCII.equals else { throw Self.fault(range) }
            index = Self.skipSpace(bytes, index + 1, range.upperBound)
            guard index < range.upperBound, bytes[index] == ASCII.doubleQuote || bytes[index] == ASCII.singleQuote
            else { throw Self.fault(range) }
            let quote = bytes[index]
            index += 1
            let value = Self.take(bytes, &index, range.upperBound) { $0 != quote }
            guard index < range.upperBound else { throw Self.fault(range) }
            index += 1
            fields.append((name, value))
        }
        try take(fields, range)
    }

    private mutating func take(_ fields: [(name: String, value: String)], _ range: Range<Int>) throws(ScanFault) {
        let order = ["version", "encoding", "standalone"]
        let places = fields.map { order.firstIndex(of: $0.name) ?? -1 }
        guard places.first == 0, !places.contains(-1), zip(places, places.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw Self.fault(range)
        }
        for field in fields {
            switch field.name {
            case "version":
                guard !field.value.isEmpty, field.value.utf8.allSatisfy({ $0.isASCIIName }) else {
                    throw Self.fault(range)
                }
                let digits = field.value.dropFirst(2)
                let isOne = field.value.hasPrefix("1.") && !digits.isEmpty && digits.utf8.allSatisfy { $0 &- 0x30 < 10 }
                if !isOne || field.value == "1.1" {
                    throw ScanFault(reason: .unsupportedVersion(field.value), offset: range.lowerBound)
                }
            case "encoding":
                guard let first = field.value.utf8.first, first.isASCIINameStart, first != 0x5F, first != 0x3A,
                    field.value.utf8.allSatisfy({ $0.isASCIIName && $0 != 0x3A })
                else { throw Self.fault(range) }
                encoding = field.value
            default:
                guard field.value == "yes" || field.value == "no" else { throw Self.fault(range) }
                isStandalone = field.value == "yes"
            }
        }
    }

    private static func fault(_ range: Range<Int>) -> ScanFault {
        ScanFault(reason: .badDeclaration, offset: range.lowerBound)
    }

    private static func skipSpace(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
        var index = start
        while index < end, bytes[index].isXMLSpace { index += 1 }
        return index
    }

    private static func take(
        _ bytes: Span<UInt8>, _ index: inout Int, _ end: Int, while accepts: (UInt8) -> Bool
    ) -> String {
        var text: [UInt8] = []
        while index < end, accepts(bytes[index]) {
            text.append(bytes[index])
            index += 1
        }
        return String(decoding: text, as: UTF8.self)
    }
}
