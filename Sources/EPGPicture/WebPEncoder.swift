import CWebP

extension Bitmap {
    /// Up to this number of pixels, a logo is encoded without loss if that takes at most half a byte per pixel, as for a drawing.
    private static let losslessPixelCount = 1 << 15

    /// Returns the picture as a WebP file, which contains the pixels and nothing else.
    ///
    /// - Throws: ``PictureError/missingLibrary(_:)``; ``PictureError/tooLarge(width:height:)`` if libwebp cannot encode it.
    package func webP() throws(PictureError) -> [UInt8] {
        if let problem = unsafe cwebp_load() { throw .missingLibrary(unsafe String(cString: problem)) }
        if width * height <= Bitmap.losslessPixelCount, let bytes = webP(quality: -1),
            bytes.count <= max(512, width * height / 2)
        {
            return bytes
        }
        guard let bytes = webP(quality: 80) else { throw .tooLarge(width: width, height: height) }
        return bytes
    }

    private func webP(quality: Float) -> [UInt8]? {
        // WEBP_MAX_DIMENSION.
        guard width <= 16_383, height <= 16_383 else { return nil }
        // There are four bytes per pixel.
        return unsafe pixels.withUnsafeBufferPointer { pixels in
            var output: UnsafeMutablePointer<UInt8>?
            let count = unsafe cwebp_encode(pixels.baseAddress, Int32(width), Int32(height), quality, &output)
            guard let output = unsafe output else { return nil }
            defer { unsafe cwebp_free(output) }
            return count > 0 ? unsafe Array(UnsafeBufferPointer(start: output, count: count)) : nil
        }
    }
}
