internal import EPGModel

extension RefreshReport {
    /// What a person has to know: nothing where all went well, else a block of lines, each with its line end.
    ///
    /// ```
    /// refresh at 2026-03-29T03:00:00Z: 1 of 3 sources failed
    ///
    /// west
    ///   https://example.org/west.xml: the server can't be reached. See to the network, or whether …
    ///   Its listings stand as they were on 2026-03-28T03:00:00Z.
    /// ```
    package var failureText: String {
        guard !failures.isEmpty else { return "" }
        let failed = sources.filter { $0.outcome.failure != nil }
        // Of the upkeep alone it says so below.
        let count =
            failed.isEmpty ? "the upkeep of the guide failed" : "\(failed.count) of \(sources.count) sources failed"
        var text = "refresh at \(now): \(count)\n"
        for source in failed {
            guard let failure = source.outcome.failure else { continue }
            text += "\n\(source.name.singleLine)\n  \(failure.sentence.singleLine)\n  \(source.standing)\n"
        }
        if let upkeepFailure {
            text += "\nupkeep of the database\n  \(upkeepFailure.sentence.singleLine)\n"
        }
        return text
    }
}

extension SourceRefresh {
    fileprivate var standing: String {
        guard let lastSuccess else { return "It has never been refreshed." }
        return "Its listings stand as they were on \(lastSuccess)."
    }
}

extension String {
    /// The text without control characters, which a server's words may hold; a line break becomes a blank.
    fileprivate var singleLine: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    scalar.properties.generalCategory == .control ? " " : scalar
                }))
    }
}
