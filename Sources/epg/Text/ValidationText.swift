import EPGModel
import EPGRender

/// The verdict on one guide, in numbers.
struct ValidationText {
    private let verdict: Verdict

    init(_ verdict: Verdict) {
        self.verdict = verdict
    }

    func text(for terminal: Terminal) -> String {
        var heading = Cell(verdict.file, .bold)
        if let refusal = verdict.refusal {
            heading.append("can't be read: \(refusal)")
            return heading.text(for: terminal) + "\n"
        }
        guard let report = verdict.report else { return "" }
        let size =
            Wording.count(report.programmesRead, "programme") + ", "
            + Wording.count(report.stationsRead, "station description")
        heading.append(verdict.isValid ? "is valid: \(size)" : "is not valid: \(size)")
        return heading.text(for: terminal) + "\n" + FindingsText(report.diagnostics).text(for: terminal)
    }
}
