import EPGJSON
import EPGModel
import EPGRender

/// A restore: that of ``BackupJSON``, and `"database"`, `"replaced"`.
///
/// `replaced` is `null` where there was no guide, `{"generation", "stations", "airings", "range"}` for a guide, and
/// `{"unreadable"}` with a reason for a file that could not be read as one.
struct RestoreJSON: JSONValue {
    let file: String
    let database: String
    let report: RestoreReport

    func write(to json: inout JSONWriter) {
        let restored = report.restored
        json.object { json in
            json.member("file", file)
            json.member("database", database)
            json.member("generation", restored.generation.rawValue)
            json.member("stations", restored.stations)
            json.member("airings", restored.airings)
            json.member("programmes", restored.programmes)
            json.member("range", restored.range)
            json.member("bytes", restored.bytes)
            json.member("replaced", report.replaced == .nothing ? nil : ReplacedJSON(replaced: report.replaced))
        }
    }
}

private struct ReplacedJSON: JSONValue {
    let replaced: RestoreReport.Replaced

    func write(to json: inout JSONWriter) {
        switch replaced {
        case .nothing: json.object { _ in }
        case .unreadable(let detail): json.object { $0.member("unreadable", detail) }
        case .guide(let check):
            json.object { json in
                json.member("generation", check.generation.rawValue)
                json.member("stations", check.stations)
                json.member("airings", check.airings)
                json.member("range", check.range)
            }
        }
    }
}
