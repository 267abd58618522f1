import EPGModel

/// Viewports of 20 rows and 3 hours at random positions of a guide, identical for guides of the same size.
///
/// `yardsticks/viewport_seeks.c` uses the same viewports.
struct RandomViewports {
    /// One viewport.
    struct Viewport {
        let rows: Range<Int>
        let window: TimeWindow
    }

    /// Number of viewports.
    static let count = 1000
    static let height = 20
    /// Duration of a viewport in seconds.
    static let width: Int64 = 3 * 3600
    private static let halfHour: Int64 = 1800

    /// The viewports in order of use.
    let viewports: [Viewport]

    /// Creates the viewports of a guide.
    ///
    /// - Parameters:
    ///   - stationCount: The rows of the guide, at least ``height``.
    ///   - window: From the start to the end of the guide, at least ``width``.
    init(stationCount: Int, window: TimeWindow) {
        var random = SplitMix64(state: 1)
        let lastRow = UInt64(max(0, stationCount - Self.height))
        let lastHalfHour = UInt64(max(0, (window.seconds - Self.width) / Self.halfHour))
        viewports = (0..<Self.count).map { _ in
            let row = Int(random.next() % (lastRow + 1))
            let start = window.start.advanced(by: Int64(random.next() % (lastHalfHour + 1)) * Self.halfHour)
            return Viewport(
                rows: row..<row + Self.height, window: TimeWindow(start: start, end: start.advanced(by: Self.width)))
        }
    }
}

/// The random number generator of `yardsticks/random.h` (Steele, Lea and Flood, 2014).
private struct SplitMix64 {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
