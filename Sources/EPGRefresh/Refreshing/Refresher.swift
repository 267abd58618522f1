package import EPGCalendar
import EPGImport
package import EPGModel
package import Logging

/// Refreshes the sources: fetches the guide of each, imports changed guides, and removes old airings.
///
/// - If the server responds "not modified", or the body has not changed, only the state of the source is written.
/// - A source that fails keeps its listings. Its failure is stored, and the refresh continues with the next source.
/// - Each import is one transaction that includes the new state of its source. ``ImportSafeguard`` limits what it may
///   remove.
/// - The guide is open only while it is read or written, so other processes never wait for a server. The caller makes
///   sure that only one refresh runs at a time.
package struct Refresher: Sendable {
    /// Imports a fetched guide or playlist into a store, in one transaction with the new state of its source; see
    /// ``FetchedGuide/importContent(into:)``.
    package typealias ImportContent =
        @Sendable (_ guide: FetchedGuide, _ store: any GuideWriting) throws -> ImportedContent

    private let guide: any GuideStorage
    private let fetcher: any Fetcher
    private let options: RefreshOptions
    private let logger: Logger
    private let watch: @Sendable (RefreshStep) -> Void
    private let isCancelled: @Sendable () -> Bool
    private let uptime: @Sendable () -> Duration
    private let secret: @Sendable (Secret) throws -> String
    private let advice: @Sendable (RefreshFailure.Remedy) -> String
    private let importContent: ImportContent

    /// Creates a refresher of a stored guide.
    ///
    /// - Parameters:
    ///   - guide: The stored guide.
    ///   - fetcher: Fetches the guides of the sources.
    ///   - options: The sources to refresh, and the limits of their imports.
    ///   - logger: Logs each source at level `debug`, and failures at `warning`.
    ///   - watch: Receives each step immediately.
    ///   - isCancelled: Returns whether to cancel the refresh. A canceled refresh sends no more requests, and rolls
    ///     back the current import. Called often, from several threads.
    ///   - uptime: A monotonic clock to measure durations; `nil` for the system's.
    ///   - secret: Reads a secret of ``RefreshOptions/plans``.
    ///   - advice: Returns the sentence for a remedy, for the report, the log and the stored state.
    ///   - importContent: Imports a guide or playlist. Errors other than ``RefreshFailure`` count as bad content.
    package init(
        guide: any GuideStorage, fetcher: any Fetcher, options: RefreshOptions = RefreshOptions(), logger: Logger,
        watch: @escaping @Sendable (RefreshStep) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }, uptime: (@Sendable () -> Duration)? = nil,
        secret: @escaping @Sendable (Secret) throws -> String = { _ in throw SecretsUnavailable() },
        advice: @escaping @Sendable (RefreshFailure.Remedy) -> String,
        importContent: @escaping ImportContent = { try $0.importContent(into: $1) }
    ) {
        self.guide = guide
        self.fetcher = fetcher
        self.options = options
        self.logger = logger
        self.watch = watch
        self.isCancelled = isCancelled
        self.uptime = uptime ?? FetchClock.system.uptime
        self.secret = secret
        self.advice = advice
        self.importContent = importContent
    }

    /// Refreshes every selected source that has a location or a command, after migrating a guide of an older version.
    ///
    /// - Throws: Errors of the store if it cannot read the sources, and ``RefreshFailure`` for an unknown source name. The
    ///   report contains all later failures.
    package func refresh(at now: Instant) throws -> RefreshReport {
        var report = RefreshReport(now: now)
        try guide.migrateIfOlder(waiting: .until(isCancelled))
        try saveConfiguredSources(now: now)
        try invalidateFutureState(now: now)
        var waiting = try wantedSources()
        while !waiting.isEmpty {
            let record = waiting.removeFirst()
            guard !isCancelled(), let end = refresh(record, now: now, &report) else {
                report.wasCancelled = true
                return report
            }
            report.sources.append(end)
            watch(.ended(end))
            maintain(&report) {
                for guide in try follow(after: end.outcome, of: record.source, now: now) {
                    // It may wait with its former URL.
                    waiting.removeAll { $0.source.name == guide.source.name }
                    waiting.append(guide)
                }
            }
        }
        updateDerivedListings(now: now, &report)
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
                sentence: "There is no source “\(unknown.prefix(64))”.", kind: .noInput, remedy: .listSources
            ).explained(by: advice)
        }
        return records.filter { names.contains($0.source.name) }
    }

    /// - Returns: `nil` if the refresh was canceled before the source was complete.
    private func refresh(_ record: SourceRecord, now: Instant, _ report: inout RefreshReport) -> SourceRefresh? {
        let source = record.source
        let configuredPlan = options.plans[source.name]
        var logger = logger
        logger[metadataKey: "source"] = "\(source.name)"
        func end(_ outcome: SourceRefresh.Outcome, lastSuccess: Instant?) -> SourceRefresh {
            SourceRefresh(
                name: source.name,
                location: GuideLocation.displayable(source.location ?? configuredPlan?.command.first ?? ""),
                outcome: outcome,
                lastSuccess: lastSuccess)
        }
        if source.isConfigured, configuredPlan == nil {
            return end(outcomeWithoutSettings(of: source), lastSuccess: record.state.lastSuccess)
        }
        let plan = options.plan(of: source)
        if !options.ignoresSchedule(source.name), !plan.isDue(at: now, after: record.state),
            let next = plan.nextRefresh(after: record.state)
        {
            return end(.notDue(next: next), lastSuccess: record.state.lastSuccess)
        }
        watch(.requesting(source.name))
        let began = uptime()
        do {
            let outcome = try update(record, now: now, began: began, &report)
            logger.debug("refreshed", metadata: ["outcome": "\(outcome.keyword)"])
            return end(outcome, lastSuccess: now)
        } catch {
            // A cancellation is not a failure of the source. Store nothing, so that the next refresh retries it.
            if isCancelled() { return nil }
            let failure = storeFailure(
                RefreshFailure(error, kind: .badContent).explained(by: advice), of: source, now: now, began: began)
            logger.warning("refresh failed", metadata: ["reason": "\(failure)"])
            return end(.failed(failure), lastSuccess: record.state.lastSuccess)
        }
    }

    /// Returns the outcome of a configured source that the current configuration does not contain. If it contains no
    /// source at all, the wrong configuration may have been read.
    private func outcomeWithoutSettings(of source: Source) -> SourceRefresh.Outcome {
        guard options.plans.isEmpty else { return .notConfigured }
        return .failed(
            RefreshFailure(
                sentence:
                    "The source is defined in a configuration file that was not read, or that no longer defines any "
                    + "source.",
                kind: .configuration, remedy: .findSettings
            ).explained(by: advice))
    }
}

