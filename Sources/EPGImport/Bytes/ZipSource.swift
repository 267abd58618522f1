import XMLTV

/// A source that extracts the first guide from a zip archive.
///
/// It reads the archive from its start, so that it can come from a network stream, and ignores the central directory at
/// its end. The guide is the first entry that is itself compressed, or that starts like XMLTV, JSON, or a playlist.
/// Folders and other entries are skipped.
struct ZipSource: ByteSource {
    private var input: InputBuffer
    private let limits: DecompressionLimits
    private let meter: DecompressionMeter
    private let deflate: Decompressor
    /// The guide, once it has been found.
    private var guide: ZipEntry?
    /// The first bytes of the guide.
    private var firstBytes: [UInt8] = []
    /// The number of first bytes that were returned.
    private var given = 0
    private var fault: ByteFault?
    /// The number of bytes decompressed from all entries.
    private var decompressedSize = 0

    fileprivate static let truncated = ByteFault.truncated(format: "zip")
    fileprivate static func damaged(_ detail: String) -> ByteFault { .damaged(format: "zip", detail: detail) }

    /// - Parameter entries: The number of files and folders in the archive.
    private static func noGuide(_ entries: Int) -> ByteFault {
        let found = entries == 1 ? "its only entry is not" : "none of its \(entries) entries is"
        return .noGuide(
            entries == 0
                ? "this zip archive has no guide: it is empty"
                : "this zip archive has no guide: \(found) XMLTV, JSON, or a playlist (M3U)")
    }

    /// - Throws: `ByteFault` if the library isn't installed.
    init(_ source: some ByteSource, limits: DecompressionLimits, meter: DecompressionMeter) throws(ByteFault) {
        self.limits = limits
        self.meter = meter
        deflate = try Decompressor(.deflate, in: "zip", limits: limits)
        input = InputBuffer(source)
    }

    mutating func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int {
        if guide == nil, fault == nil { findGuide() }
        if given < firstBytes.count {
            let taken = min(count, firstBytes.count - given)
            buffer.replaceSubrange(offset..<offset + taken, with: firstBytes[given..<given + taken])
            given += taken
            return taken
        }
        if let fault { throw fault }
        guard var entry = guide else { return 0 }
        do throws(ByteFault) {
            let got = try read(&entry, into: &buffer, offset..<offset + count)
            guide = entry
            return got
        } catch {
            fault = error
            throw error
        }
    }

    private mutating func read(
        _ entry: inout ZipEntry, into buffer: inout [UInt8], _ range: Range<Int>
    ) throws(ByteFault) -> Int {
        let step = try entry.read(from: &input, into: &buffer, range)
        fault = step.fault
        decompressedSize += step.count
        try meter.check(decompressedSize: decompressedSize)
        return step.count
    }

    private mutating func findGuide() {
        do throws(ByteFault) {
            // The fault of the first entry that can't be examined.
            var obstacle: ByteFault?
            for count in 0..<max(0, limits.entries) {
                guard let header = try ZipEntryHeader(reading: &input) else { throw obstacle ?? Self.noGuide(count) }
                if let entry = try open(header, &obstacle), try isGuide(entry, &obstacle) { return }
            }
            throw .tooLarge("the first \(limits.entries) entries of this zip archive have no guide")
        } catch {
            fault = error
        }
    }

    /// Prepares an entry for reading. Returns `nil` if it is skipped.
    private mutating func open(_ header: ZipEntryHeader, _ obstacle: inout ByteFault?) throws(ByteFault) -> ZipEntry? {
        if header.isEncrypted { throw Self.damaged("it is encrypted; extract it with its password first") }
        switch header.method {
        case 0: return ZipEntry(header, nil)
        case 8:
            try deflate.restart()
            return ZipEntry(header, deflate)
        case 12: return ZipEntry(header, try Decompressor(.bzip2, in: "zip", limits: limits))
        case 93: return ZipEntry(header, try Decompressor(.zstd, in: "zip", limits: limits))
        case 95: return ZipEntry(header, try Decompressor(.xz, in: "zip", limits: limits))
        default:
            let fault = Self.damaged("an entry has the unsupported compression method \(header.method)")
            var entry = ZipEntry(header, nil)
            guard entry.canBeSkipped else { throw fault }
            try entry.skip(in: &input)
            if obstacle == nil { obstacle = fault }
            return nil
        }
    }

