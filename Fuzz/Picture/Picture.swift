import EPGPicture

/// Decodes the input within a small limit and scales it to a box.
func fuzzPicture(_ bytes: [UInt8]) {
    let limit = 1 << 14
    guard case .success(let bitmap) = decoded(bytes, pixelLimit: limit) else { return }
    precondition(bitmap.width * bitmap.height <= limit, "the bitmap exceeds the limit")
    let scaled = bitmap.scaled(maxWidth: 20, maxHeight: 10)
    precondition(scaled.width <= 20 && scaled.height <= 10, "the scaled bitmap exceeds the box")
}

private func decoded(_ bytes: [UInt8], pixelLimit: Int) -> Result<Bitmap, PictureError> {
    do throws(PictureError) {
        return .success(try Bitmap(decoding: bytes, pixelLimit: pixelLimit))
    } catch {
        return .failure(error)
    }
}

#if FUZZING
    @_cdecl("LLVMFuzzerTestOneInput")
    public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        fuzzPicture(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    }
#endif
