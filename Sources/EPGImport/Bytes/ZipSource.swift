import XMLTV

/// The first guide in a zip file, unpacked as it is read.
///
/// The zip file is read from its beginning, so that it may come over the net; the list of files at its end isn't asked.
/// A guide is the first file that is packed itself, or whose first bytes are those of a guide in XMLTV, in JSON or of a
/// playlist. Folders, and files that are none of these, are passed over.
struct ZipSource: ByteSource {
    private var input: InputBuffer
    private let limits: UnpackingLimits
    private let meter: UnpackingMeter
    private let deflate: Decompressor
    /// The guide, once it is found.
    private var guide: ZipEntry?
    /// The first bytes of it.
    private var firstBytes: [UInt8] = []
    private var given = 0
    private var fault: ByteFault?
    /// Bytes unpacked, of all files.
    private var unpacked = 0

    static let cutOff = ByteFault.cutOff(format: "zip")
    static func damaged(_ detail: String) -> ByteFault { .damaged(format: "zip", detail: detail) }

    /// - Parameter entries: How many files and folders are in it.
    private static func noGuide(_ entries: Int) -> ByteFault {
        let words = entries == 1 ? "its 1 entry isn't" : "none of its \(entries) entries is"
        return .noGuide(
            entries == 0
                ? "there is no guide in this zip file: it is empty"
                : "there is no guide in this zip file: \(words) XMLTV, JSON or a playlist (M3U)")
    }

    /// - Throws: `ByteFault` where the library isn't installed.
    init(_ source: some ByteSource, limits: UnpackingLimits, meter: UnpackingMeter) throws(ByteFault) {
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
        unpacked += step.count
        try meter.check(unpacked: unpacked)
        return step.count
    }

    private mutating func findGuide() {
        do throws(ByteFault) {
            // What was wrong with the first file that couldn't be looked at.
            var obstacle: ByteFault?
            for count in 0..<max(0, limits.entries) {
                guard let header = try ZipEntryHeader(reading: &input) else { throw obstacle ?? Self.noGuide(count) }
                if let entry = try open(header, &obstacle), try isGuide(entry, &obstacle) { return }
            }
            throw .tooLarge("there is no guide among the first \(limits.entries) files in it (zip)")
        } catch {
            fault = error
        }
    }

    /// Makes a file ready to be read; `nil` if it is passed over.
    private mutating func open(_ header: ZipEntryHeader, _ obstacle: inout ByteFault?) throws(ByteFault) -> ZipEntry? {
        if header.isEncrypted { throw Self.damaged("it is encrypted; unpack it with its password first") }
        switch header.method {
        case 0: return ZipEntry(header, nil)
        case 8:
            try deflate.restart()
            return ZipEntry(header, deflate)
        case 12: return ZipEntry(header, try Decompressor(.bzip2, in: "zip", limits: limits))
        case 93: return ZipEntry(header, try Decompressor(.zstd, in: "zip", limits: limits))
        case 95: return ZipEntry(header, try Decompressor(.xz, in: "zip", limits: limits))
        default:
            let fault = Self.damaged("a file in it is packed by method \(header.method), which can't be read here")
            var entry = ZipEntry(header, nil)
            guard entry.canBeSkipped else { throw fault }
            try entry.skip(in: &input)
            if obstacle == nil { obstacle = fault }
            return nil
        }
    }

    /// Looks at the first bytes of a file, and keeps it if they are a guide's; else goes on to its end.
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
        if PackedFormat(firstBytes: firstBytes) != nil { return true }
        return switch GuideFormat(firstBytes: firstBytes) {
        case .xmltv, .json, .playlist: true
        case .htmlPage, .empty, .other, .unknown: false
        }
    }
}
