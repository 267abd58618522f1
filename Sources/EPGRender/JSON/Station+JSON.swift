package import EPGJSON
package import EPGModel

extension Station: JSONObject {
    /// `{"id", "name", "displayNames", "number", "icons", "urls", "extras"}`; what is unknown is left out.
    package func writeMembers(to json: inout JSONWriter) { writeMembers(.standard, to: &json) }

    fileprivate func writeMembers(_ members: StationMembers, to json: inout JSONWriter) {
        if members.contains(.id) { json.member("id", id) }
        if members.contains(.name) { json.member("name", name) }
        if members.contains(.displayNames) { json.member("displayNames", list: displayNames) }
        if members.contains(.number) { json.member("number", number?.description) }
        if members.contains(.icons) { json.member("icons", list: icons) }
        if members.contains(.urls) { json.member("urls", list: urls) }
        if members.contains(.extras) { json.member("extras", list: extras.map { BoundedNode(node: $0) }) }
    }
}

extension StationRow: JSONObject {
    /// `row`, from 0, the station's members, and `channelNumber`, the number that a lineup gives it.
    package func writeMembers(to json: inout JSONWriter) { writeMembers(.standard, to: &json) }

    /// The same, as far as they are selected, and `images` (``Picture``) on demand.
    package func writeMembers(_ members: StationMembers, to json: inout JSONWriter) {
        if members.contains(.row) { json.member("row", row) }
        station.writeMembers(members, to: &json)
        if members.contains(.channelNumber) { json.member("channelNumber", channelNumber?.description) }
        if members.contains(.images) { json.member("images", list: Picture.pictures(of: station)) }
    }
}

extension SourceSummary {
    /// `name`, `location`, `timeZone`, `shift`, `interval`, `priority`, `stationPatterns`, `encoding`, `stations`,
    /// `airings`, `lastAttempt`, `lastSuccess`, `entityTag`, `lastModified`, `lastError`, `lastResult`, `lastDuration`,
    /// `failures`; `shift`, `interval` and `lastDuration` in seconds.
    ///
    /// - Parameter location: The location as it may be shown; that of the source may hold a password or a key.
    package func writeMembers(to json: inout JSONWriter, location: String?) {
        json.member("name", source.name)
        json.member("location", location)
        json.member("timeZone", source.timeZone)
        json.member("shift", source.shift)
        json.member("interval", source.interval)
        json.member("priority", source.priority)
        json.member("stationPatterns", source.stations.isEmpty ? nil : source.stations)
        json.member("encoding", source.encoding)
        json.member("stations", stations)
        json.member("airings", airings)
        json.member("lastAttempt", state.lastAttempt)
        json.member("lastSuccess", state.lastSuccess)
        json.member("entityTag", state.entityTag)
        json.member("lastModified", state.lastModified)
        json.member("lastError", state.lastError)
        state.writeEnding(to: &json)
    }
}

/// A source as anybody may see it: without its URL, which may contain a key, and without error messages, which may contain URLs.
package struct PublicSourceJSON: JSONObject {
    private let summary: SourceSummary
    private let nextRefresh: Instant?

    /// - Parameter nextRefresh: When the source is refreshed next; `nil` if nothing refreshes it by itself.
    package init(_ summary: SourceSummary, nextRefresh: Instant?) {
        self.summary = summary
        self.nextRefresh = nextRefresh
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("name", summary.source.name)
        json.member("timeZone", summary.source.timeZone)
        json.member("interval", summary.source.interval)
        json.member("priority", summary.source.priority)
        json.member("stations", summary.stations)
        json.member("airings", summary.airings)
        json.member("end", summary.end)
        json.member("lastAttempt", summary.state.lastAttempt)
        json.member("lastSuccess", summary.state.lastSuccess)
        json.member("failed", summary.state.lastError == nil ? nil : true)
        json.member("nextRefresh", nextRefresh)
        summary.state.writeEnding(to: &json)
        json.member("lastImport", summary.lastImport)
    }
}

extension SourceState {
    /// How the last refresh went, and how many failed: `lastResult`, `lastDuration` in seconds, `failures`.
    func writeEnding(to json: inout JSONWriter) {
        json.member("lastResult", lastEnding?.rawValue)
        json.member("lastDuration", lastDuration?.inSeconds)
        json.member("failures", failures)
    }
}

extension Duration {
    package var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1_000_000_000_000_000_000
    }
}

// MARK: - Texts, pictures, addresses

extension LocalizedText: JSONObject {
    package func writeMembers(to json: inout JSONWriter) {
        json.member("text", text)
        json.member("language", language)
    }
}

extension Icon: JSONObject {
    package func writeMembers(to json: inout JSONWriter) {
        json.member("source", source)
        json.member("width", width)
        json.member("height", height)
    }
}

extension WebLink: JSONObject {
    package func writeMembers(to json: inout JSONWriter) {
        json.member("address", address)
        json.member("system", system)
    }
}

// MARK: - Content beyond the model

/// A node of content; elements nested deeper than 32 are left out, since their depth is chosen by strangers.
struct BoundedNode: JSONValue {
    let node: ContentNode
    var depth = 0

    /// A text as a string; an element as `{"name", "attributes", "children"}`.
    func write(to json: inout JSONWriter) {
        switch node {
        case .text(let text): json.write(text)
        case .element(let element):
            json.object { json in
                json.member("name", element.name)
                json.member("attributes", attributes: element.attributes)
                if depth < 32 {
                    json.member("children", list: element.children.map { BoundedNode(node: $0, depth: depth + 1) })
                }
            }
        }
    }
}

extension JSONWriter {
    /// Adds attributes as an object to an object; the first of a name counts, and none are left out.
    mutating func member(_ key: StaticString, attributes: [ContentAttribute]) {
        guard !attributes.isEmpty else { return }
        member(
            key,
            object: { json in
                var seen: Set<String> = []
                for attribute in attributes where seen.insert(attribute.name).inserted {
                    json.member(named: attribute.name, attribute.value)
                }
            })
    }
}