/// The error of a refresher without a function to read secrets.
private struct SecretsUnavailable: Error {}

// MARK: - One source

extension Refresher {
    /// Maximum number of attempts if the source keeps changing during the fetch.
    private static let attempts = 3

    /// Fetches, compares and imports one source. Starts over if the source was changed in the meantime.
    private func update(
        _ record: SourceRecord, now: Instant, began: Duration, _ report: inout RefreshReport
    ) throws -> SourceRefresh.Outcome {
        var record = record
        for _ in 0..<Self.attempts {
            if let outcome = try attempt(record, now: now, began: began, &report) { return outcome }
            let records = try readForSource { try $0.sourceRecords() }
            guard let current = records.first(where: { $0.source.name == record.source.name }) else {
                throw RefreshFailure(
                    sentence: "The source was removed during the refresh.", kind: .noInput)
            }
            record = current
        }
        throw RefreshFailure(
            sentence: "The source kept changing during the refresh. The next refresh tries again.",
            kind: .busy)
    }

    /// - Returns: `nil` if the source was changed during the fetch.
    private func attempt(
        _ known: SourceRecord, now: Instant, began: Duration, _ report: inout RefreshReport
    ) throws -> SourceRefresh.Outcome? {
        let source = known.source
        let fetchWatch = FetchObserver(
            progress: { [watch] progress in watch(.fetching(source.name, progress)) }, isCancelled: isCancelled)
        let result = try fetcher.fetch(try request(for: known), watch: fetchWatch)
        if case .body(let body) = result { watch(.importing(source.name, byteCount: body.byteCount)) }
        let outcome = try writeForSource { (store) -> SourceRefresh.Outcome? in
            guard let current = try store.sourceRecords().first(where: { $0.source.name == source.name }),
                current.source == source
            else { return nil }
            var state = current.state
            state.recordSuccess(at: now, after: uptime() - began)
            switch result {
            case .notModified:
                // The response refers to the body that was stored when the request was sent.
                guard state.bodyHash == known.state.bodyHash else { return nil }
                state.lastResult = .notModified
                try store.saveState(state, ofSource: source.name)
                return .notModified
            case .body(let body):
                // Keeps the temporary file until it is read.
                return try withExtendedLifetime(body) {
                    try importBody(body, of: current, state, now: now, began: began, store, &report)
                }
            }
        }
        if outcome != nil, !options.isForced { try requireListings(of: source, at: now) }
        return outcome
    }

