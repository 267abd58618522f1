import EPGJSON

/// How the objects of Schedules Direct are read that hold lists.
extension GuideJSONReader {
    /// Reads the next member of an object with lists; its stations go out at its end.
    mutating func readList() throws(JSONError) {
        guard case .lists(let code, let message) = files[current].places.last else { return }
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
        case ("map", .array): try enterArray(.records(.channel))
        case ("map", .object):
            try files[current].scanner.enterObject()
            files[current].places.append(.maps)
        case ("stations", .array): try enterArray(.records(.station))
        case ("schedules", .array): try enterArray(.records(.schedule))
        case ("programs", .array): try enterArray(.records(.program))
        case ("lineup", .array), ("lineups", .array): try enterArray(.lineups)
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

    /// Reads the next element of an array of lineups.
    mutating func readLineup() throws(JSONError) {
        guard try files[current].scanner.nextElement() else {
            files[current].places.removeLast()
            return
        }
        if try files[current].scanner.nextKind() == .object {
            try enterLists()
        } else {
            try files[current].scanner.skipValue()
        }
    }

    /// Reads the next member of a map that has lists by kind of modulation.
    mutating func readMap() throws(JSONError) {
        guard try files[current].scanner.nextKey() != nil else {
            files[current].places.removeLast()
            return
        }
        if try files[current].scanner.nextKind() == .array {
            try enterArray(.records(.channel))
        } else {
            try files[current].scanner.skipValue()
        }
    }

    private mutating func enterArray(_ place: Place) throws(JSONError) {
        try files[current].scanner.enterArray()
        files[current].places.append(place)
    }

    private mutating func enterLists() throws(JSONError) {
        try files[current].scanner.enterObject()
        files[current].places.append(.lists(code: nil, message: nil))
    }
}
