import CArchive
import CWebP

/// An encoded picture.
package struct PictureFile: Hashable, Sendable {
    /// The format of a file.
    package enum Format: String, Hashable, Sendable, CaseIterable {
        case webP = "webp"
        case png

        /// The media type for HTTP.
        package var mediaType: String { "image/" + rawValue }
    }

    /// The format of the bytes.
    package let format: Format
    /// The whole file.
    package let bytes: [UInt8]

    /// Creates a picture from an encoded file.
    package init(format: Format, bytes: [UInt8]) {
        self.format = format
        self.bytes = bytes
    }

    /// Encodes a picture as WebP, or as PNG if libwebp is not installed. The file contains the pixels and nothing else.
    ///
    /// - Throws: ``PictureError/missingLibrary(_:)`` if zlib is not installed either.
    package init(_ bitmap: Bitmap) throws(PictureError) {
        if let bytes = PictureFile.webP(bitmap) {
            self.init(format: .webP, bytes: bytes)
        } else {
            self.init(format: .png, bytes: try PictureFile.png(bitmap))
        }
    }

    // MARK: - WebP

    /// Up to this number of pixels, a logo is encoded without loss if that takes at most half a byte per pixel, as for a drawing.
    private static let losslessPixelCount = 1 << 15

    private static func webP(_ bitmap: Bitmap) -> [UInt8]? {
        guard unsafe cwebp_load() == nil else { return nil }
        let pixelCount = bitmap.width * bitmap.height
        if pixelCount <= losslessPixelCount, let bytes = webP(bitmap, quality: -1),
            bytes.count <= max(512, pixelCount / 2)
        {
            return bytes
        }
        return webP(bitmap, quality: 80)
    }

    private static func webP(_ bitmap: Bitmap, quality: Float) -> [UInt8]? {
        // WEBP_MAX_DIMENSION.
        guard bitmap.width <= 16_383, bitmap.height <= 16_383 else { return nil }
        // Bitmap has four bytes per pixel.
        return unsafe bitmap.pixels.withUnsafeBufferPointer { pixels in
            var output: UnsafeMutablePointer<UInt8>?
            let count = unsafe cwebp_encode(
                pixels.baseAddress, Int32(bitmap.width), Int32(bitmap.height), quality, &output)
            guard let output = unsafe output else { return nil }
            defer { unsafe cwebp_free(output) }
            return count > 0 ? unsafe Array(UnsafeBufferPointer(start: output, count: count)) : nil
        }
    }

    // MARK: - PNG

    /// Encodes 8-bit RGB, or RGBA if a pixel is not opaque, with the filter of each row whose differences are smallest.
    package static func png(_ bitmap: Bitmap) throws(PictureError) -> [UInt8] {
        let channelCount = bitmap.isOpaque ? 3 : 4
        var rows: [UInt8] = []
        rows.reserveCapacity((bitmap.width * channelCount + 1) * bitmap.height)
        var previous = [UInt8](repeating: 0, count: bitmap.width * channelCount)
        for y in 0..<bitmap.height {
            let line = bitmap.pixels[(y * bitmap.width * 4)..<((y + 1) * bitmap.width * 4)]
            let row = line.enumerated().filter { $0.offset & 3 < channelCount }.map(\.element)
            let candidates = [0, 1, 2].map { (filter: UInt8) in
                (filter, filtered(row, after: previous, by: filter, channelCount: channelCount))
            }
            let best = candidates.min { weight($0.1) < weight($1.1) } ?? (0, row)
            rows.append(best.0)
            rows += best.1
            previous = row
        }
        var file = PNGDecoder.signature
        let header = bigEndian(bitmap.width) + bigEndian(bitmap.height) + [8, channelCount == 3 ? 2 : 6, 0, 0, 0]
        try append("IHDR", header, to: &file)
        try append("IDAT", [0x78, 0x9C] + deflated(rows) + bigEndian(Int(adler32(rows))), to: &file)
        try append("IEND", [], to: &file)
        return file
    }

    /// The filters none, sub and up (ISO/IEC 15948, 9.2).
    private static func filtered(
        _ row: [UInt8], after previous: [UInt8], by filter: UInt8, channelCount: Int
    ) -> [UInt8] {
        switch filter {
        case 1: row.indices.map { $0 < channelCount ? row[$0] : row[$0] &- row[$0 - channelCount] }
        case 2: row.indices.map { row[$0] &- previous[$0] }
        default: row
        }
    }

    private static func weight(_ row: [UInt8]) -> Int { row.reduce(0) { $0 + min(Int($1), 256 - Int($1)) } }

    private static func append(_ type: String, _ content: [UInt8], to file: inout [UInt8]) throws(PictureError) {
        let body = Array(type.utf8) + content
        file += bigEndian(content.count) + body + bigEndian(Int(try crc32(body, 0..<body.count)))
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// The checksum of a zlib stream (RFC 1950, 9).
    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    /// Returns a raw deflate stream (RFC 1951): the gzip file of zlib without its header of 10 and its trailer of 8 bytes.
    private static func deflated(_ bytes: [UInt8]) throws(PictureError) -> [UInt8] {
        guard unsafe carchive_load(CARCHIVE_GZIP) == nil, let encoder = unsafe carchive_encoder_new(6) else {
            throw .missingLibrary(unsafe String(cString: carchive_library(CARCHIVE_GZIP)))
        }
        defer { unsafe carchive_encoder_free(encoder) }
        // Larger than any output of zlib (compressBound).
        var output = [UInt8](repeating: 0, count: bytes.count + bytes.count / 1000 + 64)
        var (consumed, produced) = (bytes.count, output.count)
        let outcome = unsafe bytes.withUnsafeBufferPointer { source in
            unsafe output.withUnsafeMutableBufferPointer { target in
                guard let source = source.baseAddress, let target = target.baseAddress else { return CARCHIVE_DAMAGED }
                return unsafe carchive_encode(encoder, source, &consumed, target, &produced, 1)
            }
        }
        guard outcome == CARCHIVE_END, produced > 18 else { throw .damaged("the compressed data") }
        return Array(output[10..<(produced - 8)])
    }
}
