import EPGPicture

/// Sixel graphics as of the VT340 (EK-VT3XX-TP, chapter 14) and current terminals.
enum Sixels {
    /// Minimum opacity of drawn pixels. Others show the background.
    private static let opacityThreshold: UInt8 = 128

    /// Encodes a picture with its own palette of up to 256 colors. The cursor ends somewhere below the picture.
    static func bytes(of bitmap: Bitmap) -> [UInt8] {
        let palette = SixelPalette(bitmap, opacityThreshold: opacityThreshold)
        // 0;1 leaves unset pixels unchanged. Then follow the pixel aspect ratio (1:1) and the size.
        var output = Array("\u{1B}P0;1;0q\"1;1;\(bitmap.width);\(bitmap.height)".utf8)
        for (index, color) in palette.colors.enumerated() {
            let percent = [color.red, color.green, color.blue].map { "\((Int($0) * 100 + 127) / 255)" }
            output += "#\(index);2;\(percent.joined(separator: ";"))".utf8
        }
        for top in stride(from: 0, to: bitmap.height, by: 6) {
            if top > 0 { output.append(UInt8(ascii: "-")) }
            writeBand(of: bitmap, from: top, palette, to: &output)
        }
        output += "\u{1B}\\".utf8
        return output
    }

    /// Writes six rows of pixels, one color after the other over the full width.
    private static func writeBand(
        of bitmap: Bitmap, from top: Int, _ palette: SixelPalette, to output: inout [UInt8]
    ) {
        let width = bitmap.width
        var patterns: [[UInt8]] = Array(repeating: [], count: palette.colors.count)
        for row in top..<min(top + 6, bitmap.height) {
            for column in 0..<width {
                let place = (row * width + column) * 4
                guard bitmap.pixels[place + 3] >= opacityThreshold else { continue }
                let color = palette.color(of: bitmap.pixels[place], bitmap.pixels[place + 1], bitmap.pixels[place + 2])
                if patterns[color].isEmpty { patterns[color] = Array(repeating: 0, count: width) }
                patterns[color][column] |= 1 << UInt8(row - top)
            }
        }
        var isFirst = true
        for (color, pattern) in patterns.enumerated() where !pattern.isEmpty {
            // A dollar sign returns to the left edge.
            output += "\(isFirst ? "" : "$")#\(color)".utf8
            isFirst = false
            var column = 0
            while column < width {
                let sixel = pattern[column]
                let end = pattern[column...].firstIndex { $0 != sixel } ?? width
                // The rest of the row is empty.
                if end == width, sixel == 0 { break }
                let character = UInt8(63 + sixel)
                if end - column > 3 {
                    output += "!\(end - column)".utf8
                    output.append(character)
                } else {
                    output.append(contentsOf: repeatElement(character, count: end - column))
                }
                column = end
            }
        }
    }
}

/// A palette of up to 256 colors, by median cut (Heckbert 1982) of the picture's 15-bit colors.
private struct SixelPalette {
    struct Color {
        var red: UInt8
        var green: UInt8
        var blue: UInt8
    }

    /// A color of the 15-bit color space, with the number and sums of its pixels.
    private struct Bucket {
        let index: Int
        var count = 0
        var sums = (red: 0, green: 0, blue: 0)

        func component(_ channel: Int) -> Int { index >> (10 - 5 * channel) & 31 }
    }

    private static let limit = 256

    private(set) var colors: [Color] = []
    /// The palette index of each bucket.
    private var places = [Int](repeating: 0, count: 1 << 15)

    init(_ bitmap: Bitmap, opacityThreshold: UInt8) {
        var buckets = (0..<1 << 15).map { Bucket(index: $0) }
        for place in stride(from: 0, to: bitmap.pixels.count, by: 4)
        where bitmap.pixels[place + 3] >= opacityThreshold {
            let (red, green, blue) = (bitmap.pixels[place], bitmap.pixels[place + 1], bitmap.pixels[place + 2])
            let index = SixelPalette.bucket(of: red, green, blue)
            buckets[index].count += 1
            buckets[index].sums.red += Int(red)
            buckets[index].sums.green += Int(green)
            buckets[index].sums.blue += Int(blue)
        }
        for box in SixelPalette.boxes(of: buckets.filter { $0.count > 0 }) {
            for bucket in box.buckets { places[bucket.index] = colors.count }
            colors.append(
                Color(
                    red: UInt8(box.buckets.reduce(0) { $0 + $1.sums.red } / box.pixels),
                    green: UInt8(box.buckets.reduce(0) { $0 + $1.sums.green } / box.pixels),
                    blue: UInt8(box.buckets.reduce(0) { $0 + $1.sums.blue } / box.pixels)))
        }
    }

    /// The index in ``colors`` for a color of the picture.
    func color(of red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
        places[SixelPalette.bucket(of: red, green, blue)]
    }

    private static func bucket(of red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
        Int(red >> 3) << 10 | Int(green >> 3) << 5 | Int(blue >> 3)
    }

    /// Divides the buckets into boxes. Each step splits the box with the highest weight at the median of its longest side.
    private static func boxes(of buckets: [Bucket]) -> [Box] {
        guard buckets.count > limit else { return buckets.map { Box([$0]) } }
        var boxes = [Box(buckets)]
        while boxes.count < limit {
            guard let place = boxes.indices.max(by: { boxes[$0].weight < boxes[$1].weight }) else { break }
            let halves = boxes[place].halves
            boxes[place] = halves.0
            boxes.append(halves.1)
        }
        return boxes
    }

    /// A box of similar colors.
    private struct Box {
        let buckets: [Bucket]
        let pixels: Int
        /// The color component with the largest extent.
        private let channel: Int
        /// Number of pixels times the largest extent; 0 for a single bucket, which can't be divided.
        let weight: Int

        init(_ buckets: [Bucket]) {
            self.buckets = buckets
            pixels = buckets.reduce(0) { $0 + $1.count }
            let extents = (0..<3).map { channel in
                let components = buckets.map { $0.component(channel) }
                return (components.max() ?? 0) - (components.min() ?? 0)
            }
            channel = (0..<3).max { extents[$0] < extents[$1] } ?? 0
            weight = pixels * extents[channel]
        }

        /// - Precondition: There are several buckets.
        var halves: (Box, Box) {
            let sorted = buckets.sorted { $0.component(channel) < $1.component(channel) }
            var (count, middle) = (0, 0)
            while middle < sorted.count - 1, middle == 0 || count < pixels / 2 {
                count += sorted[middle].count
                middle += 1
            }
            return (Box(Array(sorted[..<middle])), Box(Array(sorted[middle...])))
        }
    }
}
