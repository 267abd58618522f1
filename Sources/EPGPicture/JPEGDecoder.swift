/// A decoder for JPEG (ITU-T T.81) with the color spaces of JFIF and Adobe. The result equals libjpeg's without chroma
/// smoothing.
struct JPEGDecoder {
    /// A component of the picture, with the coefficients decoded so far.
    private struct Component {
        let id: UInt8
        let horizontal: Int
        let vertical: Int
        let quantization: Int
        /// Blocks per row in interleaved scans.
        var paddedColumns = 0
        /// Block columns and rows in scans of this component alone.
        var columns = 0
        var rows = 0
        /// 64 per block, in row order. Truncated to 16 bits, which only damaged pictures exceed.
        var coefficients: [Int16] = []
        var dcTable = 0
        var acTable = 0
    }

    private enum ColorSpace {
        case gray, ycbcr, rgb, cmyk
        /// CMYK with inverted values, as in Adobe's files.
        case invertedCMYK, ycck
    }

    /// Maximum number of scans. A small file could have so many that decoding would take hours.
    private static let scanLimit = 100

    private let file: [UInt8]
    private let pixelLimit: Int
    private var offset = 2
    private var width = 0
    private var height = 0
    private var isProgressive = false
    private var components: [Component] = []
    private var unitColumns = 0
    private var unitRows = 0
    private var quantization: [[Int]?] = [nil, nil, nil, nil]
    private var dcTables: [HuffmanTable?] = [nil, nil, nil, nil]
    private var acTables: [HuffmanTable?] = [nil, nil, nil, nil]
    private var restartInterval = 0
    private var scans = 0
    private var isJFIF = false
    /// The transform in Adobe's marker; `nil` without the marker.
    private var adobeTransform: UInt8?

    private init(_ file: [UInt8], pixelLimit: Int) {
        self.file = file
        self.pixelLimit = pixelLimit
    }

    static func decode(_ file: [UInt8], pixelLimit: Int) throws(PictureError) -> Bitmap {
        var decoder = JPEGDecoder(file, pixelLimit: pixelLimit)
        try decoder.readSegments()
        return try decoder.bitmap()
    }

    // MARK: - Segments

    private mutating func readSegments() throws(PictureError) {
        while let marker = nextMarker() {
            switch marker {
            case 0xD9: return
            case 0x01, 0xD0...0xD8: continue
            default: break
            }
            guard file.count - offset >= 2 else { throw .truncated }
            let length = Int(file[offset]) << 8 | Int(file[offset + 1])
            guard length >= 2 else { throw .damaged("the length of a segment") }
            guard length <= file.count - offset else { throw .truncated }
            let content = Array(file[offset + 2..<offset + length])
            offset += length
            switch marker {
            case 0xC0, 0xC1, 0xC2: try readFrame(content, isProgressive: marker == 0xC2)
            case 0xC3, 0xC5...0xC7: throw .unsupported("lossless or hierarchical coding")
            case 0xC9...0xCB, 0xCD...0xCF: throw .unsupported("arithmetic coding")
            case 0xC4: try readHuffmanTables(content)
            case 0xDB: try readQuantization(content)
            case 0xDD:
                guard content.count >= 2 else { throw .damaged("the restart interval") }
                restartInterval = Int(content[0]) << 8 | Int(content[1])
            case 0xDA: try readScan(content)
            case 0xE0: if content.starts(with: Array("JFIF\0".utf8)) { isJFIF = true }
            case 0xEE:
                if content.count >= 12, content.starts(with: Array("Adobe".utf8)) { adobeTransform = content[11] }
            default: break
            }
        }
        // Some files lack the end marker.
        guard scans > 0 else { throw .truncated }
    }

    /// Skips to the next marker, and returns its second byte; `nil` at the end of the file.
    private mutating func nextMarker() -> UInt8? {
        while offset + 1 < file.count {
            if file[offset] == 0xFF, file[offset + 1] != 0, file[offset + 1] != 0xFF {
                offset += 2
                return file[offset - 1]
            }
            offset += 1
        }
        return nil
    }

