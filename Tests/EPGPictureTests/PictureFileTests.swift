import Glibc
import TestSupport
import Testing

@testable import EPGPicture

/// Tests of encoded pictures, which other decoders read.
@Suite struct PictureFileTests {
    /// A picture with all opacities, and colors that no filter predicts.
    private static func bitmap(width: Int, height: Int, isOpaque: Bool = false) -> Bitmap {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                pixels += [UInt8((x * 7 + y) & 255), UInt8((x ^ y) & 255), UInt8((x * y) & 255)]
                pixels.append(isOpaque ? 255 : UInt8((x + y * 3) & 255))
            }
        }
        return Bitmap(width: width, height: height, pixels: pixels)
    }

    /// The decoder is tested with files of other programs.
    @Test(arguments: [(1, 1), (3, 5), (64, 40), (300, 2)], [true, false])
    func pngHasTheSamePixels(size: (Int, Int), isOpaque: Bool) throws {
        let bitmap = Self.bitmap(width: size.0, height: size.1, isOpaque: isOpaque)
        try expectEqual(Bitmap(decoding: PictureFile.png(bitmap)), bitmap)
    }

    @Test func largeLogoOfFewColorsIsEncodedWithoutLoss() throws {
        var pixels = [UInt8](repeating: 255, count: 128 * 128 * 4)
        for index in 0..<2000 { pixels[index * 4] = 0 }
        let bitmap = Bitmap(width: 128, height: 128, pixels: pixels)
        try expectEqual(decoded(PictureFile(bitmap)), bitmap)
    }

    @Test(arguments: [(1, 1), (128, 31), (640, 360)])
    func webPHasTheSizeOfThePicture(size: (Int, Int)) throws {
        let file = try PictureFile(Self.bitmap(width: size.0, height: size.1))
        expectEqual((file.format, file.format.mediaType), (.webP, "image/webp"))
        let bitmap = try decoded(file)
        expectEqual((bitmap.width, bitmap.height), (size.0, size.1))
    }

    /// Decodes with the decoder of libwebp, which the program does not use.
    private func decoded(_ file: PictureFile) throws -> Bitmap {
        typealias Decode =
            @convention(c) (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?)
            -> UnsafeMutablePointer<UInt8>?
        let library = try #require(dlopen("libwebp.so.7", RTLD_NOW))
        let decode = unsafeBitCast(try #require(dlsym(library, "WebPDecodeRGBA")), to: Decode.self)
        var (width, height): (Int32, Int32) = (0, 0)
        let pixels = try #require(decode(file.bytes, file.bytes.count, &width, &height))
        defer { free(pixels) }
        let count = Int(width) * Int(height) * 4
        return Bitmap(
            width: Int(width), height: Int(height), pixels: Array(UnsafeBufferPointer(start: pixels, count: count)))
    }
}
