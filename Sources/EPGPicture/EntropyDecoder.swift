/// The coefficients of a scan, and the bits of them that it contains.
struct ScanBand {
    let start: Int
    let end: Int
    /// The lowest bit of the previous scans; 0 in the first scan of the coefficients.
    let previousBit: Int
    let bit: Int
}

/// A Huffman table of JPEG (ITU-T T.81, annex C).
final class HuffmanTable {
    private let values: [UInt8]
    /// The largest code of each length; -1 if there is none.
    private let largest: [Int]
    /// The difference between the index of a value and its code, for each length.
    private let shift: [Int]
    /// For each byte, the length and value of the code that it begins with; 0 for a longer code.
    private let short: [UInt16]

    /// - Parameter counts: The number of codes of each length from 1 to 16.
    init(counts: [Int], values: [UInt8]) throws(PictureError) {
        self.values = values
        var largest = [Int](repeating: -1, count: 17)
        var shift = [Int](repeating: 0, count: 17)
        var short = [UInt16](repeating: 0, count: 256)
        var (code, place) = (0, 0)
        for length in 1...16 {
            let count = counts[length - 1]
            guard code + count <= 1 << length else { throw .damaged("a Huffman table") }
            shift[length] = place - code
            if count > 0 { largest[length] = code + count - 1 }
            for _ in 0..<count {
                if length <= 8 {
                    let first = code << (8 - length)
                    for byte in first..<first + 1 << (8 - length) {
                        short[byte] = UInt16(length << 8) | UInt16(values[place])
                    }
                }
                code += 1
                place += 1
            }
            code <<= 1
        }
        self.largest = largest
        self.shift = shift
        self.short = short
    }

    /// The value of the code that 16 bits begin with, and its length; `nil` if there is none.
    func value(of bits: Int) -> (value: Int, length: Int)? {
        let entry = short[bits >> 8]
        if entry != 0 { return (Int(entry & 0xFF), Int(entry >> 8)) }
        for length in 1...16 {
            let code = bits >> (16 - length)
            if code <= largest[length] { return (Int(values[code + shift[length]]), length) }
        }
        return nil
    }
}

/// Reads the blocks of a scan, sequential or progressive (ITU-T T.81, annexes F and G).
struct EntropyDecoder {
    private let bytes: [UInt8]
    private let band: ScanBand
    private let isProgressive: Bool
    private var offset: Int
    /// The lowest `count` bits are still unread.
    private var buffer: UInt64 = 0
    private var count = 0
    /// Number of unread bits beyond the end of the data.
    private var padding = 0
    /// The last DC coefficient of each component.
    private var predictions = [0, 0, 0, 0]
    /// Number of following blocks without more coefficients in the band.
    private var emptyBlocks = 0

    init(_ bytes: [UInt8], from offset: Int, band: ScanBand, isProgressive: Bool) {
        self.bytes = bytes
        self.offset = offset
        self.band = band
        self.isProgressive = isProgressive
    }

    /// The offset of the next marker.
    var end: Int { offset }

    /// Skips a restart marker and resets the state.
    mutating func restart() throws(PictureError) {
        (buffer, count, padding, emptyBlocks) = (0, 0, 0, 0)
        predictions = [0, 0, 0, 0]
        while offset + 1 < bytes.count, bytes[offset] == 0xFF, bytes[offset + 1] == 0xFF { offset += 1 }
        guard offset + 1 < bytes.count else { throw .truncated }
        guard bytes[offset] == 0xFF, (0xD0...0xD7).contains(bytes[offset + 1]) else {
            throw .damaged("a restart marker")
        }
        offset += 2
    }

    /// Decodes the scan's part of a block.
    mutating func decodeBlock(
        _ coefficients: inout [Int16], at first: Int, ofComponent component: Int, _ dc: HuffmanTable?,
        _ ac: HuffmanTable?
    ) throws(PictureError) {
        if !isProgressive {
            try decodeFirstDC(&coefficients, first, component, dc)
            try decodeFirstAC(&coefficients, first, from: 1, ac)
        } else if band.start == 0 {
            if band.previousBit == 0 {
                try decodeFirstDC(&coefficients, first, component, dc)
            } else if try bits(1) == 1 {
                coefficients[first] |= 1 << Int16(band.bit)
            }
        } else if band.previousBit == 0 {
            try decodeFirstAC(&coefficients, first, from: band.start, ac)
        } else {
            try refineAC(&coefficients, first, ac)
        }
    }