    private mutating func readFrame(_ content: [UInt8], isProgressive: Bool) throws(PictureError) {
        guard components.isEmpty else { throw .damaged("a second frame") }
        guard content.count >= 6 else { throw .damaged("the frame header") }
        guard content[0] == 8 else { throw .unsupported("\(content[0]) bits per sample") }
        height = Int(content[1]) << 8 | Int(content[2])
        width = Int(content[3]) << 8 | Int(content[4])
        let count = Int(content[5])
        guard width > 0, height > 0, [1, 3, 4].contains(count), content.count >= 6 + count * 3 else {
            throw .damaged("the frame header")
        }
        guard width * height <= pixelLimit else { throw .tooLarge(width: width, height: height) }
        self.isProgressive = isProgressive
        for index in 0..<count {
            let bytes = content[(6 + index * 3)...]
            let factors = bytes[bytes.startIndex + 1]
            let component = Component(
                id: bytes[bytes.startIndex], horizontal: Int(factors >> 4), vertical: Int(factors & 15),
                quantization: Int(bytes[bytes.startIndex + 2]))
            guard (1...4).contains(component.horizontal), (1...4).contains(component.vertical),
                component.quantization <= 3
            else { throw .damaged("the frame header") }
            components.append(component)
        }
        let (horizontal, vertical) = maxFactors
        unitColumns = (width + 8 * horizontal - 1) / (8 * horizontal)
        unitRows = (height + 8 * vertical - 1) / (8 * vertical)
        for index in components.indices {
            let (h, v) = (components[index].horizontal, components[index].vertical)
            components[index].paddedColumns = unitColumns * h
            components[index].columns = ((width * h + horizontal - 1) / horizontal + 7) / 8
            components[index].rows = ((height * v + vertical - 1) / vertical + 7) / 8
            components[index].coefficients = Array(repeating: 0, count: unitColumns * h * unitRows * v * 64)
        }
    }

    private var maxFactors: (horizontal: Int, vertical: Int) {
        (components.reduce(1) { max($0, $1.horizontal) }, components.reduce(1) { max($0, $1.vertical) })
    }

    private mutating func readQuantization(_ content: [UInt8]) throws(PictureError) {
        var place = 0
        while place < content.count {
            let (size, id) = (Int(content[place] >> 4) + 1, Int(content[place] & 15))
            place += 1
            guard size <= 2, id <= 3, place + 64 * size <= content.count else { throw .damaged("a quantization table") }
            var table = [Int](repeating: 0, count: 64)
            for index in 0..<64 {
                let value = content[place + index * size..<place + (index + 1) * size].reduce(0) { $0 << 8 | Int($1) }
                table[zigzag[index]] = value
            }
            quantization[id] = table
            place += 64 * size
        }
    }

    private mutating func readHuffmanTables(_ content: [UInt8]) throws(PictureError) {
        var place = 0
        while place < content.count {
            let (kind, id) = (content[place] >> 4, Int(content[place] & 15))
            guard kind <= 1, id <= 3, place + 17 <= content.count else { throw .damaged("a Huffman table") }
            let counts = content[place + 1..<place + 17].map(Int.init)
            let total = counts.reduce(0, +)
            guard total <= 256, place + 17 + total <= content.count else { throw .damaged("a Huffman table") }
            let table = try HuffmanTable(counts: counts, values: Array(content[place + 17..<place + 17 + total]))
            if kind == 0 { dcTables[id] = table } else { acTables[id] = table }
            place += 17 + total
        }
    }

    // MARK: - Scans

    private mutating func readScan(_ content: [UInt8]) throws(PictureError) {
        guard !components.isEmpty, let count = content.first.map(Int.init), (1...4).contains(count),
            content.count >= 4 + count * 2
        else { throw .damaged("a scan header") }
        scans += 1
        guard scans <= JPEGDecoder.scanLimit else { throw .unsupported("more than \(JPEGDecoder.scanLimit) scans") }
        var order: [Int] = []
        for index in 0..<count {
            let (id, tables) = (content[1 + index * 2], content[2 + index * 2])
            guard let place = components.firstIndex(where: { $0.id == id }), !order.contains(place), tables >> 4 <= 3,
                tables & 15 <= 3
            else { throw .damaged("a scan header") }
            components[place].dcTable = Int(tables >> 4)
            components[place].acTable = Int(tables & 15)
            order.append(place)
        }
        var band = ScanBand(
            start: Int(content[1 + count * 2]), end: Int(content[2 + count * 2]),
            previousBit: Int(content[3 + count * 2] >> 4), bit: Int(content[3 + count * 2] & 15))
        if !isProgressive { band = ScanBand(start: 0, end: 63, previousBit: 0, bit: 0) }
        guard band.start <= band.end, band.end <= 63, band.bit <= 13, band.start > 0 || !isProgressive || band.end == 0,
            band.start == 0 || count == 1
        else { throw .damaged("a scan header") }
        var scan = EntropyDecoder(file, from: offset, band: band, isProgressive: isProgressive)
        try decode(order, with: &scan)
        offset = scan.end
    }

