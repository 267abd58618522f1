import XMLTV

/// Guides written in short.
enum SmallGuide {
    /// A guide of programmes that are written `start stop channel title [clumpidx]`, a dash for what is missing; the times
    /// are hours of 2026-03-29 in UTC, such as `09` or `0930`.
    static func guide(_ programmes: String...) -> String {
        let records = programmes.map { programme in
            let words = programme.split(separator: " ").map(String.init)
            let stop = words[1] == "-" ? "" : " stop=\"20260329\(words[1])\""
            let clump = words.count > 4 ? " clumpidx=\"\(words[4])\"" : ""
            return """
                <programme start="20260329\(words[0])"\(stop) channel="\(words[2])"\(clump)><title>\(words[3])</title></programme>
                """
        }
        return "<tv>\(records.joined())</tv>"
    }

    /// The programmes of a guide, written as for ``guide(_:)``.
    static func programmes(_ run: FilterRun) throws -> [String] {
        try run.elements("programme").map { programme in
            func time(_ name: String) -> String { programme[attribute: name].map { String($0.dropFirst(8)) } ?? "-" }
            let clump = programme[attribute: "clumpidx"].map { " " + $0 } ?? ""
            return "\(time("start")) \(time("stop")) \(programme[attribute: "channel"] ?? "-") "
                + "\(programme.child("title")?.text ?? "-")\(clump)"
        }
    }
}
