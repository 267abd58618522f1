import EPGJSON
import EPGModel
import TestSupport
import Testing

/// Tests that compare the fast paths of the JSON writer with simple implementations.
@Suite struct JSONBytesTests {
    private func json(_ value: some JSONValue) -> String {
        var writer = JSONWriter()
        writer.write(value)
        return writer.text
    }

    /// Returns a character as escaped by RFC 8259, section 7. DEL, C1 control characters, line separators and bidirectional
    /// control characters are also escaped.
    private func quoted(_ scalar: Unicode.Scalar) -> String {
        let named: [UInt32: String] = [8: "b", 9: "t", 10: "n", 12: "f", 13: "r", 0x22: "\"", 0x5C: "\\"]
        if let name = named[scalar.value] { return "\\" + name }
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: return String(Character(scalar))
        }
    }

    @Test func everyCharacterIsEscapedAsSpecified() {
        for plane in stride(from: UInt32(0), to: 0x20000, by: 0x400) {
            let scalars = (plane..<plane + 0x400).compactMap(Unicode.Scalar.init)
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            var expected = String.UnicodeScalarView()
            for scalar in scalars { expected.append(contentsOf: quoted(scalar).unicodeScalars) }
            let written = json(String(text)).unicodeScalars
            expectEqual(
                written.elementsEqual("\"\(String(expected))\"".unicodeScalars), true,
                "from U+\(String(plane, radix: 16))")
        }
    }

    @Test(arguments: [0, 1, -1, 9, 10, -10, 99, 100, 1_792_864_800, .max, .min] as [Int64])
    func integersMatchTheirDescription(number: Int64) {
        expectEqual(json(number), String(number))
    }

    @Test(
        arguments: [
            0, 1_792_864_800, -1, -2_208_988_800, 253_402_300_799, 253_402_300_800, -62_167_219_200, -62_167_219_201,
            951_782_399, .max / 4,
        ] as [Int64])
    func instantsMatchTheirDescription(seconds: Int64) {
        let instant = Instant(secondsSince1970: seconds)
        expectEqual(json(instant), "\"\(instant.iso8601)\"")
    }

    @Test(arguments: [[], [0], [7, -7], [.min, .max, 10, -10, 100, 1_795_350_896]] as [[Int64]])
    func batchedIntegersEqualSingleIntegers(numbers: [Int64]) {
        var writer = JSONWriter()
        writer.object { json in
            json.member("a", integers: numbers.count) { numbers[$0] }
            json.member("b", integers: numbers.count) { numbers[$0] }
        }
        let list = "[" + numbers.map(\.description).joined(separator: ",") + "]"
        expectEqual(writer.text, "{\"a\":\(list),\"b\":\(list)}")
    }
}
