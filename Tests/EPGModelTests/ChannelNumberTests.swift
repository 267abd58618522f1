import EPGModel
import Testing

@Suite struct ChannelNumberTests {
    @Test func numbersSortPartByPart() throws {
        // The order of architecture.md, "Words".
        let texts = ["2", "7", "7.1", "7.2", "7.10", "7.10.1", "8", "10", "100"]
        let numbers = try texts.map { try #require(ChannelNumber($0)) }
        #expect(numbers.reversed().sorted() == numbers)
        for (first, second) in zip(numbers, numbers.dropFirst()) {
            #expect(first < second)
            #expect(!(second < first))
        }
    }

    @Test(arguments: [
        ("7", "7"), ("7.1", "7.1"), ("7-1", "7.1"), ("007", "7"), ("0", "0"), ("1.2.3.4", "1.2.3.4"),
        ("999999", "999999"),
    ])
    func numbersAreReadAndWritten(text: String, written: String) {
        #expect(ChannelNumber(text)?.description == written)
    }

    @Test(arguments: [
        "", ".", "7.", ".7", "7..1", "-7", "+7", "7a", "7 ", " 7", "seven", "٧", "７", "1.2.3.4.5", "1000000",
        "99999999999999999999999", "7,1", "7.-1",
    ])
    func whatIsNoNumberIsNil(text: String) {
        #expect(ChannelNumber(text) == nil)
    }
}
