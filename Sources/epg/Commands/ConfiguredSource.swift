import EPGConfig
import EPGModel

/// A source that `epg.yml` sets up: what is said of it elsewhere holds until the next refresh.
enum ConfiguredSource {
    /// Says so on standard error, where the settings name the source; settings that can't be read name none.
    static func warn(of name: String, doing change: String) {
        let settings = Result { () throws(ConfigurationRefusal) in
            try ConfigurationReader(environment: ProcessEnvironment.variables).read(file: nil)
        }
        guard case .success(let findings) = settings,
            findings.configuration.sources.contains(where: { $0.source.name == name })
        else { return }
        let file = findings.file ?? "epg.yml"
        let words = "epg: \(file) names “\(name)”, so the next refresh takes it from there. \(change)"
        StandardError.write(words.withoutControls + "\n")
    }
}
