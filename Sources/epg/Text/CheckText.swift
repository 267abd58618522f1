import EPGCalendar
import EPGModel
import EPGRender

/// What a check found, for reading.
struct CheckText {
    private let check: StoreCheck
    private let path: String
    private let zone: Zone

    init(_ check: StoreCheck, path: String, zone: Zone) {
        self.check = check
        self.path = path
        self.zone = zone
    }

    func text(for terminal: Terminal) -> String {
        var fields = contents("database")
        if let damage = check.searchDamage {
            fields.append(
                "search", "\(damage). Delete \(path)-search, then run epg import or epg refresh to rebuild it.", .red)
        } else {
            fields.append("search", check.isSearchComplete ? "complete" : "out of date; the next import completes it")
        }
        if check.problems.isEmpty {
            fields.append("integrity", "sound", .green)
        } else {
            for problem in check.problems { fields.append("damage", problem, .red) }
            fields.append("advice", DamageAdvice.text(path: path))
        }
        return fields.text(for: terminal)
    }

    /// What a copy holds that was found sound.
    func copyText(for terminal: Terminal) -> String {
        contents("backup").text(for: terminal)
    }

    /// What a restored guide holds, and what it replaced.
    func restoredText(replaced: RestoreReport.Replaced, for terminal: Terminal) -> String {
        var fields = contents("restored")
        switch replaced {
        case .nothing: fields.append("replaced", "nothing")
        case .unreadable(let detail): fields.append("replaced", "a file that could not be read as a guide: \(detail)")
        case .guide(let old):
            let reach = old.range.map { ", until \(zone.fullLabel(at: $0.end))" } ?? ""
            fields.append(
                "replaced",
                """
                generation \(old.generation) with \(Wording.count(old.stations, "station")) and \
                \(Wording.count(old.airings, "airing"))\(reach)
                """)
        }
        return fields.text(for: terminal)
    }

    private func contents(_ name: String) -> FieldList {
        var fields = FieldList()
        fields.append(name, "\(path), \(Wording.bytes(Int64(check.bytes)))")
        fields.append("generation", check.generation.description)
        fields.append("stations", String(check.stations))
        fields.append("airings", "\(check.airings), with \(Wording.count(check.programmes, "different programme"))")
        fields.append(
            "from", check.range.map { "\(zone.fullLabel(at: $0.start)) to \(zone.fullLabel(at: $0.end))" } ?? "empty")
        return fields
    }
}
