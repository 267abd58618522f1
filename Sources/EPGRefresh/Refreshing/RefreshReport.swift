package import EPGModel

/// What a refresh did, source by source.
package struct RefreshReport: Hashable, Sendable {
    /// The instant of the refresh.
    package let now: Instant
    /// The sources that have a location, in the order of the store.
    package internal(set) var sources: [SourceRefresh] = []
    /// Airings that were removed because they are older than the retention.
    package internal(set) var prunedAirings = 0
    /// Why old airings couldn't be removed or the search index not be brought up to date.
    package internal(set) var upkeepFailure: RefreshFailure?
    /// Whether it was told to end, so that sources which it didn't come to aren't here.
    package internal(set) var wasCancelled = false

    package init(now: Instant) {
        self.now = now
    }

    /// Everything that failed.
    package var failures: [RefreshFailure] {
        sources.compactMap(\.outcome.failure) + (upkeepFailure.map { [$0] } ?? [])
    }

    /// Whether the guide differs from what stood before.
    package var changedGuide: Bool {
        prunedAirings > 0
            || sources.contains { source in
                if case .imported(let outcome, _) = source.outcome { outcome.changedGuide } else { false }
            }
    }

    /// What the whole of it ends with, by the classes of sysexits.h:
    ///
    /// 1. 0 where nothing failed.
    /// 2. 74 where the database or the disk failed anywhere, whatever else did: nothing gets better before that does.
    /// 3. The class of the failures, where all are of one.
    /// 4. Else 69: several sources couldn't be had, each for a reason of its own, which the report tells.
    package var exitCode: Int32 {
        let codes = Set(failures.map(\.exitCode))
        guard let code = codes.first else { return 0 }
        if codes.contains(RefreshFailure.inputOutput) { return RefreshFailure.inputOutput }
        return codes.count == 1 ? code : RefreshFailure.unavailable
    }
}

/// What became of one source.
package struct SourceRefresh: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        /// Its interval isn't over; the instant from which it is asked again.
        case notDue(next: Instant)
        /// The settings set it up, and name it no more.
        case notConfigured
        /// The server says that nothing changed.
        case notModified
        /// The body has the same bytes as the last one.
        case unchanged(byteCount: Int64)
        case imported(ImportOutcome, byteCount: Int64)
        case failed(RefreshFailure)

        /// A word for machines.
        package var keyword: String {
            switch self {
            case .notDue: "not-due"
            case .notConfigured: "not-configured"
            case .notModified: "not-modified"
            case .unchanged: "unchanged"
            case .imported: "imported"
            case .failed: "failed"
            }
        }

        package var failure: RefreshFailure? {
            if case .failed(let failure) = self { failure } else { nil }
        }

        /// What became of the source's airings; `nil` where nothing was imported.
        package var difference: AiringDifference? {
            if case .imported(let outcome, _) = self { outcome.airings } else { nil }
        }
    }

    package let name: String
    /// The location as it may be shown: without password and query.
    package let location: String
    package let outcome: Outcome
    /// When the guide was last known to be up to date with the source; `nil` for never.
    package let lastSuccess: Instant?

    package init(name: String, location: String, outcome: Outcome, lastSuccess: Instant?) {
        self.name = name
        self.location = location
        self.outcome = outcome
        self.lastSuccess = lastSuccess
    }
}
