package import EPGJSON
import EPGModel
package import XMLTV

/// Reads the records of a guide in JSON: EPG JSON, Schedules Direct or a TVmaze schedule, told by its content.
///
/// A guide of Schedules Direct may come in several files (lineup, schedules, programs) in any order; several documents
/// in one file, one after the other or a line each, are read in turn. Memory is that of the largest record, and for
/// Schedules Direct of the programs, too: see ``SchedulesDirectLibrary``.
///
/// A record that can't be read costs itself. A line of EPG JSON that isn't well-formed costs itself, too, once a record
/// of the file has been read: reading goes on at the next line that begins with `{`. ``GuideRecord/unreadable(_:)`` says
/// so; with the action `kept` it is a remark, and no airing is lost.
package struct GuideJSONReader: GuideRecordReader {
    /// A file, and how far it was read.
    private struct File {
        let name: String?
        var scanner: JSONScanner
        /// What its first document is.
        var form = GuideJSONForm.nothing
        /// The lists and objects that are open, the innermost last.
        var places: [Place] = []
        /// Whether a record was read from it.
        var hasRecords = false
        /// How many documents of it were begun.
        var documents = 0
        /// Its lines of EPG JSON.
        var tally = EPGJSONTally()

        /// The error with the name of the file.
        func named(_ error: JSONError) -> JSONError {
            var error = error
            error.file = error.file ?? name
            return error
        }
    }

    /// An array or object of a file that is read member by member.
    private enum Place {
        case records(RecordKind)
        /// An object of Schedules Direct with lists in it; the code and message that stand in it.
        case lists(code: Int64?, message: String?)
        /// The numbers of a lineup, by kind of modulation.
        case maps
    }

    private enum RecordKind {
        case epg, tvmaze, schedule, program, station, channel
        /// An object of Schedules Direct with lists in it.
        case lineup
    }

    /// Whether a file that was cut off gives what is whole in it, and a word on the cut, instead of an error.
    package var takesPartial = false
    /// Whether a line that isn't well-formed is an error rather than passed over.
    package var isStrict = false
    /// The most that ``heldBytes`` may be.
    package var heldLimit = Int.max

    private var files: [File]
    private var current = 0
    private var isPrepared = false
    /// Records that were read and not yet handed out.
    private var waiting: ArraySlice<GuideRecord> = []

    private var stations = SchedulesDirectStations()
    private var library = SchedulesDirectLibrary()
    /// The schedule whose airings are handed out.
    private var schedule: (airings: ArraySlice<JSONNode>, stationID: String)?
    private var tvmazeStations: Set<StationID> = []
    private var hasHeader = false

    /// A reader of one file.
    package init(_ source: any ByteSource, limits: JSONLimits = JSONLimits()) {
        files = [File(name: nil, scanner: JSONScanner(source, limits: limits))]
    }

    /// A reader of several files that are one guide; their order doesn't matter.
    package init(sources: [(name: String, source: any ByteSource)], limits: JSONLimits = JSONLimits()) {
        files = sources.map { File(name: $0.name, scanner: JSONScanner($0.source, limits: limits)) }
    }

    /// Bytes that are held in memory for other records: of programs, of airings that wait for theirs, and of stations.
    package var heldBytes: Int { library.heldBytes + stations.heldBytes + tvmazeStations.count * 64 }

    /// Bytes that are held of the files.
    package var windowBytes: Int { files.reduce(0) { $0 + $1.scanner.heldBytes } }

    /// The next record; `nil` at the end.
    ///
    /// - Throws: ``JSONError`` where a file isn't well-formed, was cut off, or is no guide; `ExceededImportLimit` where more
    ///   than ``heldLimit`` bytes would be held, which may be before there is any record.
    package mutating func next() throws -> GuideRecord? {
        let record = try nextRecord()
        if heldBytes > heldLimit { throw ExceededImportLimit(.memory, value: heldLimit) }
        return record
    }

    private mutating func nextRecord() throws(JSONError) -> GuideRecord? {
        if !isPrepared { try prepare() }
        while true {
            if let record = waiting.popFirst() { return record }
            // Frees the records, which the slice keeps after `popFirst`.
            waiting = []
            if heldBytes > heldLimit { return nil }
            if let record = nextAiringOfSchedule() { return record }
            if current == files.count { return library.nextWaiting() }
            do throws(JSONError) {
                if try step() { continue }
                try checkEndOfFile()
            } catch {
                try acceptCut(files[current].named(error))
                waiting += stations.take()
            }
            files[current].scanner.close()
            current += 1
        }
    }

    /// Says that a file was cut off, where that is taken; any other error is thrown again.
    private mutating func acceptCut(_ error: JSONError) throws(JSONError) {
        guard takesPartial, error.isCutOff else { throw error }
        waiting.append(.remark(.notwell, error.line, "cut off: \(error)", severity: .error))
    }

    /// Tells what each file is, and puts them in order.
    private mutating func prepare() throws(JSONError) {
        isPrepared = true
        var begun: [File] = []
        for var file in files {
            do throws(JSONError) {
                guard try file.scanner.nextDocument() else { throw JSONError(reason: .empty) }
                file.scanner.takesControls = !isStrict
                file.form = try file.scanner.nextForm()
                // A line of EPG JSON ends where it ends: one that was cut must not take the next one with it.
                if file.form == .epg { file.scanner.takesControls = false }
                begun.append(file)
            } catch {
                try acceptCut(file.named(error))
            }
        }
        files = begun.filter(\.form.isGuide)
        for file in begun {
            // An answer with an error, or a file that is something else, is passed over only beside real ones.
            if case .failure(let code, let message) = file.form {
                throw file.named(JSONError(reason: .server(code: code, message: message)))
            }
            if case .other(let found) = file.form {
                guard files.contains(where: { $0.form != .nothing }) else {
                    throw file.named(JSONError(reason: .notAGuide(found: found)))
                }
                waiting.append(.remark(.notvalid, 0, "\(file.name ?? ""): no guide: \(found)"))
            }
        }
        files.sort { $0.form.rank < $1.form.rank }
    }

    /// Reads on in the current file; `false` at its end.
    private mutating func step() throws(JSONError) -> Bool {
        guard let place = files[current].places.last else { return try beginDocument() }
        switch place {
        case .records(let kind): try readElement(kind)
        case .lists(let code, let message): try readList(code, message)
        case .maps: try readMap()
        }
        return true
    }

    /// Begins the next document of the current file; `false` at its end.
    private mutating func beginDocument() throws(JSONError) -> Bool {
        guard try files[current].scanner.nextDocument() else { return false }
        if files[current].form == .epg, files[current].hasRecords,
            try files[current].scanner.peek() != UInt8(ascii: "[")
        {
            try readLine()
            return true
        }
        files[current].documents += 1
        let form = try files[current].scanner.nextForm()
        let isArray = try files[current].scanner.nextKind() == .array
        switch form {
        case .epg: try begin(.epg, isArray: isArray)
        case .tvmaze: try begin(.tvmaze, isArray: isArray)
        case .schedules: try begin(.schedule, isArray: isArray)
        case .programs: try begin(.program, isArray: isArray)
        case .lists:
            appendHeader(.schedule)
            try enterLists()
        case .nothing: try files[current].scanner.skipValue()
        case .failure(let code, let message):
            throw files[current].scanner.error(.server(code: code, message: message))
        case .other(let found): throw files[current].scanner.error(.notAGuide(found: found))
        }
        return true
    }

    private mutating func begin(_ kind: RecordKind, isArray: Bool) throws(JSONError) {
        appendHeader(kind)
        if isArray {
            try enterArray(of: kind)
        } else if kind == .epg {
            files[current].form = .epg
            try readLine()
        } else {
            let node = try files[current].scanner.readValue()
            if kind == .schedule { try refuseAnswer(node) }
            try take(node, kind)
            files[current].hasRecords = true
        }
    }
}

