public import EPGModel

/// What was found in a playlist: the first diagnostics, and how many there are of each keyword.
public struct PlaylistFindings: Hashable, Sendable {
    /// The first ones, in the order of the file; ``PlaylistLimits/diagnostics`` says how many are kept.
    public private(set) var diagnostics: [Diagnostic] = []
    /// All of them, those that are not kept too.
    public private(set) var counts: [Diagnostic.Keyword: Int] = [:]
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// A line or an entry that is left out.
    mutating func addSkipped(line: Int, quote: some Collection<UInt8>) {
        add(.notvalid, .error, .skipped, line, quote)
    }

    /// A line that is read although something is wrong with it.
    mutating func addKept(_ keyword: Diagnostic.Keyword, line: Int, quote: some Collection<UInt8>) {
        add(keyword, .warning, .kept, line, quote)
    }

    private mutating func add(
        _ keyword: Diagnostic.Keyword, _ severity: Diagnostic.Severity, _ action: Diagnostic.Action, _ line: Int,
        _ quote: some Collection<UInt8>
    ) {
        counts[keyword, default: 0] += 1
        guard diagnostics.count < limit else { return }
        // A character has four bytes at most.
        let start = PlaylistText.clean(quote.prefix(800))
        diagnostics.append(
            Diagnostic(
                severity: severity, keyword: keyword, action: action, line: line,
                quote: String(String.UnicodeScalarView(start.unicodeScalars.prefix(200)))))
    }
}