    /// Adds the guides that a playlist names as sources, or updates their URLs.
    ///
    /// A guide whose URL changed continues the source with the same URL except for its query, else the source with the same place
    /// among the guides of the playlist, so that its listings stay. Sources of guides that the playlist no longer names stay.
    ///
    /// An unchanged playlist is followed, too, because a process can end between the import of a playlist and this.
    ///
    /// - Returns: The sources that are new or whose URL changed.
    private func follow(
        after outcome: SourceRefresh.Outcome, of playlist: Source, now: Instant
    ) throws -> [SourceRecord] {
        guard playlist.hasGuides, outcome.isSuccess else { return [] }
        let attributes: [ContentAttribute]?
        if case .imported(.playlist(_, let found), _) = outcome {
            attributes = found
        } else {
            attributes = try guide.read { try $0.lineup(named: playlist.name)?.lineup.attributes }
        }
        let wanted = playlist.guides(namedBy: attributes ?? [])
        guard !wanted.isEmpty else { return [] }
        let records = try guide.read { try $0.sourceRecords() }
        let own = records.map(\.source).filter { $0.playlist == playlist.name }
        var changed: [Source] = []
        let free = own.filter { source in !wanted.contains { $0.hasSameOrigin(as: source) } }
        var former: [Int: Source] = [:]
        func pair(_ isSame: (Int, Source) -> Bool) {
            for (place, source) in wanted.enumerated()
            where former[place] == nil && !own.contains(where: source.hasSameOrigin) {
                former[place] = free.first { source in
                    isSame(place, source) && !former.values.contains { $0.name == source.name }
                }
            }
        }
        pair { wanted[$0].hasSamePath(as: $1) }
        pair { playlist.nameOfGuide(at: $0) == $1.name }
        var names = Set(records.map(\.source.name))
        for (place, var source) in wanted.enumerated() {
            if own.contains(where: source.hasSameOrigin) { continue }
            // The user added this guide.
            if records.contains(where: { $0.source.playlist == nil && source.hasSameOrigin(as: $0.source) }) {
                continue
            }
            if var moved = former[place] {
                (moved.location, moved.account) = (source.location, source.account)
                source = moved
            } else {
                var number = place
                while !names.insert(playlist.nameOfGuide(at: number)).inserted { number += 1 }
                source.name = playlist.nameOfGuide(at: number)
            }
            changed.append(source)
        }
        guard !changed.isEmpty else { return [] }
        try write { store in for source in changed { try store.save(source, now: now) } }
        let found = Set(changed.map(\.name))
        return try guide.read { try $0.sourceRecords() }.filter { found.contains($0.source.name) }
    }

    /// Throws if all airings of the source are over, unless it is a playlist.
    private func requireListings(of source: Source, at now: Instant) throws {
        let (end, kind) = try readForSource { guide in
            (
                try guide.end(ofSource: source.name),
                try guide.sourceRecords().first { $0.source.name == source.name }?.kind
            )
        }
        if let end, end > now { return }
        if kind == .playlist { return }
        throw RefreshFailure(
            sentence:
                "The guide contains no current or future airings\(end.map { "; it ended at \($0)" } ?? ""). Check "
                + "whether the source still publishes a guide, and the clock of this machine.",
            kind: .badContent)
    }

    /// Returns the request. It is conditional only if the last body was imported with the same settings.
    private func request(for known: SourceRecord) throws -> FetchRequest {
        let plan = options.plan(of: known.source)
        if !plan.command.isEmpty {
            var request = FetchRequest(command: plan.command, timeLimit: plan.configuration.timeLimit)
            request.environment = try plan.environment(secret: secret)
            return request
        }
        guard let location = known.source.location else {
            throw RefreshFailure(
                sentence: "The source no longer has a location.", kind: .configuration)
        }
        let isKnown = !options.isForced && BodyFingerprint.isCurrent(of: known.source, in: known.state.bodyHash)
        var request = FetchRequest(
            location: try GuideLocation(location), entityTag: isKnown ? known.state.entityTag : nil,
            lastModified: isKnown ? known.state.lastModified : nil)
        try plan.add(to: &request, secret: secret)
        if case .url(let url) = request.location {
            let host = try GuideLocation.host(of: url).name
            request.allowsPrivateAddresses = options.privateHosts.contains(host)
            if let playlist = known.source.playlist, known.source.account == nil {
                // A playlist names the URL. It may be on the host of the playlist, but not elsewhere in this network.
                let parent = try readForSource { try $0.sourceRecords() }.first { $0.source.name == playlist }?.source
                request.isLocationTrusted =
                    try parent?.location.map { try GuideLocation($0) }.map { location in
                        if case .url(let text) = location {
                            try GuideLocation.host(of: text).name == host
                        } else {
                            false
                        }
                    } ?? false
            }
        }
        return request
    }

