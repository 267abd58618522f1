extension Double {
    /// The greatest length that a layout works with, in points: up to here a thousandth of a point can be told apart.
    package static let greatestLength = 1e12

    /// The greatest whole number that is not above the value.
    ///
    /// The standard library's `rounded(_:)` calls the C library's mathematics, which a program that imports nothing else
    /// doesn't link.
    package var floored: Double {
        // From here on a Double has no fraction; what is infinite or not a number stays.
        guard magnitude < 4_503_599_627_370_496 else { return self }
        let truncated = Double(Int64(self))
        return truncated > self ? truncated - 1 : truncated
    }

    /// The value as a length: at least 0 and at most ``greatestLength``; what is not a number is 0.
    package var asLength: Double { self > 0 ? Swift.min(self, .greatestLength) : 0 }

    /// The value as a coordinate or a signed distance: within ±``greatestLength``; what is not a number is 0.
    package var asDistance: Double { isNaN ? 0 : clamped(to: -Double.greatestLength...Double.greatestLength) }
}

extension Int {
    /// The value without its fraction, cut to a range; not a number becomes the lower bound.
    package init(_ value: Double, clampedTo range: ClosedRange<Int>) {
        if !(value > Double(range.lowerBound)) {
            self = range.lowerBound
        } else if value >= Double(range.upperBound) {
            self = range.upperBound
        } else {
            self = Int(value)
        }
    }
}

extension Comparable {
    /// The value, or the bound that it lies beyond.
    package func clamped(to range: ClosedRange<Self>) -> Self {
        min(max(self, range.lowerBound), range.upperBound)
    }
}

extension RandomAccessCollection {
    /// The index of the first element that a condition holds for, in a collection where it holds for all that follow.
    ///
    /// - Complexity: O(log n).
    func partitioningIndex(where holds: (Element) throws -> Bool) rethrows -> Index {
        var low = startIndex
        var count = self.count
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if try holds(self[middle]) {
                count = half
            } else {
                low = index(after: middle)
                count -= half + 1
            }
        }
        return low
    }
}
