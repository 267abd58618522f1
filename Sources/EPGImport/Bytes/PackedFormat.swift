/// A way to pack bytes that can be unpacked here; told by the first bytes, never by a name.
package enum PackedFormat: String, CaseIterable, Sendable {
    case gzip, xz, bzip2, zstd, zip

    /// The format that bytes begin with; `nil` for none of these.
    ///
    /// A skippable frame, with which a zstd file may begin too, counts as zstd.
    package init?(firstBytes: some Collection<UInt8>) {
        let bytes = Array(firstBytes.prefix(6))
        switch bytes {
        case let bytes where bytes.starts(with: [0x1F, 0x8B]): self = .gzip
        case let bytes where bytes.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]): self = .xz
        // "BZh", then the size of a block as a digit.
        case let bytes where bytes.count >= 4 && bytes.starts(with: [0x42, 0x5A, 0x68]) && Self.isSize(bytes[3]):
            self = .bzip2
        case let bytes where bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]): self = .zstd
        case let bytes where bytes.count >= 4 && bytes[0] & 0xF0 == 0x50 && bytes[1...3] == [0x2A, 0x4D, 0x18]:
            self = .zstd
        // A local header, or the end of a file without entries.
        case let bytes where bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]): self = .zip
        case let bytes where bytes.starts(with: [0x50, 0x4B, 0x05, 0x06]): self = .zip
        default: return nil
        }
    }

    /// What unpacks all of it; `nil` for zip, whose entries are packed one by one.
    var method: Decompressor.Method? {
        switch self {
        case .gzip: .gzip
        case .xz: .xz
        case .bzip2: .bzip2
        case .zstd: .zstd
        case .zip: nil
        }
    }

    private static func isSize(_ byte: UInt8) -> Bool { (0x31...0x39).contains(byte) }
}
