/// How much a compressed guide may ask for.
package struct UnpackingLimits: Hashable, Sendable {
    /// The largest unpacked size in bytes, of every layer; 4 GiB.
    package var size = 4 << 30
    /// How many times larger than the packed file every layer may be, once it is larger than ``freeSize``; 200.
    package var ratio = 200
    /// The unpacked size in bytes up to which the ratio isn't asked for; 16 MiB.
    package var freeSize = 16 << 20
    /// The largest window or dictionary in bytes that xz and zstd may ask for, of every layer; 128 MiB.
    ///
    /// That is what zstd itself allows, and twice what `xz -9` uses. A zstd window is a power of two, so a limit between
    /// two of them counts as the lower one. gzip and bzip2 need less than 4 MiB always.
    package var window = 128 << 20
    /// How many entries of a zip file are looked at to find a guide; 1,000.
    package var entries = 1000
    /// How many times over a file may be packed; 3.
    package var layers = 3

    package init() {}

    /// A number of bytes in words, such as "4 GiB"; rounded down to what can be said in whole numbers.
    static func words(_ bytes: Int) -> String {
        switch bytes {
        case ..<(1 << 20): "\(bytes) bytes"
        case ..<(1 << 30): "\(bytes >> 20) MiB"
        case let bytes where bytes & ((1 << 30) - 1) == 0: "\(bytes >> 30) GiB"
        default: "\(bytes >> 20) MiB"
        }
    }
}
