import Testing

@testable import EPGLayout

/// Lengths as whole units.
@Suite struct OffsetTreeTests {
    /// In units: halves go up on both sides of zero.
    static let cases: [(Double, Int64)] = [
        (0.4, 0), (0.5, 1), (0.7, 1), (-0.4, 0), (-0.5, 0), (-0.7, -1), (-1.2, -1), (-1.7, -2), (-3, -3),
    ]

    @Test(arguments: cases)
    func lengthIsTheNearestWholeUnit(length: Double, units: Int64) {
        #expect(OffsetTree.units(length * OffsetTree.unit) == units)
    }

    @Test(arguments: [(Double.infinity, Int64(1) << 38), (-.infinity, -(Int64(1) << 38)), (1e300, Int64(1) << 38)])
    func lengthBeyondMeasureIsTheGreatest(length: Double, units: Int64) {
        #expect(OffsetTree.units(length) == units)
    }
}
