package import EPGJSON
import EPGModel
package import XMLTV

/// A reader of guides in JSON: EPG JSON, Schedules Direct, or a TVmaze schedule, detected from the content.
///
/// A Schedules Direct guide may consist of several files (lineup, schedules, programs) in any order. Several documents
/// in one file, concatenated or one per line, are read in turn. Memory is bounded by the largest record and, for
/// Schedules Direct, the programs: see ``SchedulesDirectLibrary``.
///
/// An invalid record doesn't affect others. The same holds for a malformed line of EPG JSON after the first record:
/// reading continues at the next line that starts with `{`. ``GuideRecord/unreadable(_:)`` reports it. With the action
/// `kept`, no airing is lost.
package struct GuideJSONReader: GuideRecordReader {
    /// A file and its reading position.
    private struct File {
        let name: String?
        var scanner: JSONScanner
        /// The form of its first document.
        var form = GuideJSONForm.nothing
        /// The open lists and objects, innermost last.
        var places: [Place] = []
        /// Whether a record has been read from it.
        var hasRecords = false
        /// The number of documents started.
        var documents = 0
        /// The counter of its EPG JSON lines.
        var tally = EPGJSONTally()

        /// Returns the error with the name of the file.
        func named(_ error: JSONError) -> JSONError {
            var error = error
            error.file = error.file ?? name
            return error
        }
    }

    /// An array or object of a file that is read member by member.
    private enum Place {
        case records(RecordKind)
        /// A Schedules Direct object with lists, and the error code and message in it.
        case lists(code: Int64?, message: String?)
        /// The channel numbers of a lineup, grouped by modulation.
        case maps
    }

    private enum RecordKind {
        case epg, tvmaze, schedule, program, station, channel
        /// A Schedules Direct object with lists.
        case lineup
    }

    /// Whether to accept the intact part of a truncated file and report a diagnostic instead of an error. The default
    /// is `false`.
    package var acceptsTruncation = false
    /// Whether a malformed line is an error, rather than skipped. The default is `false`.
    package var isStrict = false
    /// The maximum of ``heldBytes``. The default is no limit.
    package var heldLimit = Int.max

    private var files: [File]
    private var current = 0
    private var isPrepared = false
    /// Records that were read but not yet returned.
    private var waiting: ArraySlice<GuideRecord> = []

    private var stations = SchedulesDirectStations()
    private var library = SchedulesDirectLibrary()
    /// The schedule whose airings are being returned.
    private var schedule: (airings: ArraySlice<JSONNode>, stationID: String)?
    private var tvmazeStations: Set<StationID> = []
    private var hasHeader = false

    /// Creates a reader of one file.
    package init(_ source: any ByteSource, limits: JSONLimits = JSONLimits()) {
        files = [File(name: nil, scanner: JSONScanner(source, limits: limits))]
    }

    /// Creates a reader of several files that form one guide, in any order.
    package init(sources: [(name: String, source: any ByteSource)], limits: JSONLimits = JSONLimits()) {
        files = sources.map { File(name: $0.name, scanner: JSONScanner($0.source, limits: limits)) }
    }

    /// The memory for data that later records need, in bytes: programs, airings that wait for their programs, and
    /// stations.
    package var heldBytes: Int { library.heldBytes + stations.heldBytes + tvmazeStations.count * 64 }

    /// The memory for buffered bytes of the files, in bytes.
    package var windowBytes: Int { files.reduce(0) { $0 + $1.scanner.heldBytes } }

    /// Returns the next record, or `nil` at the end.
    ///
    /// - Throws: ``JSONError`` if a file is malformed, truncated, or not a guide; `ExceededImportLimit` if
    ///   ``heldBytes`` would exceed ``heldLimit``, which may happen before the first record.
    package mutating func next() throws -> GuideRecord? {
        let record = try nextRecord()
        if heldBytes > heldLimit { throw ExceededImportLimit(.memory, value: heldLimit) }
        return record
    }

    private mutating func nextRecord() throws(JSONError) -> GuideRecord? {
        if !isPrepared { try prepare() }
        while true {
            if let record = waiting.popFirst() { return record }
            // Frees the records, which the slice retains after `popFirst`.
            waiting = []
            if heldBytes > heldLimit { return nil }
            if let record = nextAiringOfSchedule() { return record }
            if current == files.count { return library.nextWaiting() }
            do throws(JSONError) {
                if try step() { continue }
                try checkEndOfFile()
            } catch {
                try acceptTruncation(files[current].named(error))
                waiting += stations.drainRecords()
            }
            files[current].scanner.close()
            current += 1
        }
    }

    /// Reports a truncated file if ``acceptsTruncation`` is set. Rethrows any other error.
    private mutating func acceptTruncation(_ error: JSONError) throws(JSONError) {
        guard acceptsTruncation, error.isTruncated else { throw error }
        waiting.append(.remark(.notwell, error.line, "\(error)", severity: .error))
    }

    /// Detects the form of each file and sorts the files.
    private mutating func prepare() throws(JSONError) {
        isPrepared = true
        var begun: [File] = []
        for var file in files {
            do throws(JSONError) {
                guard try file.scanner.nextDocument() else { throw JSONError(reason: .empty) }
                file.scanner.allowsControlCharacters = !isStrict
                file.form = try file.scanner.nextForm()
                // A line break ends a string, so that a truncated line of EPG JSON does not extend to the next one.
                if file.form == .epg { file.scanner.allowsControlCharacters = false }
                begun.append(file)
            } catch {
                try acceptTruncation(file.named(error))
            }
        }
        files = begun.filter(\.form.isGuide)
        for file in begun {
            // An error response or unknown file is skipped only in the presence of valid ones.
            if case .failure(let code, let message) = file.form {
                throw file.named(JSONError(reason: .server(code: code, message: message)))
            }
            if case .other(let found) = file.form {
                guard files.contains(where: { $0.form != .nothing }) else {
                    throw file.named(JSONError(reason: .notAGuide(found: found)))
                }
                waiting.append(.remark(.notvalid, 0, "\(file.name ?? ""): not a guide: \(found)"))
            }
        }
        files.sort { $0.form.rank < $1.form.rank }
    }

    /// Reads on in the current file. Returns `false` at its end.
    private mutating func step() throws(JSONError) -> Bool {
        guard let place = files[current].places.last else { return try beginDocument() }
        switch place {
        case .records(let kind): try readElement(kind)
        case .lists(let code, let message): try readList(code, message)
        case .maps: try readMap()
        }
        return true
    }

    /// Starts the next document of the current file. Returns `false` at its end.
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
            if kind == .schedule { try rejectErrorResponse(node) }
            try handle(node, kind)
            files[current].hasRecords = true
        }
    }
}