/// How records are read.
extension GuideJSONReader {
    /// Appends who made the guide, once, where the form says it by being what it is.
    private mutating func appendHeader(_ kind: RecordKind) {
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
    private mutating func readLine() throws(JSONError) {
        do throws(JSONError) {
            try take(try files[current].scanner.readValue(), .epg)
            files[current].hasRecords = true
        } catch {
            guard !isStrict, files[current].hasRecords, error.isOfRecord else { throw error }
            waiting.append(.unreadable(EPGJSONFault(.notwell, error.reason.description), error.line))
            try files[current].scanner.skipDocument()
        }
    }

    /// Reads the next element of an array of records.
    private mutating func readElement(_ kind: RecordKind) throws(JSONError) {
        guard try files[current].scanner.nextElement() else {
            files[current].places.removeLast()
            return
        }
        guard try files[current].scanner.nextKind() == .object else {
            let line = files[current].scanner.line
            try files[current].scanner.skipValue()
            if kind != .lineup { waiting.append(.unreadable(EPGJSONFault(.notvalid, "not an object"), line)) }
            return
        }
        if kind == .lineup { return try enterLists() }
        try take(try files[current].scanner.readValue(), kind)
    }

    /// Takes a record.
    private mutating func take(_ node: JSONNode, _ kind: RecordKind) throws(JSONError) {
        if node.hasIllFormedText { remark(.badutf8, node.line, "not UTF-8: read as U+FFFD") }
        if node.hasControls {
            remark(.notwell, node.line, "a control character or line break in a text: kept as it is")
        }
        switch kind {
        case .epg: try takeLine(node)
        case .tvmaze: takeEpisode(node)
        case .schedule: takeSchedule(node)
        case .program: takeProgram(node)
        case .station, .channel:
            guard let id = node["stationID"]?.text, !id.isEmpty else {
                return remark(.invalidid, node.line, "stationID: missing")
            }
            if kind == .station { stations.add(station: node, id) } else { stations.add(channel: node, id) }
        case .lineup: preconditionFailure("a lineup is entered, not read as a whole")
        }
    }

    /// Says something of a record without which no airing is lost.
    private mutating func remark(
        _ keyword: Diagnostic.Keyword, _ line: Int, _ quote: String, severity: Diagnostic.Severity = .warning,
        station: StationID? = nil
    ) {
        waiting.append(.remark(keyword, line, quote, severity: severity, station: station))
    }

    private mutating func takeEpisode(_ node: JSONNode) {
        do throws(EPGJSONFault) {
            let episode = try TVmazeEpisode(node)
            if tvmazeStations.insert(episode.station).inserted {
                waiting.append(.station(episode.station, nodes: episode.stationNodes, line: node.line))
            }
            waiting.append(.airing(episode.airing))
        } catch {
            waiting.append(.unreadable(error, node.line))
        }
    }

    private mutating func takeProgram(_ node: JSONNode) {
        let id = node["programID"]?.text ?? ""
        guard !id.isEmpty, node["titles"] != nil else {
            let reason = node["message"]?.text ?? node["response"]?.text ?? "no programID or no titles"
            return remark(.notvalid, node.line, "program \(id.prefix(100)): \(reason)")
        }
        if !library.add(program: id, SchedulesDirectProgram.nodes(node)) {
            remark(.notvalid, node.line, "program \(id.prefix(100)): too long, its title only is kept")
        }
    }

    /// Refuses a station's schedule that is an error, holds no airing and is all that its file holds.
    private mutating func refuseAnswer(_ node: JSONNode) throws(JSONError) {
        guard let code = node["code"]?.integer, code != 0, files[current].documents == 1,
            let message = node["message"]?.text ?? node["response"]?.text,
            node["programs"]?.elements.isEmpty != false,
            try !files[current].scanner.nextDocument()
        else { return }
        throw files[current].scanner.error(.server(code: code, message: String(message.prefix(500))))
    }

    private mutating func takeSchedule(_ node: JSONNode) {
        let id = node["stationID"]?.text ?? ""
        guard !id.isEmpty else {
            return remark(.unknownid, node.line, "stationID: missing", severity: .error)
        }
        if let code = node["code"]?.integer, code != 0 {
            let reason = node["message"]?.text ?? node["response"]?.text ?? ""
            remark(
                .notvalid, node.line, "\(reason) (code \(code))", severity: .error,
                station: SchedulesDirectStations.id(id))
        }
        schedule = (node["programs"]?.elements[...] ?? [], id)
    }

    /// The next airing of the schedule that is open; `nil` where there is none.
    private mutating func nextAiringOfSchedule() -> GuideRecord? {
        while let entry = schedule?.airings.popFirst(), let stationID = schedule?.stationID {
            do throws(EPGJSONFault) {
                guard entry.kind == .object else { throw EPGJSONFault(.notvalid, "not an object") }
                let airing = try SchedulesDirectAiring(entry, stationID: stationID)
                if let record = library.record(airing) { return record }
            } catch {
                return .unreadable(error, entry.line, station: SchedulesDirectStations.id(stationID))
            }
        }
        schedule = nil
        return nil
    }
}

/// How the objects of Schedules Direct are read that hold lists.
extension GuideJSONReader {
    /// Reads the next member of an object with lists; its stations go out at its end.
    private mutating func readList(_ code: Int64?, _ message: String?) throws(JSONError) {
        guard let key = try files[current].scanner.nextKey() else {
            files[current].places.removeLast()
            if let code, code != 0, let message {
                throw files[current].scanner.error(.server(code: code, message: message))
            }
            waiting += stations.take()
            return
        }
        let open = files[current].places.count - 1
        switch (key, try files[current].scanner.nextKind()) {
        case ("map", .array): try enterArray(of: .channel)
        case ("map", .object):
            try files[current].scanner.enterObject()
            files[current].places.append(.maps)
        case ("stations", .array): try enterArray(of: .station)
        case ("schedules", .array): try enterArray(of: .schedule)
        case ("programs", .array): try enterArray(of: .program)
        case ("lineup", .array), ("lineups", .array): try enterArray(of: .lineup)
        case ("lineup", .object): try enterLists()
        case ("code", .number):
            let code = try files[current].scanner.readValue().integer
            files[current].places[open] = .lists(code: code, message: message)
        case ("message", .string), ("response", .string):
            let text = try files[current].scanner.readValue().string ?? ""
            files[current].places[open] = .lists(code: code, message: key == "message" ? text : message ?? text)
        default: try files[current].scanner.skipValue()
        }
    }

