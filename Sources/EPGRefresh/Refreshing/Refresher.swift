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
        @Sendable (_ guide: FetchedGuide, _ store: any GuideWriting) throws -> ImportOutcome

    let guide: any GuideStorage
    let fetcher: any Fetcher
    let options: RefreshOptions
    let logger: Logger
    let watch: @Sendable (RefreshStep) -> Void
    let isCancelled: @Sendable () -> Bool
    let uptime: @Sendable () -> Duration
    let secret: @Sendable (Secret) throws -> String
    let importGuide: ImportGuide

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
        guide: any GuideStorage, fetcher: any Fetcher, options: RefreshOptions = RefreshOptions(), logger: Logger,
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
}

/// Nobody can read secrets.
private struct NoSecrets: Error {}
