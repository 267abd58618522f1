import EPGModel

/// An import into nothing: what is found goes to a closure, and only the titles of programmes are kept.
final class DiscardingSession: ImportSession {
    let contentKey = ContentHash(high: 0x5851_F42D_4C95_7F2D, low: 0x1405_7B7E_F767_814F)
    private let found: (Diagnostic) throws -> Void
    /// By the programme's number less one.
    private var titles: [String] = []
    private var titleBytes = 0

    /// Bytes of the titles that are kept; findings of later programmes have none.
    private static let greatestTitleBytes = 64 << 20

    init(_ found: @escaping (Diagnostic) throws -> Void) {
        self.found = found
    }

    func takeContentIndex() -> StoredContents {
        StoredContents()
    }

    func append(_ batch: ContentBatch) throws {
        for row in batch.programmes where titleBytes < Self.greatestTitleBytes {
            titleBytes += 48 + Int(row.title.count)
            let start = Int(row.title.offset)
            titles.append(String(decoding: batch.texts[start..<start + max(0, Int(row.title.count))], as: UTF8.self))
        }
        for var diagnostic in batch.diagnostics {
            setTitle(of: &diagnostic.listing)
            setTitle(of: &diagnostic.other)
            try found(diagnostic)
        }
    }

    private func setTitle(of reference: inout Diagnostic.Reference?) {
        guard let index = reference.map({ Int($0.programme) - 1 }), titles.indices.contains(index) else { return }
        reference?.title = titles[index]
    }

    func offerSchedule(of station: StationID, _ listings: NormalisedListings) {}

    func settleSchedule(of station: StationID) {}

    func replaceSchedule(of station: StationID, with listings: NormalisedListings) {}

    func release(_ programmes: [Int64]) {}

    func setStations(_ stations: [(place: Int, id: StationID, nodes: [ContentNode])]) {}

    func commit(_ report: ImportReport, state: SourceState?) -> ImportOutcome {
        ImportOutcome(report: report, importID: 0, generation: Generation(0), changedGuide: false)
    }

    func cancel() {}
}
