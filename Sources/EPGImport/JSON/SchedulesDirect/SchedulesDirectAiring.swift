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
}

extension SchedulesDirectAiring {
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
        return (list.elements + list.members.map(\.value)).compactMap { $0.text?.lowercased() }
    }

    private static func appendPicture(_ properties: [String], to nodes: inout [ContentNode]) {
        let isUltra = properties.contains { $0.hasBytes(of: "uhd") }
        let isHigh = properties.contains { $0.hasBytes(of: "hdtv") || $0.hasPrefix("hd ") }
        nodes.append("video", child: "quality", isUltra ? "UHDTV" : isHigh ? "HDTV" : nil)
    }

    /// The best sound that is offered, and whether the picture is described in words.
    private static func appendSound(_ properties: [String], to nodes: inout [ContentNode]) {
        let sounds: [(part: String, name: String)] = [
            ("dd", "dolby digital"), ("dolby", "dolby"), ("surround", "surround"), ("stereo", "stereo"),
            ("mono", "mono"),
        ]
        let sound = sounds.first { sound in properties.contains { $0.hasPrefix(sound.part) } }
        nodes.append("audio", child: "stereo", sound?.name)
        if properties.contains("dvs") { nodes.append(element: "audio-described") }
    }

    private static func appendSubtitles(_ properties: [String], to nodes: inout [ContentNode]) {
        if properties.contains("cc") { nodes.append(element: "subtitles", ("type", "teletext")) }
        if properties.contains("subtitled") { nodes.append(element: "subtitles", ("type", "onscreen")) }
        if properties.contains("signed") { nodes.append(element: "subtitles", ("type", "deaf-signed")) }
    }

    /// The airing with the content of its program.
    ///
    /// - Parameter program: The program's content; that of no nodes where it isn't known.
    func record(with program: SchedulesDirectContent) -> AiringRecord {
        typealias Mark = SchedulesDirectProgram.Mark
        let own = SchedulesDirectContent(nodes)
        // The program's ratings are the more exact ones; the schedule repeats some of them.
        let isRated = program.elements.contains { $0.name == "rating" }
        var content = (program.elements + own.elements.filter { !isRated || $0.name != "rating" })
            .map { ContentNode.element($0) }
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

/// What a program, or its airing, says: the content, and apart from it what an airing needs of both.
struct SchedulesDirectContent {
    /// All elements but the marks.
    let elements: [ContentElement]
    /// The texts of the marks, by their names (``SchedulesDirectProgram/Mark``); of two of one name the last.
    let marks: [String: String]

    /// - Parameter nodes: Elements, marks among them.
    init(_ nodes: [ContentNode]) {
        let isMark = { (element: ContentElement) in element.name.utf8.first == UInt8(ascii: "@") }
        elements = nodes.elements.filter { !isMark($0) }
        marks = Dictionary(nodes.elements.filter(isMark).map { ($0.name, $0.text) }) { $1 }
    }
}
