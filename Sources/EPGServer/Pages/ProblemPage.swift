import EPGRender
import HTTPTypes

extension Document {
    /// A page that tells a person of a problem, for requests whose `Accept` names `text/html`.
    init(page problem: Problem, site: Site) {
        let status = problem.status
        var frame = PageFrame(title: status.reasonPhrase, site: site.title, files: .common)
        frame.kind = "error"
        self.init(
            page: ErrorHTML(
                status: status.code, reason: status.reasonPhrase, detail: problem.detail, frame: frame
            ).bytes)
    }
}

/// Whether whoever asks reads pages (`Accept`, RFC 9110, 12.5.1): browsers name `text/html`, programs as a rule don't.
struct AcceptedTypes: Sendable {
    let namesHTML: Bool

    init(_ field: String?) {
        namesHTML = (field ?? "").split(separator: ",").contains { part in
            let type = part.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
            return ["text/html", "application/xhtml+xml"].contains(type.lowercased())
        }
    }
}
