import Testing
import XMLTV

@Suite struct XMLTVTimeFuzzTests {
    /// The least and the greatest instant that can be written: year 0000 at +15:59, and the end of 9999 at −15:59.
    static let bounds: ClosedRange<Int64> = (-62_167_219_200 - 57_540)...(253_402_300_800 + 57_540)

    private func expectSensible(_ bytes: [UInt8]) {
        do {
            let time = try XMLTVTime(parsing: bytes.span)
            #expect(Self.bounds.contains(time.secondsSince1970), "\(bytes)")
            #expect(abs(time.utcOffset ?? 0) <= 57_540, "\(bytes)")
        } catch {
            #expect(!error.description.isEmpty)
        }
    }

    @Test func randomBytesNeverTrap() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<5000 {
            let count = Int.random(in: 0...40, using: &random)
            expectSensible((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
    }

    @Test func randomLettersOfTimesNeverTrap() {
        var random = SystemRandomNumberGenerator()
        let letters = Array("0123456789:-+TZ .,BSTUCGMe".utf8)
        for _ in 0..<10_000 {
            expectSensible(
                (0..<Int.random(in: 0...30, using: &random)).map { _ in letters.randomElement(using: &random) ?? 0 })
        }
    }

    /// One byte of a good time changed to each other byte: read otherwise or refused, never a trap.
    @Test(arguments: ["20260329003000 +0100", "2026-03-29T00:30:00.5+01:00", "20260329 00:30 GMT+1"])
    func everyChangedByteIsHandled(_ text: String) {
        let good = Array(text.utf8)
        for index in good.indices {
            for byte in UInt8.min...UInt8.max {
                var bytes = good
                bytes[index] = byte
                expectSensible(bytes)
            }
            expectSensible(Array(good[..<index]))
        }
    }

    @Test(arguments: ["1", " ", "+", "A", "."])
    func longInputIsHandled(_ filler: String) {
        for head in ["", "20260329003000 ", "20260329003000 +", "20260329003000 UTC", "20260329003000."] {
            expectSensible(Array((head + String(repeating: filler, count: 20_000)).utf8))
        }
    }
}
