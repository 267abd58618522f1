/// Compressed bodies, made with Python's `gzip.compress(…, mtime=0)`.
enum GzipSample {
    static let guideText = "<tv></tv>\n"

    static let guide: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 179, 41, 41, 179, 179, 209, 7, 18, 92, 0, 72, 112, 113, 139, 10, 0, 0, 0,
    ]

    /// The compressed guide, compressed again.
    static let doubleGuide: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 147, 239, 230, 96, 0, 1, 38, 230, 205, 154, 154, 155, 55, 95, 100, 23, 138, 97,
        240, 40, 40, 236, 230, 2, 138, 1, 0, 184, 237, 97, 30, 28, 0, 0, 0,
    ]

    /// 100,000 bytes of zero.
    static let hundredThousandZeros: [UInt8] =
        [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 237, 193, 49, 1, 0, 0, 0, 194, 160, 245, 79, 109, 13, 15, 160]
        + Array(repeating: 0, count: 96)
        + [128, 87, 3, 125, 149, 17, 212, 160, 134, 1, 0]
}
