package import EPGJSON

/// The manifest with which people install the pages on a home screen (W3C, Web Application Manifest).
package struct WebManifest: JSONObject {
    private let title: String
    private let icon: String

    /// - Parameters:
    ///   - title: The name of the service.
    ///   - icon: The URL of an SVG.
    package init(title: String, icon: String) {
        self.title = title
        self.icon = icon
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("name", title)
        json.member("short_name", title)
        json.member("start_url", "/")
        json.member("display", "standalone")
        json.member("background_color", "#f4f5f7")
        json.member("theme_color", "#1f5fbf")
        json.member(
            "icons",
            array: { json in
                json.object { json in
                    json.member("src", icon)
                    json.member("sizes", "any")
                    json.member("type", "image/svg+xml")
                }
            })
    }
}
