import EPGModel
import XMLTV

/// What is reported of a guide that isn't well-formed, or isn't in the encoding that it names.
extension GuideDecoder {
    /// Reports what the reader repaired since the last call: each kind of fault once for a record.
    mutating func reportRepairs(_ reader: inout XMLTVReader) {
        var lastLine = 0
        var seen: Set<String> = []
        for repair in reader.takeRepairs() {
            let finding = Finding(repair.kind)
            if case .skippedRecord = repair.kind {
                reportSkipped(repair)
                continue
            }
            if repair.line != lastLine { seen.removeAll() }
            lastLine = repair.line
            guard seen.insert("\(repair.kind)").inserted else { continue }
            diagnostics.add(
                Diagnostic(
                    severity: finding.severity, keyword: finding.keyword,
                    action: finding.isLeftOut ? .skipped : .kept, line: repair.line,
                    quote: "\(repair.kind)" + (repair.quote.isEmpty ? "" : ": “\(repair.quote)”")))
        }
    }

    /// Reports what was unusual about the encoding.
    mutating func reportEncoding(_ reader: inout XMLTVReader) {
        for note in reader.takeEncodingNotes() {
            let isLatin = (note.declared ?? note.used).lowercased().hasPrefix("iso-8859")
            diagnostics.add(
                Diagnostic(
                    severity: .warning, keyword: isLatin ? .badiso8859 : .badutf8, action: .kept, line: 0,
                    quote: note.description))
        }
    }

    /// A record that was left out counts as one that was read, where it is a programme.
    private mutating func reportSkipped(_ repair: XMLRepair) {
        if repair.quote.hasPrefix("<programme") {
            report.programmesRead += 1
            report.skipped[.notwell, default: 0] += 1
        } else if repair.quote.hasPrefix("<channel") {
            report.stationsRead += 1
        }
        let place = repair.faultLine == repair.line ? "" : " (line \(repair.faultLine))"
        diagnostics.add(
            Diagnostic(
                severity: .error, keyword: .notwell, action: .skipped, line: repair.line,
                quote: "\(repair.kind)\(place): “\(repair.quote)”, \(repair.skippedBytes) bytes"))
    }

    /// How a repair is reported.
    private struct Finding {
        let keyword: Diagnostic.Keyword
        let severity: Diagnostic.Severity
        let isLeftOut: Bool

        init(_ kind: XMLRepair.Kind) {
            switch kind {
            case .htmlEntity: self.init(.badentity, .note)
            case .bareAmpersand: self.init(.badentity, .warning)
            case .unknownEntity: self.init(.badentity, .warning)
            case .invalidUTF8: self.init(.badutf8, .warning)
            case .skippedText: self.init(.notwell, .error, isLeftOut: true)
            case .badCharacterReference, .invalidCharacter, .cdataEnd, .doubleHyphen, .unclosedElement,
                .duplicateAttribute, .skippedRecord, .badProlog, .secondDocument, .missingRoot:
                self.init(.notwell, .warning)
            }
        }

        private init(_ keyword: Diagnostic.Keyword, _ severity: Diagnostic.Severity, isLeftOut: Bool = false) {
            self.keyword = keyword
            self.severity = severity
            self.isLeftOut = isLeftOut
        }
    }
}
