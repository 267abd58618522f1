import CollectionLayout

/// Sums of lengths before a row, in a Fenwick tree (P. Fenwick, 1994): finding a sum, changing a length, and finding the row
/// at a sum take O(log n).
///
/// Lengths are whole numbers of ``unit``, so that a sum is exact whatever the order of its terms.
struct OffsetTree: Hashable, Sendable {
    /// 2⁻¹⁶ of a point.
    static let unit = 1.0 / 65_536
    /// Up to here 2²² lengths below 2²¹ points can't overflow.
    static let greatestCount = 1 << 22

    private var sums: [Int64]

    /// All lengths 0.
    init(count: Int) {
        sums = Array(repeating: 0, count: count + 1)
    }

    var count: Int { sums.count - 1 }

    /// The whole units nearest to a length below 2²¹ points; halves go up, on both sides of zero.
    static func units(_ points: Double) -> Int64 {
        Int64((points / unit + 0.5).clamped(to: -0x1p38...0x1p38).floored)
    }

    mutating func add(_ units: Int64, at index: Int) {
        var place = index + 1
        while place < sums.count {
            sums[place] += units
            place += place & -place
        }
    }

    /// The sum of the lengths before an index, in points.
    func sum(before index: Int) -> Double {
        var sum: Int64 = 0
        var place = min(index, count)
        while place > 0 {
            sum += sums[place]
            place &= place - 1
        }
        return Double(sum) * OffsetTree.unit
    }

    /// The greatest index for which a condition on it and the sum before it holds, 0 where it holds for none.
    ///
    /// - Parameter holds: True up to some index, then false.
    func last(where holds: (_ index: Int, _ sumBefore: Double) -> Bool) -> Int {
        var index = 0
        var sum: Int64 = 0
        var step = count > 0 ? 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount) : 0
        while step > 0 {
            let next = index + step
            if next < count, holds(next, Double(sum + sums[next]) * OffsetTree.unit) {
                index = next
                sum += sums[next]
            }
            step >>= 1
        }
        return index
    }
}
