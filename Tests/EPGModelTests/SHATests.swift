import EPGModel
import TestSupport
import Testing

@Suite struct SHATests {
    /// Expected values are calculated with sha1sum(1) and hashlib.
    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (String(repeating: "a", count: 55), "c1c8bbdc22796e28c0e15163d20899b65621d65a"),
        (String(repeating: "a", count: 56), "c2db330f6083854c99d4b5bfb6e8f29f201be699"),
        (String(repeating: "a", count: 64), "0098ba824b5c16427bd7a1122a5a442a25ec644d"),
        (String(repeating: "a", count: 119), "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56"),
        (String(repeating: "a", count: 120), "f34c1488385346a55709ba056ddd08280dd4c6d6"),
    ])
    func sha1IsThatOfTheStandard(text: String, hash: String) {
        expectEqual(SHA1.hexadecimal(of: text), hash)
    }

    /// Vectors of FIPS 180-2, appendix B, and one of Python's hashlib.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
        (String(repeating: "epg", count: 100), "fd74df5a4570285a048ccd3196e59718e0ad5d2746dec191bb0694a483b4bfd0"),
    ])
    func sha256IsThatOfTheStandard(text: String, hash: String) {
        expectEqual(SHA256.hexadecimal(of: text), hash)
    }
}
