import EPGJSON
import EPGConfig
import EPGRender

/// What `epg config check` found: `{"isFine", "file", "sources", "findings", "untold", "warnings"}`; each finding is
/// `{"place", "line", "key", "reason"}`. `warnings` are sentences about files with secrets that others can read.
struct ConfigurationCheckJSON: JSONObject {
    /// The file; `nil` where none could be read.
    private let file: String?
    /// The sources of a file that is fine.
    private let sources: Int?
    private let refusal: ConfigurationRefusal?
    private var warnings: [LooseSecretFile] = []

    init(file: String, sources: Int, warnings: [LooseSecretFile]) {
        self.warnings = warnings
        self.file = file
        self.sources = sources
        refusal = nil
    }

    init(_ refusal: ConfigurationRefusal) {
        file = refusal.errors.lazy.compactMap(\.place.path).first
        sources = nil
        self.refusal = refusal
    }

    var isFine: Bool { refusal == nil }

    /// A line for each finding, or the one that says that there is none.
    var text: String {
        guard let refusal else {
            let count = sources ?? 0
            return "\(file ?? ""): fine, \(count == 0 ? "no sources" : Wording.count(count, "source"))".withoutControls
                + "\n" + warnings.map { "\($0)".withoutControls + "\n" }.joined()
        }
        let lines = refusal.errors.map { "\($0)".withoutControls + "\n" }.joined()
        return lines + (refusal.untold > 0 ? "and \(refusal.untold) more\n" : "")
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("isFine", isFine)
        json.member("file", file)
        json.member("sources", sources)
        json.member("findings", list: refusal?.errors.map(Finding.init) ?? [])
        json.member("untold", refusal?.untold ?? 0)
        json.member("warnings", list: warnings.map(\.description))
    }

    private struct Finding: JSONValue {
        let error: ConfigurationError

        init(_ error: ConfigurationError) {
            self.error = error
        }

        func write(to json: inout JSONWriter) {
            json.object { json in
                json.member("place", error.place.description)
                json.member("line", error.place.line)
                json.member("key", error.key)
                json.member("reason", error.reason)
            }
        }
    }
}
