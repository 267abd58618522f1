/// What sorting needs to know of a programme: its times, and where its bytes stand among those of all programmes.
struct SortedProgramme {
    /// Seconds since 1970.
    var start: Int64
    /// Seconds since 1970: the programme's own stop, or the one that was filled in.
    var stop: Int64?
    /// The number of the channel: channels are numbered as they come, and by their identifiers before sorting.
    var channel: Int
    var clump: ClumpPlace?
    /// How many programmes came before it; after a sorting, its place.
    var order: Int

    /// Its bytes, as they are written.
    var bytes: Range<Int>
    /// The value of the attribute `start`, escaped.
    var startValue: Range<Int>
    /// The value of the attribute `stop`, escaped: its own, or another programme's that was filled in.
    var stopValue: Range<Int>?
    /// Where its bytes go on behind its own attribute `stop`, if it has one, else behind `start`.
    var rest: Int

    /// Its bytes up to the attribute `stop`.
    var head: Range<Int> { bytes.lowerBound..<startValue.upperBound + 1 }
    /// Its bytes behind the attribute `stop`.
    var tail: Range<Int> { rest..<bytes.upperBound }

    /// Whether one comes before another by start, stop, channel, place in the clump and order.
    static func isEarlier(_ left: SortedProgramme, _ right: SortedProgramme) -> Bool {
        if left.start != right.start { return left.start < right.start }
        if left.stop != right.stop {
            guard let leftStop = left.stop else { return true }
            guard let rightStop = right.stop else { return false }
            return leftStop < rightStop
        }
        if left.channel != right.channel { return left.channel < right.channel }
        if let clump = ClumpPlace?.compare(left.clump, right.clump), clump != 0 { return clump < 0 }
        return left.order < right.order
    }

    /// Whether two programmes of a channel overlap, the first of which is sorted before the second.
    ///
    /// Where a stop is missing, only what is certain counts; the parts of a clump don't overlap.
    func overlaps(_ next: SortedProgramme) -> Bool {
        switch (stop, next.stop) {
        case (nil, nil): return false
        case (nil, let nextStop?): return start > next.start && start < nextStop
        case (let stop?, nil): return next.start > start && next.start < stop
        case (let stop?, let nextStop?):
            if stop <= next.start { return false }
            if start < next.start { return true }
            if start == next.start, start < stop, next.start < nextStop {
                return ClumpPlace?.compare(clump, next.clump).map { $0 == 0 } ?? true
            }
            return start > next.start && start < nextStop
        }
    }
}
