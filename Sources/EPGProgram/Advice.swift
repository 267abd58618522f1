package import EPGConfig
package import EPGRefresh

// The next steps after errors that both programs report. Each program has its own for other errors.

extension RefreshFailure.Remedy {
    /// The next step, as a sentence.
    package var advice: String {
        switch self {
        case .acceptGuide: "To accept it as it is, run epg refresh --force."
        case .removeOldAirings: "To remove them, run epg refresh --force."
        case .raiseImportLimit(let key): "If you trust the source, raise import.\(key) in epg.yml."
        case .allowPrivateAddresses:
            "To allow this, add the host to “private-hosts” in epg.yml or at /admin/settings, or use the IP address in the URL."
        case .raiseTimeLimit: "If it needs more time, set “time-limit:” for this source in epg.yml."
        case .requestNow: "To try now, run epg refresh NAME."
        case .findSettings: "Set the file (--config, EPG_CONFIG), or remove the source (epg source remove)."
        case .listSources: "List the sources with `epg sources`."
        }
    }
}

extension ConfigurationRefusal {
    /// The first error, and how to list the others, without a period.
    package var message: String {
        guard otherCount > 0, let first = errors.first else { return description }
        let file = first.place.path.map { " \($0)" } ?? ""
        return "\(first) (and \(otherCount) more; run epg config check\(file))"
    }
}
