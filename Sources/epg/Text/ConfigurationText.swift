import EPGConfig
import EPGModel
import EPGRefresh
import EPGRender

/// The settings that are in force, for reading.
struct ConfigurationText {
    private let findings: ConfigurationFindings

    init(_ findings: ConfigurationFindings) {
        self.findings = findings
    }

    func text(for terminal: Terminal) -> String {
        var table = Table([Table.Column("setting"), Table.Column("value"), Table.Column("from")])
        for finding in findings.settings {
            let isDefault = finding.place == .usual
            table.append([
                Cell(finding.setting.key), Cell(finding.values.joined(separator: ", ")),
                isDefault ? Cell(finding.place.description, .dim) : Cell(finding.place.description),
            ])
        }
        var text = table.text(for: terminal)
        for source in findings.configuration.sources {
            var fields = FieldList(indent: 2)
            for (key, value) in source.shownFields { fields.append(key, value) }
            text += "\n\(Cell(source.source.name, .bold).text(for: terminal))\n\(fields.text(for: terminal))"
        }
        return text
    }
}

extension SchedulesDirectSettings {
    /// The account without its password, and the lineups.
    fileprivate var text: String {
        let which = lineups.isEmpty ? "all lineups" : lineups.joined(separator: ", ")
        return "the account \(username), password \(password), \(which)"
    }
}

extension SourceConfiguration {
    /// What it is set up with, by the keys of `epg.yml`, without what is secret or might be; the name is left out.
    var shownFields: [(key: String, value: String)] {
        var fields: [(SourceKey, String)] = []
        if let program = command.first {
            fields.append((.command, command.count == 1 ? program : "\(program) …"))
            if !environment.isEmpty {
                fields.append((.environment, environment.map { "\($0.name) \($0.value)" }.joined(separator: ", ")))
            }
        } else if let account = schedulesDirect {
            fields.append((.schedulesDirect, account.text))
            if source.location != SchedulesDirectSettings.standardAddress {
                fields.append((.url, GuideLocation.displayable(source.location ?? "")))
            }
        } else if let location = source.location {
            fields.append(
                location.hasPrefix("/") ? (.file, location) : (.url, GuideLocation.displayable(location)))
        }
        if let schedule { fields.append((.schedule, schedule)) }
        if jitter != 0 { fields.append((.jitter, "\(jitter) s")) }
        if let zone = source.timeZone { fields.append((.zone, zone)) }
        if source.shift != 0 { fields.append((.shift, String(source.shift))) }
        if source.priority != 0 { fields.append((.priority, String(source.priority))) }
        if !source.stations.isEmpty { fields.append((.stations, source.stations.joined(separator: ", "))) }
        if let encoding = source.encoding { fields.append((.encoding, encoding)) }
        if !headers.isEmpty {
            fields.append((.headers, headers.map { "\($0.name) \($0.value)" }.joined(separator: ", ")))
        }
        if let token { fields.append((.token, token.description)) }
        fields.append((.minimumShare, "\(minimumShare) %"))
        if allowsPrivateAddresses { fields.append((.privateAddresses, "true")) }
        if let timeLimit { fields.append((.timeLimit, "\(timeLimit) s")) }
        return fields.map { ($0.rawValue, $1) }
    }
}
