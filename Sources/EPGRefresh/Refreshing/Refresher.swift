package import EPGModel
package import Logging

/// The nightly job: asks each source for its guide, imports what changed, and removes what is long over.
///
/// - A source whose server answers "not modified", or whose body is the same as last time, ends there.
/// - A source that fails keeps its listings; the failure is remembered, and the others go on.
/// - Each import is one transaction, which holds the new state of its source too.
package struct Refresher: Sendable {
    /// Imports a guide in a file for a source, in one transaction with the state that the source then has.
    package typealias ImportGuide =
        @Sendable (_ source: Source, _ path: String, _ state: SourceState) throws -> ImportOutcome

    /// Seconds that airings stay after their stop: seven days.
    package static let standardRetention: Int64 = 7 * 86_400

    private let store: any ScheduleWriting
    private let fetcher: any Fetcher
    private let retention: Int64
    private let logger: Logger
    private let importGuide: ImportGuide

    /// A job over a store.
    ///
    /// - Parameters:
    ///   - retention: Seconds that airings stay after their stop, at least 0. The default is seven days.
    ///   - logger: Gets each step at level `debug`, and failures at `warning`.
    ///   - importGuide: Reads the file; its errors are best ``RefreshFailure``s.
    package init(
        store: any ScheduleWriting, fetcher: any Fetcher, retention: Int64 = Refresher.standardRetention,
        logger: Logger, importGuide: @escaping ImportGuide
    ) {
        self.store = store
        self.fetcher = fetcher
        self.retention = max(0, retention)
        self.logger = logger
        self.importGuide = importGuide
    }

    /// Refreshes every source that has a location and is due.
    ///
    /// - Throws: What the store throws when it can't tell its sources. Everything later stands in the report.
    package func refresh(at now: Instant) throws -> RefreshReport {
        var report = RefreshReport(now: now)
        for summary in try store.sources() {
            guard let location = summary.source.location else { continue }
            report.sources.append(refresh(summary, at: location, now: now))
        }
        do {
            report.prunedAirings = try store.prune(before: now.advanced(by: -retention), now: now)
            if report.changedGuide { try store.refreshSearchIndex() }
        } catch {
            report.upkeepFailure = RefreshFailure(error, exitCode: RefreshFailure.inputOutput)
            logger.warning("upkeep failed", metadata: ["reason": "\(error)"])
        }
        return report
    }

    private func refresh(_ summary: SourceSummary, at location: String, now: Instant) -> SourceRefresh {
        let source = summary.source
        var logger = logger
        logger[metadataKey: "source"] = "\(source.name)"
        let displayed = GuideLocation.displayable(location)
        if !source.isDue(at: now, after: summary.state), let next = source.nextRefresh(after: summary.state) {
            return SourceRefresh(
                name: source.name, location: displayed, outcome: .notDue(next: next),
                lastSuccess: summary.state.lastSuccess)
        }
        var state = summary.state
        do {
            let outcome = try update(source, at: location, state: &state, now: now)
            logger.debug("refreshed", metadata: ["outcome": "\(outcome.keyword)"])
            return SourceRefresh(name: source.name, location: displayed, outcome: outcome, lastSuccess: now)
        } catch {
            let failure = noteFailure(error, of: summary, now: now)
            logger.warning("refresh failed", metadata: ["reason": "\(failure)"])
            return SourceRefresh(
                name: source.name, location: displayed, outcome: .failed(failure),
                lastSuccess: summary.state.lastSuccess)
        }
    }

    /// Fetches, compares and imports one source.
    private func update(
        _ source: Source, at location: String, state: inout SourceState, now: Instant
    ) throws -> SourceRefresh.Outcome {
        let isKnown = BodyFingerprint.isReading(of: source, in: state.bodyHash)
        let request = FetchRequest(
            location: try GuideLocation(location), entityTag: isKnown ? state.entityTag : nil,
            lastModified: isKnown ? state.lastModified : nil)
        let result = try fetcher.fetch(request)

        state.lastAttempt = now
        state.lastSuccess = now
        state.lastError = nil
        switch result {
        case .notModified:
            try saveState(state, of: source)
            return .notModified
        case .body(let body):
            let fingerprint = BodyFingerprint(of: source, body: body.hash).text
            let isUnchanged = state.bodyHash == fingerprint
            state.entityTag = body.entityTag
            state.lastModified = body.lastModified
            state.bodyHash = fingerprint
            if isUnchanged {
                try saveState(state, of: source)
                return .unchanged(byteCount: body.byteCount)
            }
            // The body's file must stand until it is read.
            let outcome = try withExtendedLifetime(body) { try importGuide(source, body.path, state) }
            return .imported(outcome, byteCount: body.byteCount)
        }
    }

    private func saveState(_ state: SourceState, of source: Source) throws {
        do {
            try store.saveState(state, ofSource: source.name)
        } catch {
            throw RefreshFailure(error, exitCode: RefreshFailure.inputOutput)
        }
    }

    /// Remembers why a source failed; what is known of its last body stays, as its listings do.
    private func noteFailure(_ error: any Error, of summary: SourceSummary, now: Instant) -> RefreshFailure {
        let failure = RefreshFailure(error, exitCode: RefreshFailure.badContent)
        var state = summary.state
        state.lastAttempt = now
        state.lastError = failure.sentence
        do {
            try store.saveState(state, ofSource: summary.source.name)
            return failure
        } catch {
            return RefreshFailure(
                sentence: "\(failure.sentence) This can't be noted in the database: \(error)",
                exitCode: failure.exitCode)
        }
    }
}
