import EPGPicture
import Foundation
import TestSupport
import Testing

/// Tests with pictures in Fixtures, which other programs encoded and decoded; see Fixtures/make.py.
@Suite struct BitmapTests {
    // MARK: - Formats

    @Test(arguments: try Fixture.all(withExtension: "png"))
    func pngDecodesAsInOtherPrograms(_ fixture: Fixture) throws {
        let (found, expected) = (try Bitmap(decoding: fixture.file), try fixture.expected)
        expectEqual((found.width, found.height), (expected.width, expected.height))
        for index in stride(from: 0, to: found.pixels.count, by: 4) {
            // Transparent pixels may have any color.
            let count = expected.pixels[index + 3] == 0 ? 0 : 3
            expectEqual(found.pixels[index..<index + count], expected.pixels[index..<index + count], "at \(index / 4)")
            expectEqual(found.pixels[index + 3], expected.pixels[index + 3], "at \(index / 4)")
        }
    }

    @Test(arguments: try Fixture.all(withExtension: "jpg"))
    func jpegDecodesAsInLibjpegWithoutSmoothing(_ fixture: Fixture) throws {
        let (found, expected) = (try Bitmap(decoding: fixture.file), try fixture.expected)
        expectEqual((found.width, found.height), (expected.width, expected.height))
        // Programs round the products of ink values differently.
        let tolerance = fixture.name == "cmyk" ? 1 : 0
        let largest = zip(found.pixels, expected.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
        #expect(largest <= tolerance)
    }

    // MARK: - Invalid files

    @Test(arguments: [[], [0x89], Array("GIF89a".utf8), Array("<html>".utf8), [0xFF, 0xD8]] as [[UInt8]])
    func otherFormatsAreRejected(_ file: [UInt8]) {
        #expect(throws: PictureError.unknownFormat) { try Bitmap(decoding: file) }
    }

    @Test(arguments: try Fixture.all(withExtension: "png") + Fixture.all(withExtension: "jpg"))
    func truncatedFileThrowsOrLosesOnlyItsLastScans(_ fixture: Fixture) throws {
        let (file, whole) = (try fixture.file, try Bitmap(decoding: fixture.file))
        for length in 0..<file.count {
            let part = Result { () throws(PictureError) in try Bitmap(decoding: Array(file[..<length])) }
            guard case .success(let bitmap) = part else { continue }
            expectEqual((bitmap.width, bitmap.height), (whole.width, whole.height))
            // Only the end chunk follows the pixels of a PNG file.
            if fixture.kind == "png" { #expect(bitmap == whole && length >= file.count - 12, "\(length)") }
        }
        if fixture.name.hasPrefix("baseline-4") || fixture.kind == "png" {
            #expect(throws: PictureError.truncated) { try Bitmap(decoding: Array(file[..<(file.count * 3 / 4)])) }
        }
    }

    @Test(arguments: try Fixture.all(withExtension: "png") + Fixture.all(withExtension: "jpg"))
    func corruptedFileDecodesWithinTheLimitOrThrows(_ fixture: Fixture) throws {
        let original = try fixture.file
        var random = SplitMix(seed: 19)
        for _ in 0..<150 {
            var file = original
            for _ in 0..<Int(1 + random.next() % 4) {
                file[Int(random.next() % UInt64(file.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            // Repairs the checksums, which would otherwise reject the changes early.
            if fixture.kind == "png" { PNGChunks.repairChecksums(of: &file) }
            let outcome = Result { () throws(PictureError) in try Bitmap(decoding: file, pixelLimit: 1 << 14) }
            if case .success(let bitmap) = outcome { #expect(bitmap.width * bitmap.height <= 1 << 14) }
        }
    }

    @Test func wrongChecksumIsRejected() throws {
        var file = try Fixture(name: "rgb8", kind: "png").file
        // Changes a byte of the width. The header chunk is at offset 8, its content at 16.
        file[19] ^= 1
        #expect(throws: PictureError.damaged("a checksum")) { try Bitmap(decoding: file) }
    }

    @Test func sizeAboveTheLimitIsRejectedWithoutAllocation() throws {
        var png = try Fixture(name: "rgb8", kind: "png").file
        png.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
        PNGChunks.repairChecksums(of: &png)
        #expect(throws: PictureError.tooLarge(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF)) { try Bitmap(decoding: png) }

        var jpeg = try Fixture(name: "baseline-444", kind: "jpg").file
        let frame = try #require(jpeg.indices.dropLast().first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
        jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: PictureError.tooLarge(width: 65_535, height: 65_535)) { try Bitmap(decoding: jpeg) }
        #expect(throws: PictureError.tooLarge(width: 37, height: 29)) {
            try Bitmap(decoding: try Fixture(name: "rgb8", kind: "png").file, pixelLimit: 37 * 29 - 1)
        }
    }

    @Test func scansAreLimitedTo100() throws {
        let file = try Fixture(name: "progressive-gray", kind: "jpg").file
        // The scan that refines the DC coefficients can be repeated. It begins with FF DA, its band starts at 0, and its previous
        // bit is not 0.
        let first = try #require(
            file.indices.dropLast(9).first {
                file[$0] == 0xFF && file[$0 + 1] == 0xDA && file[$0 + 7] == 0 && file[$0 + 9] >> 4 > 0
            })
        let next = try #require(
            file.indices.dropLast().first { $0 > first && file[$0] == 0xFF && file[$0 + 1] != 0 })
        let scan = file[first..<next]
        try expectEqual(Bitmap(decoding: Array(file[..<next] + scan + file[next...])).width, 37)
        let many = Array(file[..<next]) + Array(repeatElement(scan, count: 100).joined()) + file[next...]
        #expect(throws: PictureError.unsupported("more than 100 scans")) { try Bitmap(decoding: many) }
    }

    // MARK: - Scaling

    @Test func scalingKeepsTheAspectRatioAndNeverEnlarges() {
        let bitmap = Bitmap(width: 300, height: 200, pixels: Array(repeating: 255, count: 300 * 200 * 4))
        let cases: [(box: (Int, Int), expected: (Int, Int))] = [
            ((150, 150), (150, 100)), ((1000, 100), (150, 100)), ((300, 200), (300, 200)), ((5000, 5000), (300, 200)),
            ((1, 1), (1, 1)), ((30, 1), (2, 1)),
        ]
        for (box, expected) in cases {
            let scaled = bitmap.scaled(maxWidth: box.0, maxHeight: box.1)
            expectEqual((scaled.width, scaled.height), (expected.0, expected.1), "\(box)")
            #expect(scaled.pixels.allSatisfy { $0 == 255 })
        }
    }

    @Test func scalingAveragesByAreaAndOpacity() {
        // Black, white and transparent red: 3 columns become 2, which cover 1.5 columns each.
        let pixels: [UInt8] = [0, 0, 0, 255, 255, 255, 255, 255, 255, 0, 0, 0]
        let row = Bitmap(width: 3, height: 1, pixels: pixels)
        let scaled = row.scaled(maxWidth: 2, maxHeight: 1)
        // The first pixel is (0 + 255 / 2) / 1.5 = 85. The second one is white with an opacity of 0.5 / 1.5.
        expectEqual(scaled.pixels, [85, 85, 85, 255, 255, 255, 255, 85])
        expectEqual(scaled.isOpaque, false)
    }
}

/// A picture file in Fixtures.
struct Fixture: Sendable, CustomTestStringConvertible {
    let name: String
    let kind: String

    var testDescription: String { "\(name).\(kind)" }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    static func all(withExtension kind: String) throws -> [Fixture] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == kind }
            .map { Fixture(name: $0.deletingPathExtension().lastPathComponent, kind: kind) }.sorted {
                $0.name < $1.name
            }
    }

    private func bytes(_ kind: String) throws -> [UInt8] {
        Array(try Data(contentsOf: Fixture.folder.appending(path: "\(name).\(kind)")))
    }

    var file: [UInt8] {
        get throws { try bytes(kind) }
    }

    /// The result of another decoder, from a netpbm file (P5, P6 or P7).
    var expected: Bitmap {
        get throws {
            let bytes = try bytes(kind == "png" ? "pam" : "pnm")
            let isMap = bytes.starts(with: Array("P7".utf8))
            let (width, height) = (37, 29)
            let channels = isMap ? 4 : bytes.starts(with: Array("P6".utf8)) ? 3 : 1
            let header = String(decoding: bytes.prefix(40), as: UTF8.self)
            try #require(header.contains(isMap ? "WIDTH 37\nHEIGHT 29\nDEPTH 4" : "37 29\n255\n"))
            let samples = Array(bytes.suffix(width * height * channels))
            let pixels = (0..<width * height).flatMap { index -> [UInt8] in
                let pixel = Array(samples[index * channels..<(index + 1) * channels])
                return channels == 4 ? pixel : (channels == 3 ? pixel : [pixel[0], pixel[0], pixel[0]]) + [255]
            }
            return Bitmap(width: width, height: height, pixels: pixels)
        }
    }
}

enum PNGChunks {
    /// Corrects the checksums of all chunks, up to one with an invalid length.
    static func repairChecksums(of file: inout [UInt8]) {
        var offset = 8
        while offset + 12 <= file.count {
            let length = file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= file.count - offset - 12 else { return }
            let end = offset + 8 + length
            let checksum = crc(file[offset + 4..<end])
            for index in 0..<4 { file[end + index] = UInt8(truncatingIfNeeded: checksum >> (24 - 8 * UInt32(index))) }
            offset = end + 4
        }
    }

    /// The CRC of annex D of the specification.
    private static func crc(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var value: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
        }
        return ~value
    }
}

/// SplitMix64 by Steele, Lea and Flood, a random number generator.
struct SplitMix {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
