import EPGJSON
import EPGModel

/// The stations of Schedules Direct lineups: descriptions from `stations`, numbers from `map`, in either order.
struct SchedulesDirectStations {
    /// What is known of a station whose lineup isn't complete.
    private struct Draft {
        var nodes: [ContentNode] = []
        var numbers: [String] = []
        var callsign: String?
        var line: Int
    }

    private var order: [String] = []
    private var drafts: [String: Draft] = [:]
    /// Stations that were handed on; another lineup has nothing to add to them.
    private var known: Set<String> = []
    /// Bytes that the stations take, about.
    private(set) var heldBytes = 0

    /// The identifier that a station has in XMLTV: what `tv_grab_zz_sdjson` of the XMLTV project calls it.
    static func id(_ stationID: String) -> StationID { StationID("I\(stationID).json.schedulesdirect.org") }

    /// Takes an element of `stations`.
    mutating func add(station: JSONNode, _ id: String) {
        let nodes = Self.nodes(station)
        heldBytes += nodes.reduce(0) { $0 + $1.heldBytes }
        change(id, station.line) { $0.nodes = nodes }
    }

    /// Takes an element of `map`.
    mutating func add(channel: JSONNode, _ id: String) {
        let number = Self.number(channel)
        change(id, channel.line) { draft in
            if let number, !draft.numbers.contains(number), draft.numbers.count < 64 { draft.numbers.append(number) }
            draft.callsign = draft.callsign ?? channel["providerCallsign"]?.text
        }
    }

    /// The stations that were taken since the last call, in the order of the file.
    mutating func take() -> [GuideRecord] {
        defer { (order, drafts) = ([], [:]) }
        return order.compactMap { id in
            guard let draft = drafts[id], known.insert(id).inserted else { return nil }
            var nodes = draft.nodes
            if nodes.element(named: "display-name") == nil { nodes.append("display-name", draft.callsign) }
            for number in draft.numbers { nodes.append("lcn", number) }
            return .station(Self.id(id), nodes: nodes, line: draft.line)
        }
    }

    private mutating func change(_ id: String, _ line: Int, _ change: (inout Draft) -> Void) {
        if drafts[id] == nil {
            order.append(id)
            heldBytes += 4 * (MemoryLayout<String>.stride + MemoryLayout<Draft>.stride) + 2 * id.heldBytes
        }
        change(&drafts[id, default: Draft(line: line)])
    }

    /// Names, the usual one first, and logos.
    private static func nodes(_ station: JSONNode) -> [ContentNode] {
        var nodes: [ContentNode] = []
        var names: Set<String> = []
        for key in ["name", "callsign", "affiliate"] {
            if let name = station[key]?.text, names.insert(name).inserted { nodes.append("display-name", name) }
        }
        var addresses: Set<String> = []
        for logo in [station["logo"]].compactMap(\.self) + (station["stationLogo"]?.elements ?? []) {
            guard let address = logo["URL"]?.text, !address.isEmpty, addresses.insert(address).inserted else {
                continue
            }
            nodes.append(
                element: "icon", ("src", address), ("width", logo["width"]?.text), ("height", logo["height"]?.text))
        }
        return nodes
    }

    /// The number of a channel, without zeros in front.
    ///
    /// Of the numbers that Schedules Direct gives, the first one there: what viewers see (`logicalChannelNumber`,
    /// `virtualChannel`), that of ATSC, that of the provider, that of the transmitter.
    private static func number(_ channel: JSONNode) -> String? {
        func text(_ keys: String...) -> String? {
            keys.lazy.compactMap { channel[$0]?.text }.first { !$0.isEmpty }
        }
        if let number = text("logicalChannelNumber", "virtualChannel") { return withoutZeros(number) }
        if let major = text("atscMajor", "channelMajor") {
            return withoutZeros(major) + (text("atscMinor", "channelMinor").map { "." + withoutZeros($0) } ?? "")
        }
        return text("channel", "uhfVhf").map(withoutZeros)
    }

    private static func withoutZeros(_ number: String) -> String {
        let rest = number.drop { $0 == "0" }
        return rest.first?.isNumber == true ? String(rest) : number
    }
}