    /// Examines the first bytes of an entry. Keeps it if it is a guide, and skips it otherwise.
    private mutating func isGuide(_ entry: ZipEntry, _ obstacle: inout ByteFault?) throws(ByteFault) -> Bool {
        var entry = entry
        var room = [UInt8](repeating: 0, count: 4096)
        var filled = 0
        do throws(ByteFault) {
            while filled < room.count, fault == nil {
                let got = try read(&entry, into: &room, filled..<room.count)
                if got == 0 { break }
                filled += got
            }
        } catch {
            fault = error
        }
        room.removeSubrange(filled...)
        if Self.isGuide(room) {
            (guide, firstBytes) = (entry, room)
            return true
        }
        if let fault {
            guard case .damaged = fault, entry.canBeSkipped else { throw fault }
            if obstacle == nil { obstacle = fault }
            self.fault = nil
        }
        if entry.canBeSkipped {
            try entry.skip(in: &input)
        } else {
            var room = [UInt8](repeating: 0, count: 64 << 10)
            while try read(&entry, into: &room, 0..<room.count) > 0 {
                if let fault { throw fault }
            }
        }
        return false
    }

    private static func isGuide(_ firstBytes: [UInt8]) -> Bool {
        if CompressionFormat(firstBytes: firstBytes) != nil { return true }
        return switch GuideFormat(firstBytes: firstBytes) {
        case .xmltv, .json, .playlist: true
        case .htmlPage, .empty, .other, .unknown: false
        }
    }
}

/// A zip entry that is decompressed as it is read.
private struct ZipEntry {
    let header: ZipEntryHeader
    /// `nil` for a stored entry.
    private let decompressor: Decompressor?
    /// The number of compressed bytes left, or `nil` if only the compressed data shows its end.
    private var left: Int?
    private var compressedSize = 0
    private var length = 0
    private var checksum = Checksum()
    private var isAtEnd = false
    private var isChecked = false

    init(_ header: ZipEntryHeader, _ decompressor: Decompressor?) {
        self.header = header
        self.decompressor = decompressor
        left = header.compressedLength
    }

    /// Whether the entry can be skipped without decompressing it.
    var canBeSkipped: Bool { header.compressedLength != nil && !header.hasDescriptor }

    /// Skips the rest of the entry.
    ///
    /// - Precondition: ``canBeSkipped``.
    mutating func skip(in input: inout InputBuffer) throws(ByteFault) {
        guard try input.skip(left ?? 0) else { throw ZipSource.truncated }
        left = 0
    }

    /// Decompresses to a range of a buffer: at least one byte, or none at the end, after verifying lengths and
    /// checksum.
    mutating func read(
        from input: inout InputBuffer, into buffer: inout [UInt8], _ range: Range<Int>
    ) throws(ByteFault) -> (count: Int, fault: ByteFault?) {
        while !isAtEnd {
            let available = min(left ?? .max, input.range.count)
            let compressedRange = input.range.lowerBound..<input.range.lowerBound + available
            let step = decompress(input.bytes, compressedRange, into: &buffer, range)
            drop(step.consumed, from: &input)
            if step.produced > 0 {
                checksum.add(buffer, range.lowerBound..<range.lowerBound + step.produced)
                length += step.produced
            }
            isAtEnd = step.isAtEnd
            if step.produced > 0 { return (step.produced, step.fault) }
            if let fault = step.fault { throw fault }
            if isAtEnd { break }
            if left == 0 { throw ZipSource.damaged("an entry is longer than its header says") }
            if !input.range.isEmpty {
                guard step.consumed > 0 else { throw ZipSource.damaged("decompression of an entry makes no progress") }
            } else if try !input.fill() {
                throw ZipSource.truncated
            }
        }
        if !isChecked { try check(&input) }
        isChecked = true
        return (0, nil)
    }

    private func decompress(
        _ bytes: [UInt8], _ compressedRange: Range<Int>, into buffer: inout [UInt8], _ range: Range<Int>
    ) -> Decompressor.Step {
        if let decompressor { return decompressor.decompress(bytes, compressedRange, to: &buffer, range) }
        let count = min(compressedRange.count, range.count)
        buffer.replaceSubrange(
            range.lowerBound..<range.lowerBound + count,
            with: bytes[compressedRange.lowerBound..<compressedRange.lowerBound + count])
        return .init(consumed: count, produced: count, isAtEnd: left == count, fault: nil)
    }

    private mutating func drop(_ count: Int, from input: inout InputBuffer) {
        input.drop(count)
        compressedSize += count
        left = left.map { $0 - count }
    }

    private func check(_ input: inout InputBuffer) throws(ByteFault) {
        if header.hasDescriptor { return try checkDescriptor(&input) }
        guard left == 0 else { throw ZipSource.damaged("an entry is shorter than its header says") }
        guard checksum.value == header.checksum, length == header.length else {
            throw ZipSource.damaged("the checksum or length of an entry is wrong")
        }
    }

