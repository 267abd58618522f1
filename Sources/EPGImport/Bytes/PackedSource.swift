import XMLTV

/// What a file packed with gzip, xz, bzip2 or zstd holds, unpacked as it is read.
///
/// Members, streams or frames that follow one another are one text, as for the programs of these names. What they leave
/// out at the end is left out too: gzip and bzip2 whatever isn't a member, xz four zero bytes and more of them.
struct PackedSource: ByteSource {
    private var input: InputBuffer
    private let format: PackedFormat
    private let decompressor: Decompressor
    private let meter: UnpackingMeter
    private var unpacked = 0
    private var place = Place.inside
    private var fault: ByteFault?

    private enum Place { case inside, between, atEnd }

    /// - Throws: `ByteFault` where the library isn't installed.
    init(
        _ format: PackedFormat, _ method: Decompressor.Method, of source: some ByteSource, limits: UnpackingLimits,
        meter: UnpackingMeter
    ) throws(ByteFault) {
        self.format = format
        self.meter = meter
        decompressor = try Decompressor(method, in: format.rawValue, limits: limits)
        input = InputBuffer(source)
    }

    mutating func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int {
        if let fault { throw fault }
        do throws(ByteFault) {
            return try unpack(into: &buffer, offset..<offset + count)
        } catch {
            fault = error
            throw error
        }
    }

    private mutating func unpack(into buffer: inout [UInt8], _ range: Range<Int>) throws(ByteFault) -> Int {
        while true {
            if place == .between { place = try startsAnother() ? .inside : .atEnd }
            if place == .atEnd { return 0 }
            let step = decompressor.unpack(input.bytes, input.range, to: &buffer, range)
            input.drop(step.consumed)
            if step.isAtEnd { place = .between }
            unpacked += step.produced
            try meter.check(unpacked: unpacked)
            if step.produced > 0 {
                fault = step.fault
                return step.produced
            }
            if let fault = step.fault { throw fault }
            if step.isAtEnd { continue }
            if !input.range.isEmpty {
                guard step.consumed > 0 else { throw .damaged(format: format.rawValue, detail: "it leads nowhere") }
            } else if try !input.fill() {
                throw .cutOff(format: format.rawValue)
            }
        }
    }

    /// Whether another member follows; the decompressor is ready for it.
    ///
    /// The first bytes of one at the very end count too: the file was cut off there.
    private mutating func startsAnother() throws(ByteFault) -> Bool {
        switch format {
        case .gzip: guard try follows([0x1F, 0x8B]) else { return false }
        case .bzip2: guard try follows([0x42, 0x5A, 0x68]) else { return false }
        case .xz: guard try followsPadding() else { return false }
        case .zstd: guard try input.fill() else { return false }
        case .zip: return false
        }
        try decompressor.restart()
        return true
    }

    private mutating func follows(_ magic: [UInt8]) throws(ByteFault) -> Bool {
        if try input.need(magic.count) { return input.starts(with: magic) }
        return !input.range.isEmpty && magic.starts(with: input.bytes[input.range])
    }

    /// Whether a stream follows, behind zero bytes in fours (section 2.2 of the xz file format).
    private mutating func followsPadding() throws(ByteFault) -> Bool {
        var zeros = 0
        while try input.fill() {
            let run = input.bytes[input.range].prefix { $0 == 0 }.count
            zeros += run
            input.drop(run)
            if !input.range.isEmpty { break }
        }
        guard zeros % 4 == 0 else {
            throw .damaged(format: format.rawValue, detail: "zero bytes at its end aren't a multiple of four")
        }
        return !input.range.isEmpty
    }
}
