internal import EPGModel

/// One source: what it is asked, and what becomes of its answer.
extension Refresher {
    /// How often a source is asked that somebody changes while it is.
    private static let attempts = 3

    /// Fetches, compares and imports one source; begins anew where somebody changed it meanwhile.
    func update(
        _ record: SourceRecord, now: Instant, began: Duration, _ report: inout RefreshReport
    ) throws -> SourceRefresh.Outcome {
        var record = record
        for _ in 0..<Self.attempts {
            if let outcome = try attempt(record, now: now, began: began, &report) { return outcome }
            let records = try readForSource { try $0.sourceRecords() }
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
        let outcome = try writeForSource { (store) -> SourceRefresh.Outcome? in
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
                    try take(body, of: current, state, now: now, began: began, store, &report)
                }
            }
        }
        if outcome != nil, !options.isForced { try expectListings(of: source, at: now) }
        return outcome
    }

    /// A guide that is over is no guide, however well it was fetched.
    private func expectListings(of source: Source, at now: Instant) throws {
        let end = try readForSource { try $0.end(ofSource: source.name) }
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
            var request = FetchRequest(command: order.command, timeLimit: order.configuration.timeLimit)
            request.environment = try order.environment(secret: secret)
            return request
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

    /// Notes a failure before the import begins, for an import that kills the process (a crash, no memory) can't note its own.
    /// The state that is stored with the import takes its place.
    private func noteBeginning(of record: SourceRecord, at now: Instant, _ store: any GuideWriting) throws {
        var state = record.state
        state.lastAttempt = now
        state.lastError =
            "The import hasn't finished: it is still running, or its process was killed or ran out of memory."
        state.lastEnding = .failed
        state.lastDuration = nil
        state.failures += 1
        state.notBefore = options.regularRule(of: record.source).notBeforeAfterCrash(at: now)
        try store.saveState(state, ofSource: record.source.name)
    }

    private func take(
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
        state.lastEnding = isUnchanged ? .unchanged : .imported
        if isUnchanged {
            try store.saveState(state, ofSource: source.name)
            return .unchanged(byteCount: body.byteCount)
        }
        let fetched = FetchedGuide(
            source: source, path: body.path, state: state,
            minimumShare: options.minimumShare(ofSource: source.name), begin: now.advanced(by: -options.retention),
            limits: options.limits)
        let outcome: ImportOutcome
        do {
            try noteBeginning(of: current, at: now, store)
            outcome = try importGuide(fetched, store)
        } catch {
            // This process still lives and says itself what went wrong.
            keepUp(&report) { try store.saveState(current.state, ofSource: source.name) }
            throw RefreshFailure(error, exitCode: RefreshFailure.badContent)
        }
        // How long the import took is known only now; it is no part of what must stand in its transaction.
        state.lastDuration = uptime() - began
        keepUp(&report) { try store.saveState(state, ofSource: source.name) }
        if outcome.changedGuide, !isCancelled() { keepUp(&report) { try store.refreshSearchIndex() } }
        return .imported(outcome, byteCount: body.byteCount)
    }
}
