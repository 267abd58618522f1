import EPGModel
import TestSupport
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
            // Invalid names are rejected.
            ("", nil, nil), (".", nil, nil), ("x", nil, nil), ("-1", nil, nil), ("+1", nil, nil), (" 1", nil, nil),
            ("1.", nil, nil), (".k", nil, nil), ("1.K", nil, nil), ("1.k.k", nil, nil), ("1.é", nil, nil),
            ("1.abcdefghijklmn", nil, nil), ("1,k", nil, nil), ("9223372036854775808", nil, nil), ("١", nil, nil),
        ] as [(String, Int64?, String?)])
    func generationNamesAreParsed(text: String, generation: Int64?, key: String?) {
        let name = GenerationName(text)
        expectEqual(name?.generation, generation.map { Generation($0) })
        expectEqual(name?.key, key)
    }

    @Test func fullNameRoundTrips() {
        expectEqual(GenerationName(name().description), name())
        expectEqual(name().key?.isEmpty, false)
    }

    @Test func fullNameDependsOnGenerationDatabaseAndEdition() {
        let names = [name(), name(8), name(nonce: 2), name(edition: "f")]
        expectEqual(Set(names).count, names.count)
        for other in names.dropFirst() { #expect(!name().refers(to: other)) }
        #expect(name().refers(to: name()))
    }

    @Test func numberAloneMatchesAnyDatabase() throws {
        let number = try #require(GenerationName("7"))
        #expect(number.refers(to: name()) && number.refers(to: name(nonce: 2)))
        #expect(!number.refers(to: name(8)))
    }
}
