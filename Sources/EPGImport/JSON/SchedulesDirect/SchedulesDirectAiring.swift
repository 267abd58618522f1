import EPGJSON
import EPGModel

/// An airing of a Schedules Direct schedule, before the content of its program is put to it.
struct SchedulesDirectAiring {
    var stationID: String
    /// Empty where the schedule names none.
    var programID: String
    var start: Instant
    var stop: Instant?
    /// What the schedule says of this airing, marks among it (``SchedulesDirectProgram/Mark``).
    var nodes: [ContentNode]
    var line: Int

    /// Reads an element of `programs` of a schedule.
    ///
    /// - Throws: `EPGJSONFault` where it has no start that can be read.
    init(_ entry: JSONNode, stationID: String) throws(EPGJSONFault) {
        let text = entry["airDateTime"]?.text ?? ""
        guard let start = Instant(iso8601: text) else { throw EPGJSONFault(.badstart, text) }
        self.stationID = stationID
        self.start = start
        programID = entry["programID"]?.text ?? ""
        line = entry.line
        if let seconds = entry["duration"]?.integer, (1...100_000_000).contains(seconds) {
            stop = start.advanced(by: seconds)
        }
        nodes = Self.nodes(entry)
    }

    init(
        stationID: String, programID: String, start: Instant, stop: Instant?, nodes: [ContentNode], line: Int
    ) {
        (self.stationID, self.programID) = (stationID, programID)
        (self.start, self.stop) = (start, stop)
        (self.nodes, self.line) = (nodes, line)
    }

    private static func nodes(_ entry: JSONNode) -> [ContentNode] {
        var nodes: [ContentNode] = []
        let properties = words(entry["audioProperties"]) + words(entry["videoProperties"])
        appendPicture(properties, to: &nodes)
        appendSound(properties, to: &nodes)
        appendSubtitles(properties, to: &nodes)
        if entry["new"]?.bool == true { nodes.append(element: "new") }
        if let word = entry["isPremiereOrFinale"]?.text, word.lowercased().hasBytes(of: "premiere") {
            nodes.append("premiere", word)
        } else if entry["premiere"]?.bool == true {
            nodes.append(element: "premiere")
        }
        if entry["liveTapeDelay"]?.text?.lowercased() == "live" { nodes.append(element: "live") }
        if entry["repeat"]?.bool == true { nodes.append(element: SchedulesDirectProgram.Mark.isRepeat) }
        SchedulesDirectProgram.appendRatings(entry["ratings"], to: &nodes)
        if let part = entry["multipart"] {
            nodes.append(
                SchedulesDirectProgram.Mark.part,
                SchedulesDirectProgram.field(part["partNumber"], of: part["totalParts"]))
        }
        return nodes
    }

    /// The words of a list, in lower case; the service has sent lists as objects, too (`{"0": "hdtv", "2": …}`).
    private static func words(_ list: JSONNode?) -> [String] {
        guard let list else { return [] }
        return (list.elements.map(\.self) + list.members.map(\.value)).compactMap { $0.text?.lowercased() }
    }

    private static func appendPicture(_ properties: [String], to nodes: inout [ContentNode]) {
        let quality: String? =
            if properties.contains(where: { $0.hasBytes(of: "uhd") }) {
                "UHDTV"
            } else if properties.contains(where: { $0.hasBytes(of: "hdtv") || $0.hasPrefix("hd ") }) {
                "HDTV"
            } else {
                nil
            }
        guard let quality else { return }
        nodes.append(
            element: "video", children: [.element(ContentElement(name: "quality", children: [.text(quality)]))])
    }

    /// The best sound that is offered, and whether the picture is described in words.
    private static func appendSound(_ properties: [String], to nodes: inout [ContentNode]) {
        let sounds: [(part: String, name: String)] = [
            ("dd", "dolby digital"), ("dolby", "dolby"), ("surround", "surround"), ("stereo", "stereo"),
            ("mono", "mono"),
        ]
        if let sound = sounds.first(where: { sound in properties.contains { $0.hasPrefix(sound.part) } }) {
            nodes.append(
                element: "audio", children: [.element(ContentElement(name: "stereo", children: [.text(sound.name)]))])
        }
        if properties.contains("dvs") { nodes.append(element: "audio-described") }
    }

    private static func appendSubtitles(_ properties: [String], to nodes: inout [ContentNode]) {
        if properties.contains("cc") { nodes.append(element: "subtitles", ("type", "teletext")) }
        if properties.contains("subtitled") { nodes.append(element: "subtitles", ("type", "onscreen")) }
        if properties.contains("signed") { nodes.append(element: "subtitles", ("type", "deaf-signed")) }
    }
}

extension SchedulesDirectAiring {
    /// The airing with the content of its program.
    ///
    /// - Parameter program: The program's content; that of no nodes where it isn't known.
    func record(with program: SchedulesDirectContent) -> AiringRecord {
        typealias Mark = SchedulesDirectProgram.Mark
        let own = SchedulesDirectContent(nodes)
        // The program's ratings are the more exact ones; the schedule repeats some of them.
        var content = program.nodes + own.nodes.filter { !(program.isRated && $0.isRating) }
        let marks = own.marks.isEmpty ? program.marks : program.marks.merging(own.marks) { $1 }
        let fields = [marks[Mark.season], marks[Mark.episode], marks[Mark.part]]
        if fields.contains(where: { $0 != nil }) {
            content.append(
                "episode-num", fields.map { $0 ?? "" }.joined(separator: "."), ("system", "xmltv_ns"))
        }
        content.append("episode-num", programID, ("system", "dd_progid"))
        if nodes.element(named: "new") == nil {
            if let date = marks[Mark.firstShown] {
                content.append(element: "previously-shown", ("start", date))
            } else if marks[Mark.isRepeat] != nil {
                content.append(element: "previously-shown")
            }
        }
        return AiringRecord(
            station: SchedulesDirectStations.id(stationID), start: .instant(start), stop: stop.map { .instant($0) },
            nodes: content, line: line)
    }
}
