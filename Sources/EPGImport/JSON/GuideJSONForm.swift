import EPGJSON

/// The form of a JSON document, detected from its content.
enum GuideJSONForm: Hashable {
    /// EPG JSON: one line, or an array of lines.
    case epg
    /// A TVmaze schedule.
    case tvmaze
    /// A Schedules Direct object with lists under `map`, `stations`, `schedules`, `programs`, `lineup`, or `lineups`.
    case lists(hasPrograms: Bool)
    /// A Schedules Direct array, or one element of it.
    case schedules
    case programs
    /// An error response of a server.
    case failure(code: Int64?, message: String)
    /// An empty array.
    case nothing
    /// Anything else, described for messages.
    case other(String)

    /// The order in which to read several documents: stations, programs, documents that may contain both, schedules.
    var rank: Int {
        switch self {
        case .lists(hasPrograms: false): 0
        case .programs: 1
        case .lists(hasPrograms: true): 2
        default: 3
        }
    }

    /// Whether the document can contain records.
    var isGuide: Bool {
        switch self {
        case .epg, .tvmaze, .lists, .schedules, .programs, .nothing: true
        case .failure, .other: false
        }
    }
}

extension JSONScanner {
    /// Detects the form of the next document without consuming it.
    ///
    /// - Throws: `JSONError` if the part examined is malformed.
    mutating func nextForm() throws(JSONError) -> GuideJSONForm {
        do throws(JSONError) {
            return try lookAhead { (json) throws(JSONError) in
                switch try json.nextKind() {
                case .object: return try json.formOfObject(isElement: false).form
                case .array: return try json.formOfArray()
                default: return .other("it contains no object")
                }
            }
        } catch {
            // A document that doesn't show its form within the maximum size of a record is not a guide.
            guard case .limit(.recordBytes, _) = error.reason else { throw error }
            return .other("its form is unknown")
        }
    }

    /// Returns the form of the first element that shows one.
    private mutating func formOfArray() throws(JSONError) -> GuideJSONForm {
        try enterArray()
        var isEmpty = true
        var first: GuideJSONForm?
        while try nextElement() {
            isEmpty = false
            guard try nextKind() == .object else {
                try skipValue()
                continue
            }
            let (form, isSure) = try formOfObject(isElement: true)
            if isSure { return form }
            first = first ?? form
        }
        return isEmpty ? .nothing : first ?? .other("an array without objects")
    }

    /// Returns the form of the next object, reading no further than necessary.
    private mutating func formOfObject(
        isElement: Bool
    ) throws(JSONError) -> (form: GuideJSONForm, isSure: Bool) {
        var traits = ObjectTraits()
        try enterObject()
        while let key = try nextKey() {
            let kind = try nextKind()
            if kind == .string || kind == .number, ObjectTraits.formKeys.contains(key) {
                traits.add(key, try readValue())
            } else {
                var isList: Bool? = false
                if !isElement, let keys = ObjectTraits.lists[key] { isList = try looksLikeList(of: keys) }
                traits.add(key, isList: isList)
                if traits.form == nil { try skipValue() }
            }
            if let form = traits.form { return (form, true) }
        }
        return (traits.formAtEnd(isElement: isElement), false)
    }

    /// Returns whether the first object of the next array, of the first array in the next object, or the next object
    /// itself has all keys of one of the sets; `nil` if there is no object.
    private mutating func looksLikeList(of sets: [Set<String>]) throws(JSONError) -> Bool? {
        try lookAhead { (json) throws(JSONError) in
            if try json.nextKind() == .object {
                try json.enterObject()
                var missing = sets
                while let key = try json.nextKey() {
                    for index in missing.indices { missing[index].remove(key) }
                    if missing.contains(where: \.isEmpty) { return true }
                    // The channel numbers of a lineup, grouped by modulation.
                    if try json.nextKind() == .array { return try json.looksLikeList(of: sets) }
                    try json.skipValue()
                }
                return missing == sets ? nil : false
            }
            guard try json.nextKind() == .array else { return false }
            try json.enterArray()
            while try json.nextElement() {
                if try json.nextKind() == .object { return try json.looksLikeList(of: sets) ?? false }
                try json.skipValue()
            }
            return nil
        }
    }
}

/// The keys and values seen in an object.
private struct ObjectTraits {
    /// Keys whose values help to detect the form.
    static let formKeys: Set = ["type", "code", "status", "message", "response", "error"]
    /// The lists of Schedules Direct, and sets of keys of which the first object in each must have one.
    static let lists: [String: [Set<String>]] = [
        "stations": [["stationID"]], "schedules": [["stationID"]], "map": [["stationID"]],
        "programs": [["programID", "titles"]], "lineup": [["map"], ["stations"]], "lineups": [["map"], ["stations"]],
    ]

    private var keys: Set<String> = []
    /// The first few keys.
    private var order: [String] = []
    private var values: [String: JSONNode] = [:]
    /// The key of a list whose content matches the key.
    private var list: String?
    private var hasEmptyList = false

    mutating func add(_ key: String, _ value: JSONNode) {
        addKey(key)
        values[key] = value
    }

    /// - Parameter isList: Whether the value is a list whose content matches the key; `nil` if it is empty.
    mutating func add(_ key: String, isList: Bool?) {
        addKey(key)
        if isList == true { list = key }
        if isList == nil { hasEmptyList = true }
    }

    private mutating func addKey(_ key: String) {
        guard keys.count < 1000 else { return }
        if keys.insert(key).inserted, order.count < 6 { order.append(key) }
    }

    /// The form, if the keys and values seen suffice.
    var form: GuideJSONForm? {
        if values["type"]?.string.flatMap(EPGJSONLine.Kind.init(rawValue:)) != nil { return .epg }
        if keys.contains("airstamp") { return .tvmaze }
        if keys.contains("stationID"), keys.contains("programs") { return .schedules }
        if keys.contains("programID"), keys.contains("titles") { return .programs }
        return list.map { .lists(hasPrograms: $0 == "schedules" || $0 == "programs") }
    }

    /// Returns the form of a complete object.
    func formAtEnd(isElement: Bool) -> GuideJSONForm {
        let code = values["code"]?.integer
        let status = values["status"]?.integer ?? 0
        let message = ["message", "response", "error"].lazy.compactMap { values[$0]?.string }.first
        if isElement, code != nil || message != nil {
            // An error object replaces a station's day or a program that the server couldn't deliver.
            if keys.contains("stationID") { return .schedules }
            if keys.contains("programID") { return .programs }
        }
        if let message, (code ?? 0) != 0 || status >= 400 {
            return .failure(code: code == 0 ? status : code ?? status, message: String(message.prefix(500)))
        }
        if hasEmptyList { return .nothing }
        let names = order.map { "\"\($0.prefix(30))\"" }.joined(separator: ", ")
        return .other(order.isEmpty ? "its object is empty" : "its first object has \(names)")
    }
}
