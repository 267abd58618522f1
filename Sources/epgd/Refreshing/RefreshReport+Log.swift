import EPGRefresh
import Logging

extension RefreshReport {
    /// Tells in one entry of the log how a refresh went: an error with all reasons where something failed.
    func log(to logger: Logger) {
        var metadata: Logger.Metadata = [:]
        for keyword in ["imported", "unchanged", "not-modified", "not-due"] {
            let count = sources.count { $0.outcome.keyword == keyword }
            if count > 0 { metadata[keyword] = "\(count)" }
        }
        if prunedAirings > 0 { metadata["pruned"] = "\(prunedAirings)" }
        guard failures.isEmpty else {
            let failed = sources.filter { $0.outcome.failure != nil }
            if !failed.isEmpty { metadata["failed"] = "\(failed.count)" }
            metadata["reason"] = "\(reasons)"
            logger.error("a refresh failed", metadata: metadata)
            return
        }
        guard !wasCancelled else {
            logger.notice("a refresh was broken off; the next one takes it up", metadata: metadata)
            return
        }
        let asked = sources.contains { $0.outcome.keyword != "not-due" }
        logger.log(level: asked || prunedAirings > 0 ? .info : .debug, "refreshed the guide", metadata: metadata)
    }

    /// Each source that failed with its reason, and what went wrong beside them.
    private var reasons: String {
        var parts = sources.compactMap { source in source.outcome.failure.map { "\(source.name): \($0.sentence)" } }
        if let upkeepFailure { parts.append("upkeep of the database: \(upkeepFailure.sentence)") }
        return parts.joined(separator: " ")
    }
}