    private mutating func decode(_ order: [Int], with scan: inout EntropyDecoder) throws(PictureError) {
        let isSingle = order.count == 1
        let columns = isSingle ? components[order[0]].columns : unitColumns
        let rows = isSingle ? components[order[0]].rows : unitRows
        var unit = 0
        for row in 0..<rows {
            for column in 0..<columns {
                if restartInterval > 0, unit > 0, unit % restartInterval == 0 { try scan.restart() }
                unit += 1
                if isSingle {
                    try decodeBlock(row, column, ofComponent: order[0], with: &scan)
                    continue
                }
                for index in order {
                    let (h, v) = (components[index].horizontal, components[index].vertical)
                    for y in 0..<v {
                        for x in 0..<h { try decodeBlock(row * v + y, column * h + x, ofComponent: index, with: &scan) }
                    }
                }
            }
        }
    }

    private mutating func decodeBlock(
        _ row: Int, _ column: Int, ofComponent index: Int, with scan: inout EntropyDecoder
    ) throws(PictureError) {
        let first = (row * components[index].paddedColumns + column) * 64
        let (dc, ac) = (dcTables[components[index].dcTable], acTables[components[index].acTable])
        try scan.decodeBlock(&components[index].coefficients, at: first, ofComponent: index, dc, ac)
    }

    // MARK: - Pixels

    private mutating func bitmap() throws(PictureError) -> Bitmap {
        guard !components.isEmpty else { throw .damaged("a missing frame") }
        let (horizontal, vertical) = maxFactors
        let colorSpace = colorSpace
        var planes: [Plane] = []
        for index in components.indices {
            guard let table = quantization[components[index].quantization] else {
                throw .damaged("a missing quantization table")
            }
            let component = components[index]
            planes.append(
                Plane(component.coefficients, quantizedBy: table, blockColumns: component.paddedColumns))
            components[index].coefficients = []
        }
        var pixels = [UInt8](repeating: 255, count: width * height * 4)
        var samples = [0, 0, 0, 0]
        var place = 0
        for y in 0..<height {
            for x in 0..<width {
                for index in planes.indices {
                    let (column, row) = (
                        x * components[index].horizontal / horizontal, y * components[index].vertical / vertical
                    )
                    samples[index] = Int(planes[index].samples[row * planes[index].width + column])
                }
                JPEGDecoder.write(samples, in: colorSpace, to: &pixels, at: place)
                place += 4
            }
        }
        return Bitmap(width: width, height: height, pixels: pixels)
    }

    private var colorSpace: ColorSpace {
        switch components.count {
        case 1: return .gray
        case 4: return adobeTransform == nil ? .cmyk : adobeTransform == 2 ? .ycck : .invertedCMYK
        default:
            if isJFIF { return .ycbcr }
            if let adobeTransform { return adobeTransform == 0 ? .rgb : .ycbcr }
            return components.map(\.id) == Array("RGB".utf8) ? .rgb : .ycbcr
        }
    }

    private static func write(_ samples: [Int], in colorSpace: ColorSpace, to pixels: inout [UInt8], at place: Int) {
        var (red, green, blue) = (samples[0], samples[1], samples[2])
        switch colorSpace {
        case .gray: (green, blue) = (red, red)
        case .rgb, .cmyk, .invertedCMYK: break
        case .ycbcr, .ycck:
            // JFIF's equations, as fixed-point numbers with 16 fractional bits.
            let (luma, cb, cr) = (samples[0], samples[1] - 128, samples[2] - 128)
            red = clamp(luma + (91_881 * cr + 32_768) >> 16)
            green = clamp(luma + (-22_554 * cb - 46_802 * cr + 32_768) >> 16)
            blue = clamp(luma + (116_130 * cb + 32_768) >> 16)
        }
        // Inks reduce the light.
        switch colorSpace {
        case .gray, .rgb, .ycbcr: break
        case .cmyk: (red, green, blue) = mixed(255 - red, 255 - green, 255 - blue, 255 - samples[3])
        case .invertedCMYK: (red, green, blue) = mixed(red, green, blue, samples[3])
        case .ycck: (red, green, blue) = mixed(255 - red, 255 - green, 255 - blue, samples[3])
        }
        pixels[place] = UInt8(red)
        pixels[place + 1] = UInt8(green)
        pixels[place + 2] = UInt8(blue)
    }

    private static func mixed(_ red: Int, _ green: Int, _ blue: Int, _ light: Int) -> (Int, Int, Int) {
        (red * light / 255, green * light / 255, blue * light / 255)
    }

    private static func clamp(_ value: Int) -> Int { min(255, max(0, value)) }
}

/// The index in a block of each coefficient, in file order.
let zigzag: [Int] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21,
    28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47,
    55,
    62, 63,
]
