import EPGJSON
import EPGModel

/// How records are read.
extension GuideJSONReader {
    /// Appends who made the guide, once, where the form says it by being what it is.
    mutating func appendHeader(_ kind: RecordKind) {
        guard !hasHeader, kind != .epg else { return }
        hasHeader = true
        let source =
            kind == .tvmaze
            ? (name: "TVmaze", url: "https://www.tvmaze.com")
            : (name: "Schedules Direct", url: "https://www.schedulesdirect.org")
        waiting.append(
            .header([
                ContentAttribute(name: "source-info-name", value: source.name),
                ContentAttribute(name: "source-info-url", value: source.url),
            ]))
    }

    /// Reads a line of EPG JSON; one that isn't well-formed is passed over, if it isn't the first.
    mutating func readLine() throws(JSONError) {
        do throws(JSONError) {
            try take(try files[current].scanner.readValue(), .epg)
            files[current].hasRecords = true
        } catch {
            guard !isStrict, files[current].hasRecords, error.isOfRecord else { throw error }
            let fault = EPGJSONFault(.notwell, error.reason.description)
            waiting.append(EPGJSONLine.unreadable(fault, error.line))
            try files[current].scanner.skipDocument()
        }
    }

    /// Reads the next element of an array of records.
    mutating func readElement(_ kind: RecordKind) throws(JSONError) {
        guard try files[current].scanner.nextElement() else {
            files[current].places.removeLast()
            return
        }
        guard try files[current].scanner.nextKind() == .object else {
            let line = files[current].scanner.line
            try files[current].scanner.skipValue()
            waiting.append(EPGJSONLine.unreadable(EPGJSONFault(.notvalid, "not an object"), line))
            return
        }
        try take(try files[current].scanner.readValue(), kind)
    }

    /// Takes a record.
    mutating func take(_ node: JSONNode, _ kind: RecordKind) throws(JSONError) {
        if node.hasIllFormedText { remark(.badutf8, node.line, "not UTF-8: read as U+FFFD") }
        if node.hasControls {
            remark(.notwell, node.line, "a control character or line break in a text: kept as it is")
        }
        switch kind {
        case .epg: try takeLine(node)
        case .tvmaze: takeEpisode(node)
        case .schedule: takeSchedule(node)
        case .program: takeProgram(node)
        case .station:
            if !stations.add(station: node) { remark(.invalidid, node.line, "stationID: missing") }
        case .channel:
            if !stations.add(channel: node) { remark(.invalidid, node.line, "stationID: missing") }
        }
    }

    /// Says something of a record without which no airing is lost.
    mutating func remark(
        _ keyword: Diagnostic.Keyword, _ line: Int, _ quote: String, severity: Diagnostic.Severity = .warning,
        station: StationID? = nil
    ) {
        waiting.append(
            .unreadable(
                Diagnostic(
                    severity: severity, keyword: keyword, action: .kept, line: line, station: station,
                    quote: String(quote.prefix(200)))))
    }

    private mutating func takeEpisode(_ node: JSONNode) {
        do throws(EPGJSONFault) {
            let episode = try TVmazeEpisode(node)
            if tvmazeStations.insert(episode.station).inserted {
                waiting.append(.station(episode.station, nodes: episode.stationNodes, line: node.line))
            }
            waiting.append(.airing(episode.airing))
        } catch {
            waiting.append(EPGJSONLine.unreadable(error, node.line))
        }
    }

    private mutating func takeProgram(_ node: JSONNode) {
        let id = node["programID"]?.text ?? ""
        guard !id.isEmpty, node["titles"] != nil else {
            let reason = node["message"]?.text ?? node["response"]?.text ?? "no programID or no titles"
            remark(.notvalid, node.line, "program \(id.prefix(100)): \(reason)")
            return
        }
        if !library.add(program: id, SchedulesDirectProgram.nodes(node)) {
            remark(.notvalid, node.line, "program \(id.prefix(100)): too long, its title only is kept")
        }
    }

    /// Refuses a station's schedule that is an error, holds no airing and is all that its file holds.
    mutating func refuseAnswer(_ node: JSONNode) throws(JSONError) {
        guard let code = node["code"]?.integer, code != 0, files[current].documents == 1,
            let message = node["message"]?.text ?? node["response"]?.text,
            node["programs"]?.elements.contains(where: { _ in true }) != true,
            try !files[current].scanner.nextDocument()
        else { return }
        throw files[current].scanner.error(.server(code: code, message: String(message.prefix(500))))
    }

    private mutating func takeSchedule(_ node: JSONNode) {
        let id = node["stationID"]?.text ?? ""
        guard !id.isEmpty else {
            remark(.unknownid, node.line, "stationID: missing", severity: .error)
            return
        }
        if let code = node["code"]?.integer, code != 0 {
            let reason = node["message"]?.text ?? node["response"]?.text ?? ""
            remark(
                .notvalid, node.line, "\(reason) (code \(code))", severity: .error,
                station: SchedulesDirectStations.id(id))
        }
        guard let airings = node["programs"], airings.kind == .array else { return }
        schedule = (airings.elements, id)
    }

    /// The next airing of the schedule that is open; `nil` where there is none.
    mutating func nextAiringOfSchedule() -> GuideRecord? {
        while let entry = schedule?.airings.next(), let stationID = schedule?.stationID {
            do throws(EPGJSONFault) {
                guard entry.kind == .object else { throw EPGJSONFault(.notvalid, "not an object") }
                let airing = try SchedulesDirectAiring(entry, stationID: stationID)
                if let record = library.record(airing) { return record }
            } catch {
                return EPGJSONLine.unreadable(error, entry.line, station: SchedulesDirectStations.id(stationID))
            }
        }
        schedule = nil
        return nil
    }
}

extension JSONError {
    /// Whether it is about a record rather than the file: the next line may be sound.
    fileprivate var isOfRecord: Bool {
        switch reason {
        case .expected, .controlCharacter, .badEscape, .badNumber, .limit: true
        default: false
        }
    }
}
