import XMLTV

/// One file in a zip file, unpacked as it is read.
struct ZipEntry {
    let header: ZipEntryHeader
    /// `nil` for a file that is stored.
    private let decompressor: Decompressor?
    /// Packed bytes that are still to come; `nil` where only the packing tells.
    private var left: Int?
    private var packed = 0
    private var length = 0
    private var checksum = Checksum()
    private var isAtEnd = false
    private var isChecked = false

    init(_ header: ZipEntryHeader, _ decompressor: Decompressor?) {
        self.header = header
        self.decompressor = decompressor
        left = header.packedLength
    }

    /// Whether it can be passed over without being unpacked.
    var canBeSkipped: Bool { header.packedLength != nil && !header.hasDescriptor }

    /// Passes over the rest of it.
    ///
    /// - Precondition: ``canBeSkipped``.
    mutating func skip(in input: inout InputBuffer) throws(ByteFault) {
        guard try input.pass(left ?? 0) else { throw ZipSource.cutOff }
        left = 0
    }

    /// Unpacks from the zip file to a range of a buffer: at least a byte, or none at the end, when lengths and checksum
    /// were found right.
    mutating func read(
        from input: inout InputBuffer, into buffer: inout [UInt8], _ range: Range<Int>
    ) throws(ByteFault) -> (count: Int, fault: ByteFault?) {
        while !isAtEnd {
            let available = min(left ?? .max, input.range.count)
            let packedRange = input.range.lowerBound..<input.range.lowerBound + available
            let step = unpack(input.bytes, packedRange, into: &buffer, range)
            take(step.consumed, from: &input)
            if step.produced > 0 {
                checksum.add(buffer, range.lowerBound..<range.lowerBound + step.produced)
                length += step.produced
            }
            isAtEnd = step.isAtEnd
            if step.produced > 0 { return (step.produced, step.fault) }
            if let fault = step.fault { throw fault }
            if isAtEnd { break }
            if left == 0 { throw ZipSource.damaged("a file is longer than its header says") }
            if !input.range.isEmpty {
                guard step.consumed > 0 else { throw ZipSource.damaged("a file leads nowhere") }
            } else if try !input.fill() {
                throw ZipSource.cutOff
            }
        }
        if !isChecked { try check(&input) }
        isChecked = true
        return (0, nil)
    }

    private func unpack(
        _ bytes: [UInt8], _ packedRange: Range<Int>, into buffer: inout [UInt8], _ range: Range<Int>
    ) -> Decompressor.Step {
        if let decompressor { return decompressor.unpack(bytes, packedRange, to: &buffer, range) }
        let count = min(packedRange.count, range.count)
        buffer.replaceSubrange(
            range.lowerBound..<range.lowerBound + count,
            with: bytes[packedRange.lowerBound..<packedRange.lowerBound + count])
        return .init(consumed: count, produced: count, isAtEnd: left == count, fault: nil)
    }

    private mutating func take(_ count: Int, from input: inout InputBuffer) {
        input.drop(count)
        packed += count
        left = left.map { $0 - count }
    }

    private func check(_ input: inout InputBuffer) throws(ByteFault) {
        if header.hasDescriptor { return try checkDescriptor(&input) }
        guard left == 0 else { throw ZipSource.damaged("a file is shorter than its header says") }
        guard checksum.value == header.checksum, length == header.length else {
            throw ZipSource.damaged("a file's checksum or length is wrong")
        }
    }

    /// Reads the descriptor (section 4.3.9): an optional signature, the checksum, both lengths in four or eight bytes.
    /// Which of these it is, nothing says: it is the form that fits.
    private func checkDescriptor(_ input: inout InputBuffer) throws(ByteFault) {
        let isWhole = try input.need(24)
        for sizeLength in header.isLarge ? [8, 4] : [4, 8] {
            for start in [4, 0] where input.range.count >= start + 4 + 2 * sizeLength {
                guard start == 0 || input.starts(with: [0x50, 0x4B, 0x07, 0x08]),
                    input.word(at: start) == checksum.value,
                    fits(input.number(at: start + 4, bytes: sizeLength), packed, sizeLength),
                    fits(input.number(at: start + 4 + sizeLength, bytes: sizeLength), length, sizeLength)
                else { continue }
                return input.drop(start + 4 + 2 * sizeLength)
            }
        }
        guard isWhole else { throw ZipSource.cutOff }
        throw ZipSource.damaged(
            decompressor == nil
                ? "a file in it is stored without its length; pack it anew"
                : "a file's checksum or length is wrong")
    }

    private func fits(_ written: UInt64, _ found: Int, _ sizeLength: Int) -> Bool {
        written == (sizeLength == 4 ? UInt64(found) & 0xFFFF_FFFF : UInt64(found))
    }
}
