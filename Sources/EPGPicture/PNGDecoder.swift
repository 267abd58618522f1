/// A decoder for PNG (ISO/IEC 15948, https://www.w3.org/TR/png-3/). It decodes the static image of an animation.
struct PNGDecoder {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private enum ColorType: UInt8 {
        case gray = 0
        case rgb = 2
        case palette = 3
        case grayWithAlpha = 4
        case rgbWithAlpha = 6

        var channels: Int {
            switch self {
            case .gray, .palette: 1
            case .grayWithAlpha: 2
            case .rgb: 3
            case .rgbWithAlpha: 4
            }
        }

        func allows(depth: Int) -> Bool {
            switch self {
            case .gray: [1, 2, 4, 8, 16].contains(depth)
            case .palette: [1, 2, 4, 8].contains(depth)
            case .rgb, .grayWithAlpha, .rgbWithAlpha: depth == 8 || depth == 16
            }
        }
    }

    /// The positions of a pass's pixels in the picture.
    private struct Pass {
        var x = 0
        var y = 0
        var stepX = 1
        var stepY = 1

        /// The passes of Adam7.
        static let interlaced = [
            Pass(x: 0, y: 0, stepX: 8, stepY: 8), Pass(x: 4, y: 0, stepX: 8, stepY: 8),
            Pass(x: 0, y: 4, stepX: 4, stepY: 8),
            Pass(x: 2, y: 0, stepX: 4, stepY: 4), Pass(x: 0, y: 2, stepX: 2, stepY: 4),
            Pass(x: 1, y: 0, stepX: 2, stepY: 2),
            Pass(x: 0, y: 1, stepX: 1, stepY: 2),
        ]
    }

    private let width: Int
    private let height: Int
    private let depth: Int
    private let colorType: ColorType
    private let isInterlaced: Bool
    /// The palette, with three bytes per color.
    private var palette: [UInt8] = []
    /// The content of the chunk tRNS: the opacities of the palette, or the samples of the transparent color.
    private var transparency: [UInt8] = []
    private var compressed: [UInt8] = []

    static func decode(_ file: [UInt8], pixelLimit: Int) throws(PictureError) -> Bitmap {
        var chunks = ChunkReader(file)
        guard let header = try chunks.next(), header.type == "IHDR" else {
            throw .damaged("the first chunk is not a header")
        }
        var decoder = try PNGDecoder(header: Array(header.content), pixelLimit: pixelLimit)
        while let chunk = try chunks.next(), chunk.type != "IEND" {
            switch chunk.type {
            case "PLTE": decoder.palette = Array(chunk.content)
            case "tRNS": decoder.transparency = Array(chunk.content)
            case "IDAT": decoder.compressed += chunk.content
            default:
                // The name of a critical chunk, which decoders must not ignore, begins with a capital letter.
                guard chunk.type.utf8.first.map({ $0 & 0x20 != 0 }) ?? false else {
                    throw .unsupported("the chunk \(chunk.type.debugDescription)")
                }
            }
        }
        return try decoder.bitmap()
    }

    private init(header: [UInt8], pixelLimit: Int) throws(PictureError) {
        guard header.count == 13 else { throw .damaged("the header") }
        width = header[0..<4].reduce(0) { $0 << 8 | Int($1) }
        height = header[4..<8].reduce(0) { $0 << 8 | Int($1) }
        depth = Int(header[8])
        guard (1...0x7FFF_FFFF).contains(width), (1...0x7FFF_FFFF).contains(height),
            let colorType = ColorType(rawValue: header[9]), colorType.allows(depth: depth), header[10] == 0,
            header[11] == 0,
            header[12] <= 1
        else { throw .damaged("the header") }
        guard width * height <= pixelLimit else { throw .tooLarge(width: width, height: height) }
        self.colorType = colorType
        isInterlaced = header[12] == 1
    }

    // MARK: - Pixels

    private func bitmap() throws(PictureError) -> Bitmap {
        if colorType == .palette {
            guard !palette.isEmpty, palette.count % 3 == 0, palette.count <= 768 else { throw .damaged("the palette") }
        }
        let reader = try ZlibReader(compressed)
        var pixels = [UInt8](repeating: 0, count: width * height * 4)
        for pass in isInterlaced ? Pass.interlaced : [Pass()] {
            let columns = (width - pass.x + pass.stepX - 1) / pass.stepX
            let rows = (height - pass.y + pass.stepY - 1) / pass.stepY
            guard columns > 0, rows > 0 else { continue }
            let length = (columns * colorType.channels * depth + 7) / 8
            // The filter byte precedes the samples.
            var previous = [UInt8](repeating: 0, count: length + 1)
            var line = previous
            for row in 0..<rows {
                try reader.read(into: &line)
                try undoFilter(of: &line, above: previous)
                write(line, columns, pass, row: pass.y + row * pass.stepY, to: &pixels)
                swap(&line, &previous)
            }
        }
        return Bitmap(width: width, height: height, pixels: pixels)
    }