    /// Reads the data descriptor (section 4.3.9): an optional signature, the checksum, and both lengths in four or
    /// eight bytes, at most 24 bytes. Nothing indicates the form, so the form that fits is used.
    private func checkDescriptor(_ input: inout InputBuffer) throws(ByteFault) {
        let hasLongest = try input.fill(atLeast: 24)
        for sizeLength in header.isLarge ? [8, 4] : [4, 8] {
            for start in [4, 0] where input.range.count >= start + 4 + 2 * sizeLength {
                guard start == 0 || input.starts(with: [0x50, 0x4B, 0x07, 0x08]),
                    input.uint32(at: start) == checksum.value,
                    fits(input.number(at: start + 4, bytes: sizeLength), compressedSize, sizeLength),
                    fits(input.number(at: start + 4 + sizeLength, bytes: sizeLength), length, sizeLength)
                else { continue }
                return input.drop(start + 4 + 2 * sizeLength)
            }
        }
        guard hasLongest else { throw ZipSource.truncated }
        throw ZipSource.damaged(
            decompressor == nil
                ? "an entry is stored without its length; create the archive again"
                : "the checksum or length of an entry is wrong")
    }

    private func fits(_ written: UInt64, _ found: Int, _ sizeLength: Int) -> Bool {
        written == (sizeLength == 4 ? UInt64(found) & 0xFFFF_FFFF : UInt64(found))
    }
}

/// The local header of a zip entry (section 4.3.7 of PKWARE's APPNOTE).
private struct ZipEntryHeader {
    /// The compression method: 0 stored, 8 deflate, …
    let method: Int
    let isEncrypted: Bool
    /// Whether lengths and checksum follow the data.
    let hasDescriptor: Bool
    /// Whether lengths have eight bytes.
    let isLarge: Bool
    let checksum: UInt32
    /// The compressed length, or `nil` if only the descriptor has it.
    let compressedLength: Int?
    /// The decompressed length. Meaningless if only the descriptor has it.
    let length: UInt64

    private static let signature: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
    private static let fixedLength = 30

    /// Reads the next header including name and extra fields. Returns `nil` if no other entry follows.
    init?(reading input: inout InputBuffer) throws(ByteFault) {
        guard try input.fill(atLeast: 4) else { throw ZipSource.truncated }
        guard input.starts(with: Self.signature) else {
            if Self.isAfterEntries(input) { return nil }
            throw ZipSource.damaged("expected the header of an entry")
        }
        guard try input.fill(atLeast: Self.fixedLength) else { throw ZipSource.truncated }
        let flags = input.uint16(at: 6)
        let (nameLength, extraLength) = (input.uint16(at: 26), input.uint16(at: 28))
        method = input.uint16(at: 8)
        // Bit 6: strong encryption.
        isEncrypted = flags & 0x41 != 0
        hasDescriptor = flags & 0x08 != 0
        checksum = input.uint32(at: 14)
        var (compressedSize, length) = (UInt64(input.uint32(at: 18)), UInt64(input.uint32(at: 22)))
        input.drop(Self.fixedLength)

        guard try input.skip(nameLength) else { throw ZipSource.truncated }
        isLarge = try Self.readExtraFields(&input, extraLength, &length, &compressedSize)

        // Nothing else marks the end of a stored entry, so a length of 0 is trusted and the descriptor verifies it.
        let isKnown = !hasDescriptor || compressedSize > 0 || method == 0
        guard let compressedSize = Int(exactly: compressedSize) else {
            throw ZipSource.damaged("the length of an entry is invalid")
        }
        compressedLength = isKnown ? compressedSize : nil
        self.length = length
    }

    /// Returns whether the central directory, its end, or a record that may precede it follows: the entries end there.
    private static func isAfterEntries(_ input: InputBuffer) -> Bool {
        [[0x01, 0x02], [0x05, 0x06], [0x06, 0x06], [0x06, 0x08]].contains { input.starts(with: [0x50, 0x4B] + $0) }
    }

    /// Reads the lengths from a "zip64" extra field (section 4.5.3), if there is one, and skips other extra fields.
    ///
    /// - Returns: Whether there is one.
    private static func readExtraFields(
        _ input: inout InputBuffer, _ extraLength: Int, _ length: inout UInt64, _ compressedSize: inout UInt64
    ) throws(ByteFault) -> Bool {
        var left = extraLength
        var isLarge = false
        while left >= 4 {
            guard try input.fill(atLeast: 4) else { throw ZipSource.truncated }
            let (kind, size) = (input.uint16(at: 0), min(input.uint16(at: 2), left - 4))
            input.drop(4)
            left -= 4 + size
            guard kind == 1 else {
                guard try input.skip(size) else { throw ZipSource.truncated }
                continue
            }
            isLarge = true
            guard try input.fill(atLeast: min(size, 16)) else { throw ZipSource.truncated }
            var place = 0
            if length == 0xFFFF_FFFF, place + 8 <= size {
                length = input.number(at: place, bytes: 8)
                place += 8
            }
            if compressedSize == 0xFFFF_FFFF, place + 8 <= size { compressedSize = input.number(at: place, bytes: 8) }
            guard try input.skip(size) else { throw ZipSource.truncated }
        }
        guard try input.skip(left) else { throw ZipSource.truncated }
        return isLarge
    }
}
