import EPGJSON

/// What a JSON document is, told by what it says of itself.
enum GuideJSONForm: Hashable {
    /// EPG JSON: one line, or an array of lines.
    case epg
    /// A TVmaze schedule.
    case tvmaze
    /// An object of Schedules Direct with lists under `map`, `stations`, `schedules`, `programs`, `lineup`, `lineups`.
    case lists(hasPrograms: Bool)
    /// A Schedules Direct array, or one element of it.
    case schedules
    case programs
    /// A server's answer that says what went wrong.
    case failure(code: Int64?, message: String)
    /// An array with nothing in it.
    case nothing
    /// Something else, in words.
    case other(String)

    /// In which order several documents are best read: stations, programs, what may hold both, schedules.
    var rank: Int {
        switch self {
        case .lists(hasPrograms: false): 0
        case .programs: 1
        case .lists(hasPrograms: true): 2
        default: 3
        }
    }

    /// Whether records can be read from it.
    var isGuide: Bool {
        switch self {
        case .epg, .tvmaze, .lists, .schedules, .programs, .nothing: true
        case .failure, .other: false
        }
    }
}

extension JSONScanner {
    /// Tells what the next document is, and stays where it is.
    ///
    /// - Throws: `JSONError` where it isn't well-formed as far as it was looked at.
    mutating func nextForm() throws(JSONError) -> GuideJSONForm {
        do throws(JSONError) {
            return try lookAhead { (json) throws(JSONError) in
                switch try json.nextKind() {
                case .object: return try json.formOfObject(isElement: false).form
                case .array: return try json.formOfArray()
                default: return .other("it holds no object")
                }
            }
        } catch {
            // A document that says nothing of itself in as many bytes as a record may have is no guide.
            guard case .limit(.recordBytes, _) = error.reason else { throw error }
            return .other("it doesn't say what it is")
        }
    }

    /// The form of the first element that tells it.
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

    /// The form of the object that comes next; it isn't read further than is needed to be sure.
    private mutating func formOfObject(
        isElement: Bool
    ) throws(JSONError) -> (form: GuideJSONForm, isSure: Bool) {
        var traits = ObjectTraits()
        try enterObject()
        while let key = try nextKey() {
            let kind = try nextKind()
            if kind == .string || kind == .number, ObjectTraits.telling.contains(key) {
                traits.take(key, try readValue())
            } else {
                var isList: Bool? = false
                if !isElement, let keys = ObjectTraits.lists[key] { isList = try looksLikeList(of: keys) }
                traits.take(key, isList: isList)
                if traits.form == nil { try skipValue() }
            }
            if let form = traits.form { return (form, true) }
        }
        return (traits.formAtEnd(isElement: isElement), false)
    }

    /// Whether the first object of the array that comes next, or of the first array in an object, or the object itself
    /// has all the keys of one of some sets; `nil` where there is none.
    private mutating func looksLikeList(of sets: [Set<String>]) throws(JSONError) -> Bool? {
        try lookAhead { (json) throws(JSONError) in
            if try json.nextKind() == .object {
                try json.enterObject()
                var missing = sets
                while let key = try json.nextKey() {
                    for index in missing.indices { missing[index].remove(key) }
                    if missing.contains(where: \.isEmpty) { return true }
                    // The numbers of a lineup by kind of modulation.
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

/// What was seen of an object.
private struct ObjectTraits {
    /// Keys whose values say something of the form.
    static let telling: Set = ["type", "code", "status", "message", "response", "error"]
    /// The lists of Schedules Direct, and the sets of keys of which their first object has one.
    static let lists: [String: [Set<String>]] = [
        "stations": [["stationID"]], "schedules": [["stationID"]], "map": [["stationID"]],
        "programs": [["programID", "titles"]], "lineup": [["map"], ["stations"]], "lineups": [["map"], ["stations"]],
    ]

    private var keys: Set<String> = []
    /// The first few of them.
    private var order: [String] = []
    private var values: [String: JSONNode] = [:]
    /// The key of a list that holds what its key says.
    private var list: String?
    private var hasEmptyList = false

    mutating func take(_ key: String, _ value: JSONNode) {
        see(key)
        values[key] = value
    }

    /// - Parameter isList: Whether it is a list that holds what its key says; `nil` where it is empty.
    mutating func take(_ key: String, isList: Bool?) {
        see(key)
        if isList == true { list = key }
        if isList == nil { hasEmptyList = true }
    }

    private mutating func see(_ key: String) {
        guard keys.count < 1000 else { return }
        if keys.insert(key).inserted, order.count < 6 { order.append(key) }
    }

    /// The form, where what was seen is enough.
    var form: GuideJSONForm? {
        if values["type"]?.string.flatMap(EPGJSONLine.Kind.init(rawValue:)) != nil { return .epg }
        if keys.contains("airstamp") { return .tvmaze }
        if keys.contains("stationID"), keys.contains("programs") { return .schedules }
        if keys.contains("programID"), keys.contains("titles") { return .programs }
        return list.map { .lists(hasPrograms: $0 == "schedules" || $0 == "programs") }
    }

    /// The form, when all was seen.
    func formAtEnd(isElement: Bool) -> GuideJSONForm {
        let code = values["code"]?.integer
        let status = values["status"]?.integer ?? 0
        let message = ["message", "response", "error"].lazy.compactMap { values[$0]?.string }.first
        if isElement, code != nil || message != nil {
            // Where a station's day or a program couldn't be given, an error stands in its place.
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
