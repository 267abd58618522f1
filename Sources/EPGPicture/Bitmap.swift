/// A picture as rows of pixels.
package struct Bitmap: Hashable, Sendable {
    /// Width in pixels, at least 1.
    package let width: Int
    /// Height in pixels, at least 1.
    package let height: Int
    /// Red, green, blue and opacity of each pixel in sRGB, from left to right and top to bottom. Colors are not premultiplied.
    package let pixels: [UInt8]

    /// Creates a picture from pixels.
    ///
    /// - Precondition: Width and height are positive, and there are four bytes per pixel.
    package init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(width > 0 && height > 0 && pixels.count == width * height * 4)
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// The default maximum number of pixels to decode: 4,096 × 4,096.
    package static let pixelLimit = 1 << 24

    /// Decodes a file.
    ///
    /// Supports PNG (ISO/IEC 15948) with all color types, depths and filters, interlaced or not, and JPEG (ITU-T T.81) with 8-bit
    /// baseline, extended and progressive Huffman coding, in gray, YCbCr, RGB, CMYK and YCCK. Ignores color profiles and
    /// orientation.
    ///
    /// - Parameter pixelLimit: The maximum number of pixels.
    /// - Throws: ``PictureError``, also for a truncated file.
    package init(decoding file: [UInt8], pixelLimit: Int = Bitmap.pixelLimit) throws(PictureError) {
        if file.starts(with: PNGDecoder.signature) {
            self = try PNGDecoder.decode(file, pixelLimit: pixelLimit)
        } else if file.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = try JPEGDecoder.decode(file, pixelLimit: pixelLimit)
        } else {
            throw .unknownFormat
        }
    }

    /// Whether all pixels are opaque.
    package var isOpaque: Bool { stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 } }

    /// Returns the picture scaled down to fit a box, with the same aspect ratio. A smaller picture does not change.
    ///
    /// - Parameters:
    ///   - maxWidth: The width of the box in pixels, at least 1.
    ///   - maxHeight: The height of the box in pixels, at least 1.
    /// - Complexity: O(pixels) of the original.
    package func scaled(maxWidth: Int, maxHeight: Int) -> Bitmap {
        precondition(maxWidth > 0 && maxHeight > 0)
        guard width > maxWidth || height > maxHeight else { return self }
        var (newWidth, newHeight) = (maxWidth, maxHeight)
        if width * maxHeight > height * maxWidth {
            newHeight = max(1, (height * maxWidth + width / 2) / width)
        } else {
            newWidth = max(1, (width * maxHeight + height / 2) / height)
        }
        return averaged(newWidth, newHeight)
    }

    /// Scales the picture. Each new pixel is the average of the area that it covers, weighted by opacity.
    private func averaged(_ newWidth: Int, _ newHeight: Int) -> Bitmap {
        let columns = Bitmap.areas(of: newWidth, in: width)
        let rows = Bitmap.areas(of: newHeight, in: height)
        var result = [UInt8](repeating: 0, count: newWidth * newHeight * 4)
        var sums = [Float](repeating: 0, count: newWidth * 4)
        for (newRow, area) in rows.enumerated() {
            for index in sums.indices { sums[index] = 0 }
            for (row, rowWeight) in area.weights.enumerated() {
                let line = (area.first + row) * width * 4
                for (newColumn, columnArea) in columns.enumerated() {
                    var (red, green, blue, opacity): (Float, Float, Float, Float) = (0, 0, 0, 0)
                    var place = line + columnArea.first * 4
                    for columnWeight in columnArea.weights {
                        let weight = columnWeight * Float(pixels[place + 3])
                        red += weight * Float(pixels[place])
                        green += weight * Float(pixels[place + 1])
                        blue += weight * Float(pixels[place + 2])
                        opacity += weight
                        place += 4
                    }
                    sums[newColumn * 4] += red * rowWeight
                    sums[newColumn * 4 + 1] += green * rowWeight
                    sums[newColumn * 4 + 2] += blue * rowWeight
                    sums[newColumn * 4 + 3] += opacity * rowWeight
                }
            }
            let line = newRow * newWidth * 4
            for column in stride(from: 0, to: newWidth * 4, by: 4) where sums[column + 3] > 0 {
                let opacity = sums[column + 3]
                for channel in 0..<3 {
                    result[line + column + channel] = UInt8(min(255, sums[column + channel] / opacity + 0.5))
                }
                result[line + column + 3] = UInt8(min(255, opacity + 0.5))
            }
        }
        return Bitmap(width: newWidth, height: newHeight, pixels: result)
    }

    /// The old pixels that each new one covers, with weights whose sum is 1.
    private static func areas(of newCount: Int, in count: Int) -> [(first: Int, weights: [Float])] {
        (0..<newCount).map { index in
            // In units of 1 / newCount of an old pixel, so that all bounds are integers.
            let (start, end) = (index * count, (index + 1) * count)
            let first = start / newCount
            let last = (end - 1) / newCount
            let weights = (first...last).map { old in
                Float(min(end, (old + 1) * newCount) - max(start, old * newCount)) / Float(count)
            }
            return (first, weights)
        }
    }
}

/// An error of decoding or encoding a picture.
package enum PictureError: Error, Hashable, Sendable {
    /// The file is neither PNG nor JPEG.
    case unknownFormat
    /// The file uses an unsupported feature, such as `arithmetic coding`.
    case unsupported(String)
    /// The named part of the file is invalid, such as `a Huffman code`.
    case damaged(String)
    /// The file ends before the end of the picture.
    case truncated
    /// The picture has more pixels than the limit.
    case tooLarge(width: Int, height: Int)
    /// libwebp is not installed; the loader's message, which names the package.
    case missingLibrary(String)
}