    private func undoFilter(of line: inout [UInt8], above: [UInt8]) throws(PictureError) {
        let distance = max(1, colorType.channels * depth / 8)
        switch line[0] {
        case 0: break
        case 1:
            for index in line.indices.dropFirst(1 + distance) { line[index] &+= line[index - distance] }
        case 2:
            for index in line.indices.dropFirst() { line[index] &+= above[index] }
        case 3:
            for index in line.indices.dropFirst() {
                let left = index > distance ? Int(line[index - distance]) : 0
                line[index] &+= UInt8((left + Int(above[index])) / 2)
            }
        case 4:
            for index in line.indices.dropFirst() {
                let hasLeft = index > distance
                let left = hasLeft ? Int(line[index - distance]) : 0
                let upperLeft = hasLeft ? Int(above[index - distance]) : 0
                line[index] &+= PNGDecoder.paeth(left, Int(above[index]), upperLeft)
            }
        default: throw .damaged("a filter")
        }
    }

    private static func paeth(_ left: Int, _ above: Int, _ upperLeft: Int) -> UInt8 {
        let estimate = left + above - upperLeft
        let (toLeft, toAbove, toUpperLeft) = (abs(estimate - left), abs(estimate - above), abs(estimate - upperLeft))
        if toLeft <= toAbove, toLeft <= toUpperLeft { return UInt8(left) }
        return UInt8(toAbove <= toUpperLeft ? above : upperLeft)
    }

    private func write(_ line: [UInt8], _ columns: Int, _ pass: Pass, row: Int, to pixels: inout [UInt8]) {
        let channels = colorType.channels
        let transparent = transparentSamples
        var place = (row * width + pass.x) * 4
        for column in 0..<columns {
            let first = column * channels
            switch colorType {
            case .palette:
                let index = sample(first, of: line)
                if index * 3 + 2 < palette.count {
                    for channel in 0..<3 { pixels[place + channel] = palette[index * 3 + channel] }
                }
                pixels[place + 3] = index < transparency.count ? transparency[index] : 255
            case .gray, .grayWithAlpha:
                let gray = sample(first, of: line)
                for channel in 0..<3 { pixels[place + channel] = byte(gray) }
                pixels[place + 3] =
                    colorType == .grayWithAlpha
                    ? byte(sample(first + 1, of: line)) : transparent.first == gray ? 0 : 255
            case .rgb, .rgbWithAlpha:
                for channel in 0..<3 { pixels[place + channel] = byte(sample(first + channel, of: line)) }
                if colorType == .rgbWithAlpha {
                    pixels[place + 3] = byte(sample(first + 3, of: line))
                } else {
                    let isTransparent =
                        !transparent.isEmpty && (0..<3).allSatisfy { sample(first + $0, of: line) == transparent[$0] }
                    pixels[place + 3] = isTransparent ? 0 : 255
                }
            }
            place += pass.stepX * 4
        }
    }

    /// A sample of a row in the depth of the file.
    private func sample(_ index: Int, of line: [UInt8]) -> Int {
        switch depth {
        case 8: return Int(line[1 + index])
        case 16: return Int(line[1 + index * 2]) << 8 | Int(line[2 + index * 2])
        default:
            let bit = index * depth
            return Int(line[1 + bit / 8]) >> (8 - depth - bit % 8) & (1 << depth - 1)
        }
    }

    /// A sample rounded to 8 bits.
    private func byte(_ sample: Int) -> UInt8 {
        switch depth {
        case 8: UInt8(sample)
        case 16: UInt8((sample * 255 + 32_895) >> 16)
        default: UInt8(sample * 255 / (1 << depth - 1))
        }
    }

    /// The samples of the transparent color; empty if there is none.
    private var transparentSamples: [Int] {
        let count = colorType == .gray ? 1 : colorType == .rgb ? 3 : 0
        guard count > 0, transparency.count >= count * 2 else { return [] }
        return (0..<count).map { Int(transparency[$0 * 2]) << 8 | Int(transparency[$0 * 2 + 1]) }
    }
}

/// A reader of the chunks of a PNG file, which verifies their checksums.
private struct ChunkReader {
    private let file: [UInt8]
    private var offset = PNGDecoder.signature.count

    init(_ file: [UInt8]) { self.file = file }

    /// The next chunk; `nil` at the end of the file.
    mutating func next() throws(PictureError) -> (type: String, content: ArraySlice<UInt8>)? {
        guard offset < file.count else { return nil }
        guard file.count - offset >= 12 else { throw .truncated }
        let length = number(at: offset)
        guard length <= file.count - offset - 12 else { throw .truncated }
        let content = offset + 8..<offset + 8 + length
        guard Int(crc32(file, offset + 4..<content.upperBound)) == number(at: content.upperBound) else {
            throw .damaged("a checksum")
        }
        let type = String(decoding: file[offset + 4..<offset + 8], as: UTF8.self)
        offset = content.upperBound + 4
        return (type, file[content])
    }

    private func number(at offset: Int) -> Int { file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
}
