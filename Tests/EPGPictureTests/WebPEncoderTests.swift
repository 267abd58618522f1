import Glibc
import TestSupport
import Testing

@testable import EPGPicture

/// Tests of encoded pictures, which other decoders read.
@Suite struct WebPEncoderTests {
    /// A picture with all opacities.
    private static func bitmap(width: Int, height: Int) -> Bitmap {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                pixels += [UInt8((x * 7 + y) & 255), UInt8((x ^ y) & 255), UInt8((x * y) & 255)]
                pixels.append(UInt8((x + y * 3) & 255))
            }
        }
        return Bitmap(width: width, height: height, pixels: pixels)
    }

    @Test func largeLogoOfFewColorsIsEncodedWithoutLoss() throws {
        var pixels = [UInt8](repeating: 255, count: 128 * 128 * 4)
        for index in 0..<2000 { pixels[index * 4] = 0 }
        let bitmap = Bitmap(width: 128, height: 128, pixels: pixels)
        try expectEqual(decoded(bitmap.webP()), bitmap)
    }

    @Test(arguments: [(1, 1), (128, 31), (640, 360)])
    func webPHasTheSizeOfThePicture(size: (Int, Int)) throws {
        let bitmap = try decoded(Self.bitmap(width: size.0, height: size.1).webP())
        expectEqual((bitmap.width, bitmap.height), (size.0, size.1))
    }

    @Test func pictureAboveTheSizesOfWebPIsTooLarge() {
        #expect(throws: PictureError.tooLarge(width: 16_384, height: 1)) {
            try Self.bitmap(width: 16_384, height: 1).webP()
        }
    }

    /// Decodes with the decoder of libwebp, which the program does not use.
    private func decoded(_ file: [UInt8]) throws -> Bitmap {
        typealias Decode =
            @convention(c) (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?)
            -> UnsafeMutablePointer<UInt8>?
        let library = try #require(dlopen("libwebp.so.7", RTLD_NOW))
        let decode = unsafeBitCast(try #require(dlsym(library, "WebPDecodeRGBA")), to: Decode.self)
        var (width, height): (Int32, Int32) = (0, 0)
        let pixels = try #require(decode(file, file.count, &width, &height))
        defer { free(pixels) }
        let count = Int(width) * Int(height) * 4
        return Bitmap(
            width: Int(width), height: Int(height), pixels: Array(UnsafeBufferPointer(start: pixels, count: count)))
    }
}