    private mutating func decodeFirstDC(
        _ coefficients: inout [Int16], _ first: Int, _ component: Int, _ table: HuffmanTable?
    ) throws(PictureError) {
        let size = try symbol(table)
        guard size <= 16 else { throw .damaged("a coefficient") }
        let difference = try number(ofBits: size)
        predictions[component] += difference
        coefficients[first] = Int16(truncatingIfNeeded: predictions[component] << band.bit)
    }

    private mutating func decodeFirstAC(
        _ coefficients: inout [Int16], _ first: Int, from start: Int, _ table: HuffmanTable?
    ) throws(PictureError) {
        guard emptyBlocks == 0 else {
            emptyBlocks -= 1
            return
        }
        var index = start
        while index <= band.end {
            let symbol = try symbol(table)
            let (run, size) = (symbol >> 4, symbol & 15)
            if size == 0 {
                if run == 15 {
                    index += 16
                    continue
                }
                if isProgressive { emptyBlocks = (1 << run) + (try bits(run)) - 1 }
                return
            }
            index += run
            guard index <= band.end else { throw .damaged("a coefficient") }
            coefficients[first + zigzag[index]] = Int16(truncatingIfNeeded: try number(ofBits: size) << band.bit)
            index += 1
        }
    }

    private mutating func refineAC(
        _ coefficients: inout [Int16], _ first: Int, _ table: HuffmanTable?
    ) throws(PictureError) {
        let bit = Int16(1) << Int16(band.bit)
        var index = band.start
        while index <= band.end {
            // Skips `zeros` coefficients that are 0, and sets the next one.
            var (zeros, value) = (64, Int16(0))
            if emptyBlocks == 0 {
                let symbol = try symbol(table)
                let (run, size) = (symbol >> 4, symbol & 15)
                if size == 0, run < 15 {
                    emptyBlocks = (1 << run) + (try bits(run))
                } else {
                    guard size <= 1 else { throw .damaged("a coefficient") }
                    zeros = run
                    if size == 1 { value = try bits(1) == 1 ? bit : -bit }
                }
            }
            while index <= band.end {
                let place = first + zigzag[index]
                index += 1
                let old = coefficients[place]
                if old != 0 {
                    if try bits(1) == 1, old & bit == 0 { coefficients[place] = old > 0 ? old &+ bit : old &- bit }
                } else if zeros == 0 {
                    coefficients[place] = value
                    break
                } else {
                    zeros -= 1
                }
            }
        }
        if emptyBlocks > 0 { emptyBlocks -= 1 }
    }

    // MARK: - Bits

    private mutating func symbol(_ table: HuffmanTable?) throws(PictureError) -> Int {
        guard let table else { throw .damaged("a missing Huffman table") }
        fill()
        guard let (value, length) = table.value(of: Int(truncatingIfNeeded: buffer >> UInt64(count - 16)) & 0xFFFF)
        else {
            throw padding > 0 ? .truncated : .damaged("a Huffman code")
        }
        try skip(length)
        return value
    }

    /// Reads a number of at most 16 bits. The first bit of a negative number is 0.
    private mutating func number(ofBits size: Int) throws(PictureError) -> Int {
        guard size > 0 else { return 0 }
        let value = try bits(size)
        return value >> (size - 1) == 0 ? value - (1 << size) + 1 : value
    }

    /// Reads at most 16 bits.
    private mutating func bits(_ size: Int) throws(PictureError) -> Int {
        guard size > 0 else { return 0 }
        fill()
        let value = Int(truncatingIfNeeded: buffer >> UInt64(count - size)) & (1 << size - 1)
        try skip(size)
        return value
    }

    private mutating func skip(_ size: Int) throws(PictureError) {
        count -= size
        guard count >= padding else { throw .truncated }
    }

    /// Fills the buffer to at least 16 bits. Adds zeros after the data, which ends at a marker.
    private mutating func fill() {
        while count < 16 {
            var byte: UInt8 = 0
            if offset < bytes.count, bytes[offset] != 0xFF {
                byte = bytes[offset]
                offset += 1
            } else if offset + 1 < bytes.count, bytes[offset + 1] == 0 {
                byte = 0xFF
                offset += 2
            } else {
                padding += 8
            }
            buffer = buffer << 8 | UInt64(byte)
            count += 8
        }
    }
}
