import EPGJSON
import EPGConfig
import EPGModel
import EPGRender

/// What `epg config show` tells: `{"file", "settings", "sources"}`.
///
/// The settings are `{"key", "values", "from"}`; values are missing where the default depends on the machine.
struct ConfigurationJSON: JSONObject {
    private let findings: ConfigurationFindings

    init(_ findings: ConfigurationFindings) {
        self.findings = findings
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("file", findings.file)
        json.member("settings", list: findings.settings.map(SettingJSON.init))
        json.member("sources", list: findings.configuration.sources.map(SourceJSON.init))
    }

    private struct SettingJSON: JSONValue {
        let finding: ConfigurationFindings.Finding

        init(_ finding: ConfigurationFindings.Finding) {
            self.finding = finding
        }

        func write(to json: inout JSONWriter) {
            json.object { json in
                json.member("key", finding.setting.key)
                json.member("values", list: finding.values)
                json.member("from", finding.place.description)
            }
        }
    }

    /// A source: `{"name", …}` with the keys of `epg.yml`, as texts; a secret is told by where it is kept.
    private struct SourceJSON: JSONValue {
        let source: SourceConfiguration

        init(_ source: SourceConfiguration) {
            self.source = source
        }

        func write(to json: inout JSONWriter) {
            json.object { json in
                json.member("name", source.source.name)
                for (key, value) in source.shownFields { json.member(named: key, value) }
            }
        }
    }
}
