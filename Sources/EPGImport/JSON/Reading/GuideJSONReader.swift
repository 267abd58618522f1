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
    struct File {
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
        /// Whether it ends before it says what it is.
        var isCutAtStart = false
        /// Its lines of EPG JSON.
        var tally = EPGJSONTally()
    }

    /// An array or object of a file that is read member by member.
    enum Place {
        case records(RecordKind)
        /// An object of Schedules Direct with lists in it; the code and message that stand in it.
        case lists(code: Int64?, message: String?)
        /// An array of such objects.
        case lineups
        /// The numbers of a lineup, by kind of modulation.
        case maps
    }

    enum RecordKind {
        case epg, tvmaze, schedule, program, station, channel
    }

    /// Whether a file that was cut off gives what is whole in it, and a word on the cut, instead of an error.
    package var takesPartial = false
    /// Whether a line that isn't well-formed is an error rather than passed over.
    package var isStrict = false
    /// The most that ``heldBytes`` may be.
    package var heldLimit = Int.max

    var files: [File]
    var current = 0
    private var isPrepared = false
    /// Records that were read and not yet handed out.
    var waiting: [GuideRecord] = []
    private var handedOut = 0

    var stations = SchedulesDirectStations()
    var library = SchedulesDirectLibrary()
    /// The schedule whose airings are handed out.
    var schedule: (airings: JSONElements, stationID: String)?
    var tvmazeStations: Set<StationID> = []
    var hasHeader = false

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
            if handedOut < waiting.count {
                handedOut += 1
                return waiting[handedOut - 1]
            }
            waiting.removeAll(keepingCapacity: true)
            handedOut = 0
            if heldBytes > heldLimit { return nil }
            if let record = nextAiringOfSchedule() { return record }
            if current == files.count { return library.nextWaiting() }
            do throws(JSONError) {
                if try !step() {
                    try checkEndOfFile()
                    files[current].scanner.close()
                    current += 1
                }
            } catch {
                try acceptCut(files[current].named(error))
                files[current].places.removeAll()
                files[current].scanner.close()
                current += 1
                waiting += stations.take()
            }
        }
    }

    /// Says that a file was cut off, where that is taken; any other error is thrown again.
    private mutating func acceptCut(_ error: JSONError) throws(JSONError) {
        guard takesPartial, error.isCutOff else { throw error }
        waiting.append(
            .unreadable(
                Diagnostic(
                    severity: .error, keyword: .notwell, action: .kept, line: error.line,
                    quote: String("cut off: \(error)".prefix(200)))))
    }

    /// Tells what each file is, and puts them in order.
    private mutating func prepare() throws(JSONError) {
        isPrepared = true
        for index in files.indices {
            do throws(JSONError) {
                guard try files[index].scanner.nextDocument() else {
                    throw JSONError(reason: .empty, line: 1, column: 1)
                }
                files[index].scanner.takesControls = !isStrict
                files[index].form = try files[index].scanner.nextForm()
                // A line of EPG JSON ends where it ends: one that was cut must not take the next one with it.
                if files[index].form == .epg { files[index].scanner.takesControls = false }
            } catch {
                try acceptCut(files[index].named(error))
                files[index].isCutAtStart = true
            }
        }
        for file in files {
            // An answer with an error, or a file that is something else, is passed over only beside real ones.
            if case .failure(let code, let message) = file.form {
                throw file.named(JSONError(reason: .server(code: code, message: message), line: 1, column: 1))
            }
            if case .other(let found) = file.form {
                guard files.contains(where: { $0.form.isGuide && $0.form != .nothing }) else {
                    throw file.named(JSONError(reason: .notAGuide(found: found), line: 1, column: 1))
                }
                waiting.append(
                    .unreadable(
                        Diagnostic(
                            severity: .warning, keyword: .notvalid, action: .kept, line: 0,
                            quote: "\(file.name ?? ""): no guide: \(found)")))
            }
        }
        let order = files.indices.sorted { (files[$0].form.rank, $0) < (files[$1].form.rank, $1) }
        files = order.map { files[$0] }.filter { $0.form.isGuide && !$0.isCutAtStart }
    }

    /// Reads on in the current file; `false` at its end.
    private mutating func step() throws(JSONError) -> Bool {
        guard let place = files[current].places.last else { return try beginDocument() }
        switch place {
        case .records(let kind): try readElement(kind)
        case .lists: try readList()
        case .lineups: try readLineup()
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
            try files[current].scanner.enterObject()
            files[current].places.append(.lists(code: nil, message: nil))
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
            try files[current].scanner.enterArray()
            files[current].places.append(.records(kind))
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

extension GuideJSONReader.File {
    /// The error with the name of the file.
    func named(_ error: JSONError) -> JSONError {
        var error = error
        error.file = error.file ?? name
        return error
    }
}
