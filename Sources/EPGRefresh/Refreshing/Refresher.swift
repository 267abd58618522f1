package import EPGModel
package import Logging

/// The nightly job: asks each source for its guide, imports what changed, and removes what is long over.
///
/// - A source whose server answers "not modified", or whose body is the same as last time, ends there: only its state is
///   written.
/// - A source that fails keeps its listings; the failure is remembered, and the others go on.
/// - Each import is one transaction, which holds the new state of its source too. What it must bring says ``ImportSafeguard``.
/// - The guide is open only while something is read or written: nobody else waits for a server. Whoever runs a refresh sees
///   to it that it is the only one.
package struct Refresher: Sendable {
    /// Imports a fetched guide into a store, in one transaction with the state that its source then has.
    package typealias ImportGuide =
        @Sendable (_ guide: FetchedGuide, _ store: any ScheduleWriting) throws -> ImportOutcome

    /// How often a source is asked that somebody changes while it is.
    private static let attempts = 3

    private let guide: any GuideOpening
    private let fetcher: any Fetcher
    private let options: RefreshOptions
    private let logger: Logger
    private let watch: @Sendable (RefreshStep) -> Void
    private let isCancelled: @Sendable () -> Bool
    private let uptime: @Sendable () -> Duration
    private let secret: @Sendable (Secret) throws -> String
    private let importGuide: ImportGuide

    /// A job over a stored guide.
    ///
    /// - Parameters:
    ///   - logger: Gets each step at level `debug`, and failures at `warning`.
    ///   - watch: Hears of each step at once.
    ///   - isCancelled: Whether the refresh is to end: it then asks nobody any more, and what it was about to do counts as
    ///     never begun. It is asked from several places, often.
    ///   - uptime: A clock that nobody sets, for how long things take; `nil` for that of the system.
    ///   - secret: Reads a secret of ``RefreshOptions/orders``.
    ///   - importGuide: Reads the file; its errors are best ``RefreshFailure``s.
    package init(
        guide: any GuideOpening, fetcher: any Fetcher, options: RefreshOptions = RefreshOptions(), logger: Logger,
        watch: @escaping @Sendable (RefreshStep) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }, uptime: (@Sendable () -> Duration)? = nil,
        secret: @escaping @Sendable (Secret) throws -> String = { _ in throw NoSecrets() },
        importGuide: @escaping ImportGuide
    ) {
        self.guide = guide
        self.fetcher = fetcher
        self.options = options
        self.logger = logger
        self.watch = watch
        self.isCancelled = isCancelled
        self.uptime = uptime ?? FetchClock.system.uptime
        self.secret = secret
        self.importGuide = importGuide
    }

    /// Refreshes every source that has a location and is wanted.
    ///
    /// - Throws: What the store throws when it can't tell its sources, and a ``RefreshFailure`` for a name that none has.
    ///   Everything later stands in the report.
    package func refresh(at now: Instant) throws -> RefreshReport {
        var report = RefreshReport(now: now)
        try saveOrders(now: now)
        try mistrustAFastClock(now: now)
        for record in try wantedSources() {
            guard !isCancelled(), let end = refresh(record, now: now, &report) else {
                report.wasCancelled = true
                return report
            }
            report.sources.append(end)
            watch(.ended(end))
        }
        removeOldAirings(now: now, &report)
        report.wasCancelled = isCancelled()
        return report
    }

    // MARK: - Sources

    /// Tells the store of the sources of the settings, where it doesn't know them as they are.
    private func saveOrders(now: Instant) throws {
        guard !options.orders.isEmpty else { return }
        let known = Set(try guide.read { try $0.sourceRecords() }.map(\.source))
        let wanted = options.orders.values.map { order in
            var source = order.configuration.source
            source.isConfigured = true
            return source
        }
        let unknown = wanted.filter { !known.contains($0) }
        guard !unknown.isEmpty else { return }
        try guide.write { store in
            for source in unknown.sorted(by: { $0.name < $1.name }) { try store.save(source, now: now) }
        }
    }

    /// What was done under a clock that ran ahead is done again: airings that weren't old may have been removed, and guides
    /// imported without what was on then. A feed that didn't change since would never bring them back.
    private func mistrustAFastClock(now: Instant) throws {
        let limit = now.advanced(by: Self.clockTolerance)
        guard try guide.read({ try $0.wasKeptUp(after: limit) }) else { return }
        logger.notice("the clock ran ahead at the last refresh, so every source is read anew")
        try guide.write { try $0.forgetBodies() }
    }

    /// Seconds by which a clock may be put back without anything having been wrong.
    private static let clockTolerance: Int64 = 900

    private func wantedSources() throws -> [SourceRecord] {
        let records = try guide.read { try $0.sourceRecords() }.filter { record in
            record.source.location != nil || record.source.isConfigured
        }
        guard let names = options.names else { return records }
        if let unknown = names.subtracting(records.map(\.source.name)).min() {
            throw RefreshFailure(
                sentence: "There is no source “\(unknown.prefix(64))” that can be fetched. “epg sources” lists them.",
                exitCode: RefreshFailure.noInput)
        }
        return records.filter { names.contains($0.source.name) }
    }

    /// - Returns: `nil` where the refresh was cancelled before the source was done.
    private func refresh(_ record: SourceRecord, now: Instant, _ report: inout RefreshReport) -> SourceRefresh? {
        let source = record.source
        let order = options.orders[source.name]
        var logger = logger
        logger[metadataKey: "source"] = "\(source.name)"
        func end(_ outcome: SourceRefresh.Outcome, lastSuccess: Instant?) -> SourceRefresh {
            SourceRefresh(
                name: source.name,
                location: GuideLocation.displayable(source.location ?? order?.command.first ?? ""), outcome: outcome,
                lastSuccess: lastSuccess)
        }
        if source.isConfigured, order == nil {
            return end(outcomeWithoutSettings(of: source), lastSuccess: record.state.lastSuccess)
        }
        let rule = options.rule(of: source)
        if !options.asksAtOnce(source.name), !rule.isDue(at: now, after: record.state),
            let next = rule.nextRefresh(after: record.state)
        {
            return end(.notDue(next: next), lastSuccess: record.state.lastSuccess)
        }
        watch(.asking(source.name))
        let began = uptime()
        do {
            let outcome = try update(record, now: now, began: began, &report)
            logger.debug("refreshed", metadata: ["outcome": "\(outcome.keyword)"])
            return end(outcome, lastSuccess: now)
        } catch {
            // What was broken off is no fault of the source: nothing is noted, and the next refresh asks it.
            if isCancelled() { return nil }
            let failure = noteFailure(
                RefreshFailure(error, exitCode: RefreshFailure.badContent), of: source, now: now, began: began)
            logger.warning("refresh failed", metadata: ["reason": "\(failure)"])
            return end(.failed(failure), lastSuccess: record.state.lastSuccess)
        }
    }

    /// What a source ends with that the settings set up and don't name. Where they name none at all, the settings that are
    /// meant may not be those that were read.
    private func outcomeWithoutSettings(of source: Source) -> SourceRefresh.Outcome {
        guard options.orders.isEmpty else { return .notConfigured }
        return .failed(
            RefreshFailure(
                sentence:
                    "It stands in settings that weren't read: there are none, or they name no source. Say where they are "
                    + "(--config, EPG_CONFIG), or take it away (epg source remove).",
                exitCode: RefreshFailure.configuration))
    }

    /// Fetches, compares and imports one source; begins anew where somebody changed it meanwhile.
    private func update(
        _ record: SourceRecord, now: Instant, began: Duration, _ report: inout RefreshReport
    ) throws -> SourceRefresh.Outcome {
        var record = record
        for _ in 0..<Self.attempts {
            if let outcome = try attempt(record, now: now, began: began, &report) { return outcome }
            let records = try guide.reading { try $0.sourceRecords() }
            guard let current = records.first(where: { $0.source.name == record.source.name }) else {
                throw RefreshFailure(
                    sentence: "The source was removed while it was fetched.", exitCode: RefreshFailure.noInput)
            }
            record = current
        }
        throw RefreshFailure(
            sentence: "The source was changed again and again while it was fetched. The next refresh tries again.",
            exitCode: RefreshFailure.busy)
    }

    /// - Returns: `nil` where the source is another one after it was fetched than it was before.
    private func attempt(
        _ known: SourceRecord, now: Instant, began: Duration, _ report: inout RefreshReport
    ) throws -> SourceRefresh.Outcome? {
        let source = known.source
        let fetchWatch = FetchWatch(
            progress: { [watch] progress in watch(.fetching(source.name, progress)) }, isCancelled: isCancelled)
        let result = try fetcher.fetch(try request(for: known), watch: fetchWatch)
        if case .body(let body) = result { watch(.importing(source.name, byteCount: body.byteCount)) }
        let outcome = try guide.writing { (store) -> SourceRefresh.Outcome? in
            guard let current = try store.sourceRecords().first(where: { $0.source.name == source.name }),
                current.source == source
            else { return nil }
            var state = current.state
            state.lastAttempt = now
            state.lastSuccess = now
            state.lastError = nil
            state.notBefore = nil
            state.lastDuration = uptime() - began
            switch result {
            case .notModified:
                // What the server was asked about must still be what stands.
                guard state.bodyHash == known.state.bodyHash else { return nil }
                state.lastEnding = .notModified
                try store.saveState(state, ofSource: source.name)
                return .notModified
            case .body(let body):
                // The body's file must stand until it is read.
                return try withExtendedLifetime(body) {
                    try take(body, of: source, state, now: now, began: began, store, &report)
                }
            }
        }
        if outcome != nil, !options.isForced { try expectListings(of: source, at: now) }
        return outcome
    }

    /// A guide that is over is no guide, however well it was fetched.
    private func expectListings(of source: Source, at now: Instant) throws {
        let end = try guide.reading { try $0.end(ofSource: source.name) }
        if let end, end > now { return }
        throw RefreshFailure(
            sentence: "Nothing of its guide airs any more\(end.map { ": it ended at \($0)" } ?? ""). See whether the "
                + "source still publishes one, and to the clock of this machine.",
            exitCode: RefreshFailure.badContent)
    }

    /// What to ask for; what is known of the last body goes with it where that was read as it would be now.
    private func request(for known: SourceRecord) throws -> FetchRequest {
        let order = options.orders[known.source.name]
        if let order, !order.command.isEmpty {
            return FetchRequest(command: order.command, timeLimit: order.configuration.timeLimit)
        }
        guard let location = known.source.location else {
            throw RefreshFailure(
                sentence: "The source has no location any more.", exitCode: RefreshFailure.configuration)
        }
        let isKnown = !options.isForced && BodyFingerprint.isReading(of: known.source, in: known.state.bodyHash)
        var request = FetchRequest(
            location: try GuideLocation(location), entityTag: isKnown ? known.state.entityTag : nil,
            lastModified: isKnown ? known.state.lastModified : nil)
        try order?.add(to: &request, secret: secret)
        return request
    }

    private func take(
        _ body: FetchedBody, of source: Source, _ state: SourceState, now: Instant, began: Duration,
        _ store: any ScheduleWriting, _ report: inout RefreshReport
    ) throws -> SourceRefresh.Outcome {
        var state = state
        let fingerprint = BodyFingerprint(of: source, body: body.hash).text
        let isUnchanged = !options.isForced && state.bodyHash == fingerprint
        state.entityTag = body.entityTag
        state.lastModified = body.lastModified
        state.bodyHash = fingerprint
        state.lastEnding = isUnchanged ? .unchanged : .imported
        if isUnchanged {
            try store.saveState(state, ofSource: source.name)
            return .unchanged(byteCount: body.byteCount)
        }
        let fetched = FetchedGuide(
            source: source, path: body.path, state: state,
            minimumShare: options.minimumShare(ofSource: source.name), begin: now.advanced(by: -options.retention))
        let outcome: ImportOutcome
        do {
            outcome = try importGuide(fetched, store)
        } catch {
            throw RefreshFailure(error, exitCode: RefreshFailure.badContent)
        }
        // How long the import took is known only now; it is no part of what must stand in its transaction.
        state.lastDuration = uptime() - began
        keepUp(&report) { try store.saveState(state, ofSource: source.name) }
        if outcome.changedGuide, !isCancelled() { keepUp(&report) { try store.refreshSearchIndex() } }
        return .imported(outcome, byteCount: body.byteCount)
    }

    /// Remembers why a source failed; what is known of its last body stays, as its listings do.
    private func noteFailure(
        _ failure: RefreshFailure, of source: Source, now: Instant, began: Duration
    ) -> RefreshFailure {
        do {
            try guide.write { store in
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

    // MARK: - Upkeep

    private func removeOldAirings(now: Instant, _ report: inout RefreshReport) {
        let instant = now.advanced(by: -options.retention)
        var pruned = 0
        keepUp(&report) {
            guard try guide.read({ try $0.hasAirings(stoppedBy: instant) }) else { return }
            // What is on now tells that the clock is right.
            let limit: PruningLimit =
                options.isForced ? .none : try guide.read { try $0.isAnythingOn(at: now) } ? .oldestHalf : .half
            try guide.write { store in
                pruned = try store.prune(before: instant, now: now, limit: limit)
                if pruned > 0 { try store.refreshSearchIndex() }
            }
        }
        report.prunedAirings = pruned
        keepUp(&report) {
            guard try guide.read({ try !$0.isSearchIndexCurrent() }) else { return }
            try guide.write { try $0.refreshSearchIndex() }
        }
    }

    /// Does what a refresh does beside its sources; the first failure of it is told.
    private func keepUp(_ report: inout RefreshReport, _ body: () throws -> Void) {
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

/// Nobody can read secrets.
private struct NoSecrets: Error {}
