import XMLTV

/// The local header of a file in a zip file (section 4.3.7 of PKWARE's APPNOTE).
struct ZipEntryHeader {
    /// How the file is packed: 0 stored, 8 deflate, …
    let method: Int
    let isEncrypted: Bool
    /// The lengths and the checksum follow the file.
    let hasDescriptor: Bool
    /// Lengths are written in eight bytes.
    let isLarge: Bool
    let checksum: UInt32
    /// The length as it is packed; `nil` where only the descriptor says it.
    let packedLength: Int?
    /// The length unpacked; meaningless where only the descriptor says it.
    let length: UInt64

    static let signature: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
    private static let fixedLength = 30

    /// Reads the header that comes next, name and extra fields included; `nil` where no other file follows.
    init?(reading input: inout InputBuffer) throws(ByteFault) {
        guard try input.need(4) else { throw ZipSource.cutOff }
        guard input.starts(with: Self.signature) else {
            if Self.isAfterTheFiles(input) { return nil }
            throw ZipSource.damaged("there is something else where a file should begin")
        }
        guard try input.need(Self.fixedLength) else { throw ZipSource.cutOff }
        let flags = input.short(at: 6)
        let (nameLength, extraLength) = (input.short(at: 26), input.short(at: 28))
        method = input.short(at: 8)
        // Bit 6: strong encryption.
        isEncrypted = flags & 0x41 != 0
        hasDescriptor = flags & 0x08 != 0
        checksum = input.word(at: 14)
        var (packed, length) = (UInt64(input.word(at: 18)), UInt64(input.word(at: 22)))
        input.drop(Self.fixedLength)

        guard try input.pass(nameLength) else { throw ZipSource.cutOff }
        isLarge = try Self.readExtraFields(&input, extraLength, &length, &packed)

        // A stored file's length can't be found out; so 0 is believed, and the descriptor tells.
        let isKnown = !hasDescriptor || packed > 0 || method == 0
        guard let packed = Int(exactly: packed) else { throw ZipSource.damaged("a file's length is impossible") }
        packedLength = isKnown ? packed : nil
        self.length = length
    }

    /// The folder of all files, its end, or what may stand before it: no file follows these.
    private static func isAfterTheFiles(_ input: InputBuffer) -> Bool {
        [[0x01, 0x02], [0x05, 0x06], [0x06, 0x06], [0x06, 0x08]].contains { input.starts(with: [0x50, 0x4B] + $0) }
    }

    /// Takes the lengths from the extra field of "zip64" (section 4.5.3), if there is one, and passes over the others.
    ///
    /// - Returns: Whether there is one.
    private static func readExtraFields(
        _ input: inout InputBuffer, _ extraLength: Int, _ length: inout UInt64, _ packed: inout UInt64
    ) throws(ByteFault) -> Bool {
        var left = extraLength
        var isLarge = false
        while left >= 4 {
            guard try input.need(4) else { throw ZipSource.cutOff }
            let (kind, size) = (input.short(at: 0), min(input.short(at: 2), left - 4))
            input.drop(4)
            left -= 4 + size
            guard kind == 1 else {
                guard try input.pass(size) else { throw ZipSource.cutOff }
                continue
            }
            isLarge = true
            guard try input.need(min(size, 16)) else { throw ZipSource.cutOff }
            var place = 0
            if length == 0xFFFF_FFFF, place + 8 <= size {
                length = input.number(at: place, bytes: 8)
                place += 8
            }
            if packed == 0xFFFF_FFFF, place + 8 <= size { packed = input.number(at: place, bytes: 8) }
            guard try input.pass(size) else { throw ZipSource.cutOff }
        }
        guard try input.pass(left) else { throw ZipSource.cutOff }
        return isLarge
    }
}