    /// Stores a failure before the import begins, because an import that ends the process (a crash, out of memory)
    /// cannot store its own. The import replaces it.
    private func storeUnfinishedImport(of record: SourceRecord, at now: Instant, _ store: any GuideWriting) throws {
        var state = record.state
        state.lastAttempt = now
        state.lastError =
            "The import did not finish: it is still running, was killed, or ran out of memory."
        state.lastResult = .failed
        state.lastDuration = nil
        state.failures += 1
        state.notBefore = options.regularPlan(of: record.source).notBeforeAfterCrash(at: now)
        try store.saveState(state, ofSource: record.source.name)
    }

    private func importBody(
        _ body: FetchedBody, of current: SourceRecord, _ state: SourceState, now: Instant, began: Duration,
        _ store: any GuideWriting, _ report: inout RefreshReport
    ) throws -> SourceRefresh.Outcome {
        let source = current.source
        var state = state
        let fingerprint = BodyFingerprint(of: source, body: body.hash).text
        let isUnchanged = !options.isForced && state.bodyHash == fingerprint
        state.entityTag = body.entityTag
        state.lastModified = body.lastModified
        state.bodyHash = fingerprint
        state.lastResult = isUnchanged ? .unchanged : .imported
        if isUnchanged {
            try store.saveState(state, ofSource: source.name)
            return .unchanged(byteCount: body.byteCount)
        }
        var fetched = FetchedGuide(
            source: source, kind: current.kind, path: body.path, state: state,
            minimumShare: options.minimumShare(ofSource: source.name),
            now: now)
        fetched.begin = now.advanced(by: -options.retention)
        fetched.horizons = try store.catchupHorizons(retention: options.retention, now: now)
        fetched.limits = options.limits
        fetched.watch = { [watch] in watch(.reading(source.name, $0)) }
        fetched.isCancelled = isCancelled
        let content: ImportedContent
        do {
            try storeUnfinishedImport(of: current, at: now, store)
            content = try importContent(fetched, store)
        } catch {
            // This process survived and stores the actual failure.
            maintain(&report) { try store.saveState(current.state, ofSource: source.name) }
            throw RefreshFailure(error, kind: .badContent)
        }
        // The duration is known only after the import's transaction.
        state.lastDuration = uptime() - began
        maintain(&report) { try store.saveState(state, ofSource: source.name) }
        if content.changedGuide, !isCancelled() { maintain(&report) { try store.refreshSearchIndex() } }
        return .imported(content, byteCount: body.byteCount)
    }
}

// MARK: - Access to the guide

extension Refresher {
    /// Writes to the guide. Waits for another writing process until the refresh is canceled.
    private func write<Result>(_ body: (any GuideWriting) throws -> Result) throws -> Result {
        try guide.write(waiting: .until(isCancelled), body)
    }

    /// Reads the guide during the refresh of a source. Errors are failures of the database, not of the source.
    private func readForSource<Result>(_ body: (any GuideReading) throws -> Result) throws -> Result {
        try convertingGuideErrors { try guide.read(body) }
    }

    /// Writes to the guide during the refresh of a source. Errors are failures of the database, not of the source.
    private func writeForSource<Result>(_ body: (any GuideWriting) throws -> Result) throws -> Result {
        try convertingGuideErrors { try write(body) }
    }

    private func convertingGuideErrors<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw RefreshFailure(error, kind: .inputOutput)
        }
    }
}

// MARK: - Maintenance

extension Refresher {
    /// Stores the configured sources that are new or have changed.
    private func saveConfiguredSources(now: Instant) throws {
        guard !options.plans.isEmpty else { return }
        let known = Set(try guide.read { try $0.sourceRecords() }.map(\.source))
        let wanted = options.plans.values.map { plan in
            var source = plan.configuration.source
            source.isConfigured = true
            return source
        }
        let unknown = wanted.filter { !known.contains($0) }
        guard !unknown.isEmpty else { return }
        try write { store in
            for source in unknown.sorted(by: { $0.name < $1.name }) { try store.save(source, now: now) }
        }
    }