    /// Reads the next member of a map that has lists by kind of modulation.
    private mutating func readMap() throws(JSONError) {
        guard try files[current].scanner.nextKey() != nil else {
            files[current].places.removeLast()
            return
        }
        if try files[current].scanner.nextKind() == .array {
            try enterArray(of: .channel)
        } else {
            try files[current].scanner.skipValue()
        }
    }

    private mutating func enterArray(of kind: RecordKind) throws(JSONError) {
        try files[current].scanner.enterArray()
        files[current].places.append(.records(kind))
    }

    private mutating func enterLists() throws(JSONError) {
        try files[current].scanner.enterObject()
        files[current].places.append(.lists(code: nil, message: nil))
    }
}

/// How lines of EPG JSON are taken, and the end of their guides is checked.
extension GuideJSONReader {
    /// Takes a line, and says what is wrong with the end of a guide that it closes, follows or leaves open.
    ///
    /// - Throws: `newerVersion` for the header of a guide that this program can't know; `unexpectedEnd` for one before
    ///   which a guide was cut off, unless ``takesPartial``.
    private mutating func takeLine(_ node: JSONNode) throws(JSONError) {
        let kind = EPGJSONLine.kind(of: node)
        if kind == .guide, files[current].tally.isOpen {
            let error = JSONError(reason: .unexpectedEnd(inside: EPGJSONTally.missingEnd), line: node.line)
            guard takesPartial else { throw error }
            remark(.notwell, node.line, "cut off: \(files[current].named(error))", severity: .error)
        }
        if let fault = files[current].tally.take(node, kind) { remark(.notvalid, node.line, fault) }
        if kind != .end { waiting.append(try EPGJSONLine.record(node)) }
    }

    /// Checks that nothing is missing at the end of the current file.
    ///
    /// - Throws: `unexpectedEnd` where a guide announces an end that isn't there.
    private mutating func checkEndOfFile() throws(JSONError) {
        guard files[current].tally.isOpen else { return }
        throw files[current].scanner.error(.unexpectedEnd(inside: EPGJSONTally.missingEnd))
    }
}

extension JSONError {
    /// Whether it is about a record rather than the file: the next line may be sound.
    fileprivate var isOfRecord: Bool {
        switch reason {
        case .expected, .malformed, .limit: true
        default: false
        }
    }
}
