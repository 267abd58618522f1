extension BoundarySupplementary {
    /// Where a pinned element stands (chosen for both axes at once; along one it is documented).
    ///
    /// Each axis is decided by itself, so that the function is total: a corner is pinned twice. On each axis
    ///
    /// 1. an element at the start edge goes to max(own place, start of what is visible), one at the end edge to
    ///    min(own place, end of what is visible − length), and one that touches neither edge is brought into what is
    ///    visible, or to cover it where it is longer;
    /// 2. then it is brought back into its host, which it never leaves; one that stood out of it from the beginning
    ///    goes no farther.
    ///
    /// - Parameters:
    ///   - natural: Its place without pinning.
    ///   - visible: What is visible, without the content insets.
    ///   - host: The frame of its section, or the whole content.
    package func pinned(_ natural: Rect, visible: Rect, host: Rect) -> Rect {
        let x = place(natural, visible, host, .horizontal)
        let y = place(natural, visible, host, .vertical)
        guard x != natural.minX || y != natural.minY else { return natural }
        return Rect(origin: Point(x: x, y: y), size: natural.size)
    }

    private func place(_ natural: Rect, _ visible: Rect, _ host: Rect, _ axis: Axis) -> Double {
        let own = natural.start(axis)
        let length = natural.length(axis)
        let first = visible.start(axis)
        let last = visible.end(axis) - length
        let wanted =
            switch alignment.edges.part(axis) {
            case 0: max(own, first)
            case 1: min(own, last)
            default: own.clamped(to: min(first, last)...max(first, last))
            }
        let lowest = min(host.start(axis), own)
        let highest = max(host.end(axis) - length, own)
        return wanted.clamped(to: lowest...highest)
    }
}
