import EPGModel

/// An airing as it stands in the table: what is compared when a source is imported again.
struct StoredAiring: Hashable {
    var id: Int64
    var start: Int64
    var part: Int64
    var parts: Int64
    var stop: Int64
    var programme: Int64
    var transmission: Int64?
    var inferred: Int64
    var publishedStart: Int64?
    var publishedStop: Int64?

    /// Where it stands among those of its station.
    var key: (Int64, Int64) { (start, part) }

    /// The columns in the order of ``init(_:)``.
    static let columns = """
        id, start, part, parts, stop, programme_id, transmission_id, inferred, published_start, published_stop
        """

    init(_ columns: Columns) {
        id = columns.integer(0)
        start = columns.integer(1)
        part = columns.integer(2)
        parts = columns.integer(3)
        stop = columns.integer(4)
        programme = columns.integer(5)
        transmission = columns.integerIfPresent(6)
        inferred = columns.integer(7)
        publishedStart = columns.integerIfPresent(8)
        publishedStop = columns.integerIfPresent(9)
    }

    /// The row of a listing that has its place, still without an identifier.
    init(_ listing: ScheduledListing) {
        id = 0
        start = listing.window.start.secondsSince1970
        part = Int64(listing.clump?.index ?? 0)
        parts = Int64(listing.clump?.count ?? 1)
        stop = listing.window.end.secondsSince1970
        programme = listing.programme
        transmission = listing.transmission == 0 ? nil : Int64(listing.transmission)
        inferred = listing.isStopInferred ? 1 : 0
        publishedStart = listing.published?.start.secondsSince1970
        publishedStop = listing.published?.stop?.secondsSince1970
    }

    /// Cuts the stop, and keeps what was published.
    mutating func cut(at instant: Int64) {
        if publishedStart == nil {
            publishedStart = start
            publishedStop = stop
        }
        stop = instant
    }

    /// Whether nothing but the identifier differs.
    func says(theSameAs other: StoredAiring) -> Bool {
        var other = other
        other.id = id
        return self == other
    }
}
