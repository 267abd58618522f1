import Testing

@testable import EPGStore

/// The vectors that its authors publish (github.com/veorq/SipHash, vectors.h): the key is 00 01 … 0f, the texts are
/// 00 01 … of every length.
@Suite struct SipHashTests {
    @Test(
        arguments: [
            (0, 0x726f_db47_dd0e_0e31), (1, 0x74f8_39c5_93dc_67fd), (7, 0xab02_00f5_8b01_d137),
            (8, 0x93f5_f579_9a93_2462), (15, 0xa129_ca61_49be_45e5),
        ] as [(Int, UInt64)])
    func hashesAreThoseOfTheAuthors(count: Int, hash: UInt64) {
        let text = (0..<count).map { UInt8($0) }
        #expect(SipHash.hash(text, low: 0x0706_0504_0302_0100, high: 0x0f0e_0d0c_0b0a_0908) == hash)
    }
}
