import EPGRender
import HTTPTypes

extension Document {
    /// A page that reports a problem, for requests whose header `Accept` names `text/html`.
    init(page problem: Problem, site: Site) {
        let status = problem.status
        var frame = PageFrame(title: status.reasonPhrase, site: site.title, files: .common)
        frame.kind = "error"
        let page = ErrorHTML(
            status: status.code, reason: status.reasonPhrase, detail: problem.detail, frame: frame)
        self.init(page: page.bytes)
    }
}

/// The media types that a client accepts (`Accept`, RFC 9110, 12.5.1).
struct AcceptedTypes: Sendable {
    /// Whether the header names HTML, as browsers do and most programs do not.
    let namesHTML: Bool

    init(_ header: String?) {
        namesHTML = (header ?? "").split(separator: ",").contains { part in
            let type = part.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
            return ["text/html", "application/xhtml+xml"].contains(type.lowercased())
        }
    }
}