    /// Invalidates the state that was stored while the clock was ahead. Refreshes may have removed current airings, and
    /// skipped them in imports; an unchanged feed would never restore them.
    private func invalidateFutureState(now: Instant) throws {
        let limit = now.advanced(by: Self.clockTolerance)
        guard try guide.read({ try $0.hasRecordedTimes(after: limit) }) else { return }
        logger.notice("The clock was ahead at the last refresh. Importing every source again.")
        try write { try $0.discardValidators(recordedAfter: limit) }
    }

    /// Seconds by which a clock may be set back without consequences.
    private static let clockTolerance: Int64 = 900

    /// Stores a failure of a source. Keeps its listings and the validators of its last body.
    private func storeFailure(
        _ failure: RefreshFailure, of source: Source, now: Instant, began: Duration
    ) -> RefreshFailure {
        do {
            try write { store in
                let record = try store.sourceRecords().first { $0.source.name == source.name }
                guard var state = record?.state else { return }
                state.lastAttempt = now
                state.lastError = failure.sentence
                state.lastResult = .failed
                state.lastDuration = uptime() - began
                state.failures += 1
                state.notBefore = options.regularPlan(of: source).notBefore(after: failure, at: now)
                try store.saveState(state, ofSource: source.name)
            }
            return failure
        } catch {
            let second = RefreshFailure(error, kind: .inputOutput).explained(by: advice)
            return RefreshFailure(
                sentence: "\(failure.sentence) The failure cannot be stored in the database: \(second)",
                kind: second.kind)
        }
    }

    /// Updates the derived listings, whose range moves with the days even if no source has changed.
    private func updateDerivedListings(now: Instant, _ report: inout RefreshReport) {
        guard !isCancelled() else { return }
        var changesGuide = false
        maintain(&report) {
            let update = try DerivedGuide(options.derived, limits: options.limits, now: now)
            guard try guide.read({ try update.isNeeded(in: $0) }) else { return }
            let outcome = try write { store in
                let outcome = try update.update(store)
                if outcome.changedGuide { try store.refreshSearchIndex() }
                return outcome
            }
            changesGuide = outcome.changedGuide
        }
        report.changedDerivedListings = changesGuide
    }

    private func removeOldAirings(now: Instant, _ report: inout RefreshReport) {
        // Without a new guide, a guide that is over is no sign of a wrong clock.
        let hasNewGuide = report.sources.contains { $0.outcome.isSuccess }
        var pruned = 0
        maintain(&report) {
            guard try guide.read({ try $0.hasOldAirings(retention: options.retention, now: now) }) else { return }
            // If anything is on now, the clock is probably right.
            let limit: PruningLimit =
                options.isForced ? .none : try guide.read { try $0.isAnythingOn(at: now) } ? .oldestHalf : .half
            do {
                try write { store in
                    pruned = try store.removeOldAirings(retention: options.retention, now: now, limit: limit)
                    if pruned > 0 { try store.refreshSearchIndex() }
                }
            } catch let refusal as RefusedPruning where !hasNewGuide {
                logger.info("old airings were not removed", metadata: ["reason": "\(refusal)"])
            }
        }
        report.prunedAirings = pruned
        maintain(&report) {
            guard try guide.read({ try !$0.isSearchIndexCurrent() }) else { return }
            try write { try $0.refreshSearchIndex() }
        }
    }

    /// Runs a maintenance step. The report contains the first failure.
    private func maintain(_ report: inout RefreshReport, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            if isCancelled() { return }
            let failure = RefreshFailure(error, kind: .inputOutput).explained(by: advice)
            logger.warning("maintenance failed", metadata: ["reason": "\(failure)"])
            report.maintenanceFailure = report.maintenanceFailure ?? failure
        }
    }
}

