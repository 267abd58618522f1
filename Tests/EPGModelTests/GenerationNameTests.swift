import EPGModel
import Testing

@Suite("Names of generations")
struct GenerationNameTests {
    private func name(_ generation: Int64 = 7, nonce: Int64 = 1, edition: String = "e") -> GenerationName {
        GenerationName(
            GuideVersion(generation: Generation(generation), nonce: nonce, since: nil), edition: edition)
    }

    @Test(
        arguments: [
            ("42", 42, nil), ("0", 0, nil), ("9223372036854775807", .max, nil), ("42.k3f9", 42, "k3f9"),
            ("007.0", 7, "0"), ("1.abcdefghijklm", 1, "abcdefghijklm"),
        ] as [(String, Int64, String?)])
    func generationNamesAreParsed(text: String, generation: Int64, key: String?) throws {
        let name = try #require(GenerationName(text))
        #expect(name.generation == Generation(generation))
        #expect(name.key == key)
    }

    @Test(arguments: [
        "", ".", "x", "-1", "+1", " 1", "1.", ".k", "1.K", "1.k.k", "1.é", "1.abcdefghijklmn", "1,k",
        "9223372036854775808",
        "١",
    ])
    func invalidGenerationNamesAreRejected(text: String) {
        #expect(GenerationName(text) == nil)
    }

    @Test func fullNameRoundTrips() {
        #expect(GenerationName(name().description) == name())
        #expect(name().key?.isEmpty == false)
    }

    @Test func fullNameDependsOnGenerationDatabaseAndEdition() {
        let names = [name(), name(8), name(nonce: 2), name(edition: "f")]
        #expect(Set(names).count == names.count)
        for other in names.dropFirst() { #expect(!name().refers(to: other)) }
        #expect(name().refers(to: name()))
    }

    @Test func numberAloneMatchesAnyDatabase() throws {
        let number = try #require(GenerationName("7"))
        #expect(number.refers(to: name()) && number.refers(to: name(nonce: 2)))
        #expect(!number.refers(to: name(8)))
    }
}
