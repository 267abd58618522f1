package import EPGModel

/// The results of a refresh.
package struct RefreshReport: Hashable, Sendable {
    /// The time of the refresh.
    package let now: Instant
    /// The refreshed sources, in the order of the store.
    package internal(set) var sources: [SourceRefresh] = []
    /// Number of removed airings that were older than the retention.
    package internal(set) var prunedAirings = 0
    /// Whether the derived listings changed.
    package internal(set) var changedDerivedListings = false
    /// The failure to remove old airings or to update the search index.
    package internal(set) var maintenanceFailure: RefreshFailure?
    /// Whether the refresh was canceled, so that sources may be missing.
    package internal(set) var wasCancelled = false

    /// Creates a report without results.
    package init(now: Instant) {
        self.now = now
    }

    /// All failures.
    package var failures: [RefreshFailure] {
        sources.compactMap(\.outcome.failure) + (maintenanceFailure.map { [$0] } ?? [])
    }

    /// Whether the refresh changed the guide.
    package var changedGuide: Bool {
        prunedAirings > 0 || changedDerivedListings
            || sources.contains { source in
                if case .imported(let content, _) = source.outcome { content.changedGuide } else { false }
            }
    }

    /// The kind of the failure of the refresh:
    ///
    /// 1. `nil` if nothing failed.
    /// 2. ``RefreshFailure/Kind/inputOutput`` if the database or the disk failed, regardless of other failures: it must
    ///    be repaired first.
    /// 3. The kind of the failures, if all have the same.
    /// 4. Otherwise ``RefreshFailure/Kind/unavailable``.
    package var failureKind: RefreshFailure.Kind? {
        let kinds = Set(failures.map(\.kind))
        if kinds.contains(.inputOutput) { return .inputOutput }
        return kinds.count > 1 ? .unavailable : kinds.first
    }
}

/// The result for one source.
package struct SourceRefresh: Hashable, Sendable {
    /// The outcome for a source.
    package enum Outcome: Hashable, Sendable {
        /// The source is due at `next`.
        case notDue(next: Instant)
        /// The source was configured, and the current configuration does not contain it.
        case notConfigured
        /// The server reports that nothing changed.
        case notModified
        /// The body, of this size in bytes, has not changed.
        case unchanged(byteCount: Int64)
        /// The body, of this size in bytes, was imported.
        case imported(ImportedContent, byteCount: Int64)
        /// The refresh failed, and the listings are unchanged.
        case failed(RefreshFailure)

        /// A machine-readable name.
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

        /// The failure; `nil` if the refresh succeeded or was not due.
        package var failure: RefreshFailure? {
            if case .failed(let failure) = self { failure } else { nil }
        }

        /// Whether the source has sent its current guide, new or not.
        package var isSuccess: Bool {
            switch self {
            case .notModified, .unchanged, .imported: true
            case .notDue, .notConfigured, .failed: false
            }
        }

        /// The changes of the source's airings; `nil` if no guide was imported.
        package var difference: AiringDifference? {
            if case .imported(.guide(let outcome), _) = self { outcome.airings } else { nil }
        }
    }

    /// The name of the source.
    package let name: String
    /// The location without credentials.
    package let location: String
    /// The outcome for the source.
    package let outcome: Outcome
    /// The time of the last successful refresh; `nil` if there was none.
    package let lastSuccess: Instant?

    package init(name: String, location: String, outcome: Outcome, lastSuccess: Instant?) {
        self.name = name
        self.location = location
        self.outcome = outcome
        self.lastSuccess = lastSuccess
    }
}

// MARK: - Text

extension RefreshReport {
    /// The failures as text for a mail or a log; empty if nothing failed. Every line ends with a line break.
    ///
    /// ```
    /// refresh at 2026-03-29T03:00:00Z: 1 of 3 sources failed
    ///
    /// west
    ///   https://example.org/west.xml: cannot connect to the server. Check the network, and whether …
    ///   The content of this source in the guide is unchanged since 2026-03-28T03:00:00Z.
    /// ```
    package var failureText: String {
        guard !failures.isEmpty else { return "" }
        let failed = sources.filter { $0.outcome.failure != nil }
        let count =
            failed.isEmpty
            ? "database maintenance failed"
            : "\(failed.count) of \(sources.count) \(sources.count == 1 ? "source" : "sources") failed"
        var text = "refresh at \(now): \(count)\n"
        for source in failed {
            guard let failure = source.outcome.failure else { continue }
            text += "\n\(source.name.singleLine)\n  \(failure.sentence.singleLine)\n  \(source.listingsNote)\n"
        }
        if let maintenanceFailure {
            text += "\ndatabase maintenance\n  \(maintenanceFailure.sentence.singleLine)\n"
        }
        return text
    }
}

extension SourceRefresh {
    fileprivate var listingsNote: String {
        guard let lastSuccess else { return "This source has never been refreshed." }
        return "The content of this source in the guide is unchanged since \(lastSuccess)."
    }
}

extension String {
    /// The text with control characters, which servers may send, replaced by spaces.
    package var singleLine: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    scalar.properties.generalCategory == .control ? " " : scalar
                }))
    }
}

/// A step of a refresh, for progress reports.
package enum RefreshStep: Hashable, Sendable {
    /// A source is being requested; its name.
    case requesting(String)
    /// The guide of a source is being received. Sent often.
    case fetching(String, FetchProgress)
    /// The guide of a source was fetched and is being imported.
    case importing(String, byteCount: Int64)
    /// The guide of a source is being read. Sent often.
    case reading(String, ReadingProgress)
    /// A source is complete or has failed.
    case ended(SourceRefresh)
}
