import EPGPicture

/// Sixel graphics, as the VT340 (EK-VT3XX-TP, chapter 14) and today's terminals have them.
enum Sixels {
    /// Pixels below this opacity show the background.
    private static let opacityThreshold: UInt8 = 128

    /// Draws a picture in up to 256 colors of its own. The cursor ends somewhere below it.
    static func bytes(of bitmap: Bitmap) -> [UInt8] {
        let palette = SixelPalette(bitmap, opacityThreshold: opacityThreshold)
        // 0;1: pixels that aren't set stay as they are. Then square pixels, and the size.
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

    /// Writes six rows of pixels: each color of them over the whole width.
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
            // A dollar sign goes back to the left.
            output += "\(isFirst ? "" : "$")#\(color)".utf8
            isFirst = false
            var column = 0
            while column < width {
                let sixel = pattern[column]
                let end = pattern[column...].firstIndex { $0 != sixel } ?? width
                // Nothing has to be written at the right.
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

/// Up to 256 colors for a picture, by median cut (Heckbert 1982) of its colors in 15 bits.
private struct SixelPalette {
    struct Color {
        var red: UInt8
        var green: UInt8
        var blue: UInt8
    }

    /// A cell of the 15-bit color space, and how many pixels it has.
    private struct Bucket {
        let index: Int
        var count = 0
        var sums = (red: 0, green: 0, blue: 0)

        func component(_ channel: Int) -> Int { index >> (10 - 5 * channel) & 31 }
    }

    private static let limit = 256

    private(set) var colors: [Color] = []
    /// The color of each bucket.
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
            let count = box.reduce(0) { $0 + $1.count }
            for bucket in box { places[bucket.index] = colors.count }
            colors.append(
                Color(
                    red: UInt8(box.reduce(0) { $0 + $1.sums.red } / count),
                    green: UInt8(box.reduce(0) { $0 + $1.sums.green } / count),
                    blue: UInt8(box.reduce(0) { $0 + $1.sums.blue } / count)))
        }
    }

    /// The place of the color in ``colors`` that stands for one of the picture.
    func color(of red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
        places[SixelPalette.bucket(of: red, green, blue)]
    }

    private static func bucket(of red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
        Int(red >> 3) << 10 | Int(green >> 3) << 5 | Int(blue >> 3)
    }

    /// Divides the buckets into boxes, each time the box with the most pixels at the middle of its longest side.
    private static func boxes(of buckets: [Bucket]) -> [[Bucket]] {
        guard buckets.count > limit else { return buckets.map { [$0] } }
        var boxes = [buckets]
        while boxes.count < limit {
            guard
                let largest = boxes.indices.filter({ boxes[$0].count > 1 }).max(by: {
                    pixels(boxes[$0]) < pixels(boxes[$1])
                })
            else { break }
            let channel = (0..<3).max { extent(boxes[largest], $0) < extent(boxes[largest], $1) } ?? 0
            let sorted = boxes[largest].sorted { $0.component(channel) < $1.component(channel) }
            let half = pixels(sorted) / 2
            var (count, middle) = (0, 0)
            while middle < sorted.count - 1, middle == 0 || count < half {
                count += sorted[middle].count
                middle += 1
            }
            boxes[largest] = Array(sorted[..<middle])
            boxes.append(Array(sorted[middle...]))
        }
        return boxes
    }

    private static func pixels(_ box: [Bucket]) -> Int { box.reduce(0) { $0 + $1.count } }

    private static func extent(_ box: [Bucket], _ channel: Int) -> Int {
        let components = box.map { $0.component(channel) }
        return (components.max() ?? 0) - (components.min() ?? 0)
    }
}
