import EPGModel
import XMLTV

/// What the records of a guide are reported for.
extension GuideDecoder {
    mutating func skip(
        _ keyword: Diagnostic.Keyword, _ line: Int, station: StationID? = nil, quote: String?
    ) {
        report.skipped[keyword, default: 0] += 1
        diagnostics.add(
            Diagnostic(
                severity: .error, keyword: keyword, action: .skipped, line: line, station: station, quote: quote))
    }

    mutating func reportZone(_ time: XMLTVTime, _ content: Span<UInt8>, _ line: Int) {
        if time.isAmbiguousZone {
            let text = content.text
            let name = String(text.drop { !$0.isLetter })
            diagnostics.addOnce(
                "zone \(name)",
                Diagnostic(severity: .warning, keyword: .invalidtimezone, action: .kept, line: line, quote: text))
        } else {
            diagnostics.addOnce(
                "no zone",
                Diagnostic(
                    severity: .note, keyword: .missingtimezone, action: .kept, line: line, quote: content.text))
        }
    }

    mutating func report(
        _ findings: ProgrammeDigest.Findings, _ reference: Diagnostic.Reference, _ place: Int
    ) {
        let keywords: [(ProgrammeDigest.Findings, Diagnostic.Keyword)] = [
            (.emptyTitle, .emptytitle), (.emptyDescription, .emptydescription), (.badEpisode, .badepisode),
            (.foreignEntity, .badentity),
        ]
        for (finding, keyword) in keywords where findings.contains(finding) {
            diagnostics.add(
                Diagnostic(
                    severity: .note, keyword: keyword, action: .kept, line: reference.line,
                    station: stations.id(of: place), listing: reference))
        }
    }

    mutating func reportStation(_ index: Int) {
        let isDeclared = stations.isDeclared(index)
        guard !isDeclared || !stations.isNamed(index) else { return }
        diagnostics.add(
            Diagnostic(
                severity: .note, keyword: isDeclared ? .channelnoprogramme : .unknownid,
                action: isDeclared ? .kept : .createdStation, line: stations.firstLine(of: index),
                station: stations.id(of: index)))
    }
}