/// Reading of records.
extension GuideJSONReader {
    /// Appends a header with the name of the service, once, for forms that imply it.
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

    /// Reads a line of EPG JSON. Skips a malformed one unless it is the first.
    private mutating func readLine() throws(JSONError) {
        do throws(JSONError) {
            try handle(try files[current].scanner.readValue(), .epg)
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
        try handle(try files[current].scanner.readValue(), kind)
    }

    /// Handles a record.
    private mutating func handle(_ node: JSONNode, _ kind: RecordKind) throws(JSONError) {
        if node.hasIllFormedText { remark(.badutf8, node.line, "invalid UTF-8 was read as U+FFFD") }
        if node.hasControlCharacters {
            remark(.notwell, node.line, "a string contains a control character or line break; kept as written")
        }
        switch kind {
        case .epg: try handleLine(node)
        case .tvmaze: addEpisode(node)
        case .schedule: openSchedule(node)
        case .program: addProgram(node)
        case .station, .channel:
            guard let id = node["stationID"]?.text, !id.isEmpty else {
                return remark(.invalidid, node.line, "stationID: missing")
            }
            if kind == .station { stations.add(station: node, id) } else { stations.add(channel: node, id) }
        case .lineup: preconditionFailure("a lineup is entered, never read as a record")
        }
    }

    /// Appends a diagnostic of a record from which no airing is lost.
    private mutating func remark(
        _ keyword: Diagnostic.Keyword, _ line: Int, _ quote: String, severity: Diagnostic.Severity = .warning,
        station: StationID? = nil
    ) {
        waiting.append(.remark(keyword, line, quote, severity: severity, station: station))
    }

    private mutating func addEpisode(_ node: JSONNode) {
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

    private mutating func addProgram(_ node: JSONNode) {
        let id = node["programID"]?.text ?? ""
        guard !id.isEmpty, node["titles"] != nil else {
            let reason = node["message"]?.text ?? node["response"]?.text ?? "no programID or no titles"
            return remark(.notvalid, node.line, "program \(id.prefix(100)): \(reason)")
        }
        if !library.add(program: id, SchedulesDirectProgram.nodes(node)) {
            remark(.notvalid, node.line, "program \(id.prefix(100)): too long; only its title is kept")
        }
    }

    /// Throws if a station's schedule is an error response without airings, and the only document in its file.
    private mutating func rejectErrorResponse(_ node: JSONNode) throws(JSONError) {
        guard let code = node["code"]?.integer, code != 0, files[current].documents == 1,
            let message = node["message"]?.text ?? node["response"]?.text,
            node["programs"]?.elements.isEmpty != false,
            try !files[current].scanner.nextDocument()
        else { return }
        throw files[current].scanner.error(.server(code: code, message: String(message.prefix(500))))
    }

    private mutating func openSchedule(_ node: JSONNode) {
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

    /// Returns the next airing of the open schedule, or `nil` if there is none.
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

/// Reading of Schedules Direct objects with lists.
extension GuideJSONReader {
    /// Reads the next member of an object with lists. Returns its stations at its end.
    private mutating func readList(_ code: Int64?, _ message: String?) throws(JSONError) {
        guard let key = try files[current].scanner.nextKey() else {
            files[current].places.removeLast()
            if let code, code != 0, let message {
                throw files[current].scanner.error(.server(code: code, message: message))
            }
            waiting += stations.drainRecords()
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

    /// Reads the next member of a map with lists grouped by modulation.
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

/// Handling of EPG JSON lines and ends of guides.
extension GuideJSONReader {
    /// Handles a line, and reports problems with the end of a guide.
    ///
    /// - Throws: `newerVersion` for a guide header with an unsupported version; `unexpectedEnd` for a header that
    ///   follows a truncated guide, unless ``acceptsTruncation`` is set.
    private mutating func handleLine(_ node: JSONNode) throws(JSONError) {
        let kind = EPGJSONLine.kind(of: node)
        if kind == .guide, files[current].tally.isOpen {
            let error = JSONError(reason: .unexpectedEnd(inside: EPGJSONTally.missingEnd), line: node.line)
            guard acceptsTruncation else { throw error }
            remark(.notwell, node.line, "\(files[current].named(error))", severity: .error)
        }
        if let fault = files[current].tally.count(node, kind) { remark(.notvalid, node.line, fault) }
        if kind != .end { waiting.append(try EPGJSONLine.record(node)) }
    }

    /// Checks that the current file is complete.
    ///
    /// - Throws: `unexpectedEnd` if an announced end is missing.
    private mutating func checkEndOfFile() throws(JSONError) {
        guard files[current].tally.isOpen else { return }
        throw files[current].scanner.error(.unexpectedEnd(inside: EPGJSONTally.missingEnd))
    }
}

extension JSONError {
    /// Whether the error concerns a record rather than the file, so that the next line may be valid.
    fileprivate var isOfRecord: Bool {
        switch reason {
        case .expected, .malformed, .limit: true
        default: false
        }
    }
}
