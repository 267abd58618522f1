package import EPGCalendar
package import EPGModel

/// How a source of the settings is asked: what the store doesn't know of it.
package struct SourceOrder: Hashable, Sendable {
    package let configuration: SourceConfiguration
    /// When it is asked; `nil` by its interval, else at every run.
    package let timetable: Timetable?

    /// Seconds after a failure that may pass during which a source with a timetable or an interval isn't asked again.
    private static let patience: Int64 = 600
    /// Seconds that a source without a regular time rests after an import that ended with the process.
    private static let restAfterCrash: Int64 = 3600
    /// Seconds that a server is left alone at most, however long it asks for.
    private static let longestRest: Int64 = 86_400

    /// - Parameters:
    ///   - zone: By whose clocks its schedule goes.
    ///   - machine: What tells its delays from those of the same source elsewhere.
    package init(_ configuration: SourceConfiguration, zone: Zone, machine: String = "") throws(CronError) {
        self.configuration = configuration
        guard let schedule = configuration.schedule else {
            timetable = nil
            return
        }
        timetable = Timetable(
            try CronExpression(schedule), in: zone, jitter: configuration.jitter,
            seed: "\(machine) \(configuration.source.name)")
    }

    /// When the source may be asked again; `nil` means at every run.
    ///
    /// After a failure that may pass that is sooner, see ``notBefore(after:at:)``.
    package func nextRefresh(after state: SourceState) -> Instant? {
        guard let timetable else { return configuration.source.nextRefresh(after: state) }
        if let notBefore = state.notBefore { return notBefore }
        return (state.lastError == nil ? state.lastSuccess : state.lastAttempt).flatMap(timetable.next(after:))
    }

    /// From when on it may be asked again after a failure; `nil` for its next regular time.
    ///
    /// A server that asks to be left alone is, for a day at most. A source with a timetable or an interval that failed for a
    /// reason that may pass is asked by the next run, but not within ten minutes (or its interval, where that is shorter).
    package func notBefore(after failure: RefreshFailure, at now: Instant) -> Instant? {
        if let seconds = failure.retryAfter { return now.advanced(by: min(max(0, seconds), Self.longestRest)) }
        guard failure.mayPass else { return nil }
        if timetable != nil { return now.advanced(by: Self.patience) }
        return configuration.source.pause.map { now.advanced(by: min($0, Self.patience)) }
    }

    /// From when on it may be asked again after an import that ended with the process; `nil` for its next regular time.
    ///
    /// The same guide would most likely end the next process too. A source that may be asked at every run rests for an hour,
    /// so that a unit which is restarted, or a service that tries again, passes it over.
    func notBeforeAfterCrash(at now: Instant) -> Instant? {
        timetable != nil || configuration.source.pause != nil ? nil : now.advanced(by: Self.restAfterCrash)
    }

    /// Whether the source is to be asked now; of several runs that were missed, one is made up for.
    ///
    /// An attempt in the future was noted under a wrong clock and delays nothing.
    package func isDue(at now: Instant, after state: SourceState) -> Bool {
        guard let timetable else { return configuration.source.isDue(at: now, after: state) }
        let isSound = state.lastAttempt.map { $0 <= now } ?? true
        if isSound, let notBefore = state.notBefore { return notBefore <= now }
        let hasFailed = state.lastError != nil && isSound
        return timetable.isDue(at: now, lastRun: hasFailed ? state.lastAttempt : state.lastSuccess)
    }

    /// The program whose output is the guide; empty for a source with a location.
    var command: [String] { configuration.command }

    /// The variables that its program gets beside the usual ones.
    ///
    /// - Parameter secret: Reads a secret.
    /// - Throws: ``RefreshFailure`` where one can't be had.
    func environment(secret: (Secret) throws -> String) throws(RefreshFailure) -> [String: String] {
        do {
            return try configuration.environment.reduce(into: [:]) { $0[$1.name] = try secret($1.value) }
        } catch {
            throw RefreshFailure(
                sentence: "A variable of its program is missing: \(error).", exitCode: RefreshFailure.configuration)
        }
    }

    /// What to fetch.
    ///
    /// - Parameter secret: Reads a secret.
    /// - Throws: ``RefreshFailure`` where one can't be had.
    func add(to request: inout FetchRequest, secret: (Secret) throws -> String) throws(RefreshFailure) {
        request.allowsPrivateAddresses = configuration.allowsPrivateAddresses
        request.sourceName = configuration.source.name
        request.timeLimit = configuration.timeLimit
        do {
            if let account = configuration.schedulesDirect {
                request.schedulesDirect = SchedulesDirectAccount(
                    username: account.username, password: try secret(account.password), lineups: account.lineups)
            }
            request.headers = try configuration.headers.map {
                HeaderField(name: $0.name, value: try secret($0.value))
            }
            if let token = configuration.token { request.headers.append(.bearer(try secret(token))) }
        } catch {
            throw RefreshFailure(
                sentence: "What is sent to it can't be had: \(error).", exitCode: RefreshFailure.configuration)
        }
    }
}
