import EPGModel

/// Counts diagnostics and hands them on in batches.
struct DiagnosticCollector {
    private(set) var counts: [Diagnostic.Keyword: Int] = [:]
    private(set) var waiting: [Diagnostic] = []
    /// Findings that are reported once for a file, however often they occur.
    private var once: Set<String> = []

    mutating func add(_ diagnostic: Diagnostic) {
        counts[diagnostic.keyword, default: 0] += 1
        waiting.append(diagnostic)
    }

    /// Adds a diagnostic unless one of this key was added before.
    mutating func addOnce(_ key: String, _ diagnostic: @autoclosure () -> Diagnostic) {
        if once.insert(key).inserted { add(diagnostic()) }
    }

    mutating func take() -> [Diagnostic] {
        var taken: [Diagnostic] = []
        swap(&taken, &waiting)
        return taken
    }
}

extension Repair {
    /// The diagnostic of a repair.
    func diagnostic(for station: StationID) -> Diagnostic {
        Diagnostic(
            severity: severity, keyword: keyword, action: action, line: Int(listing.line), station: station,
            listing: Diagnostic.Reference(listing), other: other.map { Diagnostic.Reference($0) }, window: window)
    }

    private var severity: Diagnostic.Severity {
        switch action {
        case .dropped where keyword != .zerolength, .skipped: .error
        case .inferredStop where keyword == .missingstop: .note
        case .merged, .kept, .createdStation: .note
        default: .warning
        }
    }
}
