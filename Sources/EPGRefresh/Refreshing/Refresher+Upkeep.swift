internal import EPGModel
internal import Logging

/// What a refresh does for the guide beside asking its sources.
extension Refresher {
    /// Tells the store of the sources of the settings, where it doesn't know them as they are.
    func saveOrders(now: Instant) throws {
        guard !options.orders.isEmpty else { return }
        let known = Set(try guide.read { try $0.sourceRecords() }.map(\.source))
        let wanted = options.orders.values.map { order in
            var source = order.configuration.source
            source.isConfigured = true
            return source
        }
        let unknown = wanted.filter { !known.contains($0) }
        guard !unknown.isEmpty else { return }
        try write { store in
            for source in unknown.sorted(by: { $0.name < $1.name }) { try store.save(source, now: now) }
        }
    }

    /// What was done under a clock that ran ahead is done again: airings that weren't old may have been removed, and guides
    /// imported without what was on then. A feed that didn't change since would never bring them back.
    func mistrustAFastClock(now: Instant) throws {
        let limit = now.advanced(by: Self.clockTolerance)
        guard try guide.read({ try $0.wasKeptUp(after: limit) }) else { return }
        logger.notice("the clock ran ahead at the last refresh, so every source is read anew")
        try write { try $0.forgetBodies(notedAfter: limit) }
    }

    /// Seconds by which a clock may be put back without anything having been wrong.
    private static let clockTolerance: Int64 = 900

    /// Remembers why a source failed; what is known of its last body stays, as its listings do.
    func noteFailure(
        _ failure: RefreshFailure, of source: Source, now: Instant, began: Duration
    ) -> RefreshFailure {
        do {
            try write { store in
                let record = try store.sourceRecords().first { $0.source.name == source.name }
                guard var state = record?.state else { return }
                state.lastAttempt = now
                state.lastError = failure.sentence
                state.lastEnding = .failed
                state.lastDuration = uptime() - began
                state.failures += 1
                state.notBefore = options.regularRule(of: source).notBefore(after: failure, at: now)
                try store.saveState(state, ofSource: source.name)
            }
            return failure
        } catch {
            let second = RefreshFailure(error, exitCode: RefreshFailure.inputOutput)
            return RefreshFailure(
                sentence: "\(failure.sentence) This can't be noted in the database: \(second)",
                exitCode: second.exitCode)
        }
    }

    func removeOldAirings(now: Instant, _ report: inout RefreshReport) {
        let instant = now.advanced(by: -options.retention)
        var pruned = 0
        keepUp(&report) {
            guard try guide.read({ try $0.hasAirings(stoppedBy: instant) }) else { return }
            // What is on now tells that the clock is right.
            let limit: PruningLimit =
                options.isForced ? .none : try guide.read { try $0.isAnythingOn(at: now) } ? .oldestHalf : .half
            try write { store in
                pruned = try store.prune(before: instant, now: now, limit: limit)
                if pruned > 0 { try store.refreshSearchIndex() }
            }
        }
        report.prunedAirings = pruned
        keepUp(&report) {
            guard try guide.read({ try !$0.isSearchIndexCurrent() }) else { return }
            try write { try $0.refreshSearchIndex() }
        }
    }

    /// Does what a refresh does beside its sources; the first failure of it is told.
    func keepUp(_ report: inout RefreshReport, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            if isCancelled() { return }
            let failure = RefreshFailure(error, exitCode: RefreshFailure.inputOutput)
            logger.warning("upkeep failed", metadata: ["reason": "\(failure)"])
            report.upkeepFailure = report.upkeepFailure ?? failure
        }
    }
}
