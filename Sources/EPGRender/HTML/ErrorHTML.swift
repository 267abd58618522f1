/// A page for people that says why there is nothing here.
package struct ErrorHTML: Sendable {
    private let status: Int
    private let reason: String
    private let detail: String
    private let frame: PageFrame

    /// - Parameters:
    ///   - status: The status of HTTP, such as 404.
    ///   - reason: Its words, such as `Not Found`.
    ///   - detail: A sentence on what went wrong and what to do.
    package init(status: Int, reason: String, detail: String, frame: PageFrame) {
        self.status = status
        self.reason = reason
        self.detail = detail
        self.frame = frame
    }

    /// The whole document.
    package var bytes: [UInt8] {
        frame.html { html in
            html.element("div", [.view("trouble")]) { html in
                html.element("h1", text: heading)
                html.guideText("p", "detail", detail)
                html.element("p") { html in
                    html.element("a", [.url("href", frame.address("/"))], text: "The guide")
                    html.text(" · ")
                    html.element("a", [.url("href", frame.address("/home"))], text: "What's on tonight")
                    html.text(" · ")
                    html.element("a", [.url("href", frame.address("/stations"))], text: "All stations")
                }
                html.element("p", [.view("code")], text: "\(status) \(reason)")
            }
        }
    }

    private var heading: String {
        switch status {
        case 400: "This address can't be read"
        case 404: "There is nothing here"
        case 429: "Too much at once"
        case 500...: "The guide can't be shown just now"
        default: "This doesn't work"
        }
    }
}