/// Options of a refresh.
package struct RefreshOptions: Hashable, Sendable {
    /// Default of ``retention``: seven days, in seconds.
    package static let standardRetention: Int64 = 7 * 86_400

    /// Seconds to keep airings after their stop, longer on stations whose channels have catch-up; negative values become 0.
    package var retention: Int64 {
        didSet { retention = max(0, retention) }
    }
    /// Default minimum share of airings in percent, 0…100, that an import must keep; see `ImportSafeguard`.
    package var minimumShare = ImportSafeguard.standardShare
    /// Limits on the contents of a guide.
    package var limits = ImportLimits()
    /// The configured sources, by name. A refresh stores them first.
    package var plans: [String: SourcePlan] = [:]
    /// Hosts, in lowercase, that may have private, loopback or link-local addresses.
    package var privateHosts: Set<String> = []
    /// Settings of derived listings.
    package var derived = DerivedSettings()
    /// The schedule of sources that have neither their own schedule nor an interval; `nil` refreshes them in every run.
    package var schedule: CronSchedule?
    /// Whether this refresh is a scheduled run of ``schedule``, which refreshes all of these sources.
    package var isScheduledRun = false
    /// The names of the sources to refresh, due or not; `nil` for all sources that are due.
    package var names: Set<String>?
    /// Whether to refresh sources that are not due, accept guides that the safeguard would reject, and remove more than
    /// half of all airings if they are old. The default is `false`.
    package var isForced = false

    /// Creates options for all sources that are due.
    ///
    /// - Parameter retention: Seconds to keep airings after their stop, at least 0. The default is seven days.
    package init(retention: Int64 = RefreshOptions.standardRetention) {
        self.retention = max(0, retention)
    }

    /// Returns the minimum share of airings in percent that a source must keep; `nil` for no minimum.
    fileprivate func minimumShare(ofSource name: String) -> Int? {
        isForced ? nil : plans[name]?.configuration.minimumShare ?? minimumShare
    }

    /// Returns the schedule that decides whether a source is due now.
    fileprivate func plan(of source: Source) -> SourcePlan {
        isScheduledRun ? configuredPlan(of: source) : regularPlan(of: source)
    }

    /// Returns the schedule of a source between refreshes.
    fileprivate func regularPlan(of source: Source) -> SourcePlan {
        let plan = configuredPlan(of: source)
        guard let schedule, plan.schedule == nil, plan.configuration.source.interval == nil else { return plan }
        return SourcePlan(plan.configuration, schedule: schedule)
    }

    private func configuredPlan(of source: Source) -> SourcePlan {
        if let plan = plans[source.name] { return plan }
        // A guide that a playlist names has the settings of the playlist.
        guard let playlist = source.playlist.flatMap({ plans[$0] }) else { return SourcePlan(of: source) }
        var configuration = SourceConfiguration(source)
        if source.account != nil { configuration.xtreamPassword = playlist.configuration.xtreamPassword }
        configuration.minimumShare = playlist.configuration.minimumShare
        configuration.timeLimit = playlist.configuration.timeLimit
        return SourcePlan(configuration, schedule: playlist.schedule)
    }

    /// Whether to refresh a source regardless of its schedule.
    fileprivate func ignoresSchedule(_ name: String) -> Bool {
        isForced || names?.contains(name) ?? false
    }
}

/// Identifies a body together with the settings that it was imported with.
///
/// ``SourceState/bodyHash`` stores it as `version-settings-body`. If the first two parts differ, the body must be
/// imported again: its hash is not compared and its validators are not sent.
package struct BodyFingerprint: Hashable, Sendable {
    /// All sources are imported again if this changes. Increment the first part if the import computes other schedules from the
    /// same programmes; the second one changes with the encoding of programmes.
    package static let version = "4.\(RecordEncoder.version)"

    /// A hash of location, time zone, shift, stations and encoding.
    private let settings: String
    /// The hash of the body; see ``BodyHasher``.
    private let body: String

    /// Creates the fingerprint of a body of a source.
    package init(of source: Source, body: String) {
        settings = BodyFingerprint.settings(of: source)
        self.body = body
    }

    /// Returns whether a stored text has the current version and the settings of a source, regardless of the body.
    package static func isCurrent(of source: Source, in text: String?) -> Bool {
        guard let text else { return false }
        return text.hasPrefix("\(version)-\(settings(of: source))-")
    }

    /// The text to store.
    package var text: String { "\(BodyFingerprint.version)-\(settings)-\(body)" }

    private static func settings(of source: Source) -> String {
        // Length prefixes make the text unambiguous.
        var texts = [source.location ?? "", source.timeZone ?? "", source.encoding ?? ""] + source.stations
        if let account = source.account, account.service != .schedulesDirect { texts.append(account.username) }
        // The next import adds the guides of the playlist.
        if source.followsGuides { texts.append("guides") }
        let parts = texts.map { "\($0.utf8.count):\($0)" }.joined() + "\(source.shift)"
        return ContentHasher(key: BodyHasher.key).hash(Array(parts.utf8).span).hexadecimal
    }
}
