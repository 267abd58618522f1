import EPGModel
import XMLTV

/// Counts diagnostics and delivers them in batches.
struct DiagnosticCollector {
    /// The number of diagnostics added, by keyword.
    private(set) var counts: [Diagnostic.Keyword: Int] = [:]
    /// ``ImportReport/samples``
    private(set) var samples: [Diagnostic.Keyword: String] = [:]
    /// The diagnostics since the last ``drain()``.
    private(set) var waiting: [Diagnostic] = []
    /// The keys of findings that are reported only once per file.
    private var once: Set<String> = []

    mutating func add(_ diagnostic: Diagnostic) {
        counts[diagnostic.keyword, default: 0] += 1
        switch diagnostic.keyword {
        case .badstart, .badstop, .invalidtimezone:
            if let quote = diagnostic.quote, !quote.isEmpty, samples[diagnostic.keyword] == nil {
                samples[diagnostic.keyword] = quote
            }
        default: break
        }
        waiting.append(diagnostic)
    }

    /// Adds a diagnostic unless one with this key was added before.
    mutating func addOnce(_ key: String, _ diagnostic: @autoclosure () -> Diagnostic) {
        if once.insert(key).inserted { add(diagnostic()) }
    }

    /// Removes and returns the waiting diagnostics.
    mutating func drain() -> [Diagnostic] {
        var drained: [Diagnostic] = []
        swap(&drained, &waiting)
        return drained
    }
}

extension Repair {
    /// Returns the diagnostic of a repair.
    func diagnostic(for station: StationID) -> Diagnostic {
        Diagnostic(
            severity: severity, keyword: keyword, action: action, line: Int(listing.line), station: station,
            listing: Diagnostic.Reference(listing), other: other.map { Diagnostic.Reference($0) }, window: window)
    }

    private var severity: Diagnostic.Severity {
        switch action {
        case .dropped where keyword != .zerolength, .skipped: .error
        case .inferredStop where keyword == .missingstop || keyword == .sharedstart: .note
        case .kept where keyword == .twoschedules: .warning
        case .merged, .kept, .createdStation: .note
        default: .warning
        }
    }
}

/// The keyword and severity with which a repair of a document is reported.
struct RepairFinding {
    let keyword: Diagnostic.Keyword
    let severity: Diagnostic.Severity
    let isSkipped: Bool

    init(_ kind: XMLRepair.Kind) {
        switch kind {
        case .htmlEntity: self.init(.badentity, .note)
        case .bareAmpersand: self.init(.badentity, .warning)
        case .unknownEntity: self.init(.badentity, .warning)
        case .invalidUTF8: self.init(.badutf8, .warning)
        case .skippedText, .skippedTail: self.init(.notwell, .error, isSkipped: true)
        case .badCharacterReference, .invalidCharacter, .cdataEnd, .doubleHyphen, .unclosedElement,
            .duplicateAttribute, .skippedRecord, .badProlog, .secondDocument, .missingRoot:
            self.init(.notwell, .warning)
        }
    }

    private init(_ keyword: Diagnostic.Keyword, _ severity: Diagnostic.Severity, isSkipped: Bool = false) {
        self.keyword = keyword
        self.severity = severity
        self.isSkipped = isSkipped
    }
}
