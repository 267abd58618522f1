/// The samples of a component of a JPEG picture.
struct Plane {
    let width: Int
    let samples: [UInt8]

    /// Transforms coefficients to samples with the same results as libjpeg's `jidctint.c` (Loeffler, Ligtenberg and Moschytz 1989).
    ///
    /// - Parameters:
    ///   - coefficients: 64 coefficients per block, in row order.
    ///   - blockColumns: Blocks per row.
    init(_ coefficients: [Int16], quantizedBy table: [Int], blockColumns: Int) {
        width = blockColumns * 8
        var samples = [UInt8](repeating: 0, count: coefficients.count)
        var block = [Int](repeating: 0, count: 64)
        for first in stride(from: 0, to: coefficients.count, by: 64) {
            for index in 0..<64 { block[index] = Int(coefficients[first + index]) * table[index] }
            for column in 0..<8 { Plane.transform(&block, from: column, stride: 8, shift: 11) }
            for row in 0..<8 { Plane.transform(&block, from: row * 8, stride: 1, shift: 18) }
            let index = first / 64
            var place = index / blockColumns * 8 * width + index % blockColumns * 8
            for row in 0..<8 {
                for column in 0..<8 { samples[place + column] = UInt8(min(255, max(0, block[row * 8 + column] + 128))) }
                place += width
            }
        }
        self.samples = samples
    }

    /// Transforms eight values in place. The factors have 13 fractional bits. Rounds off `shift` bits.
    private static func transform(_ values: inout [Int], from first: Int, stride: Int, shift: Int) {
        let (in0, in1, in2, in3) = (
            values[first], values[first + stride], values[first + 2 * stride], values[first + 3 * stride]
        )
        let (in4, in5, in6, in7) = (
            values[first + 4 * stride], values[first + 5 * stride], values[first + 6 * stride],
            values[first + 7 * stride]
        )

        // The even part.
        let turned = (in2 + in6) * 4433
        let even2 = turned - in6 * 15_137
        let even3 = turned + in2 * 6270
        let even0 = (in0 + in4) << 13
        let even1 = (in0 - in4) << 13
        let (sum0, sum3, sum1, sum2) = (even0 + even3, even0 - even3, even1 + even2, even1 - even2)

        // The odd part.
        let z5 = (in7 + in3 + in5 + in1) * 9633
        let z1 = (in7 + in1) * -7373
        let z2 = (in5 + in3) * -20_995
        let z3 = (in7 + in3) * -16_069 + z5
        let z4 = (in5 + in1) * -3196 + z5
        let odd0 = in7 * 2446 + z1 + z3
        let odd1 = in5 * 16_819 + z2 + z4
        let odd2 = in3 * 25_172 + z2 + z3
        let odd3 = in1 * 12_299 + z1 + z4

        let half = 1 << (shift - 1)
        values[first] = (sum0 + odd3 + half) >> shift
        values[first + 7 * stride] = (sum0 - odd3 + half) >> shift
        values[first + stride] = (sum1 + odd2 + half) >> shift
        values[first + 6 * stride] = (sum1 - odd2 + half) >> shift
        values[first + 2 * stride] = (sum2 + odd1 + half) >> shift
        values[first + 5 * stride] = (sum2 - odd1 + half) >> shift
        values[first + 3 * stride] = (sum3 + odd0 + half) >> shift
        values[first + 4 * stride] = (sum3 - odd0 + half) >> shift
    }
}
