package import EPGJSON
package import EPGModel

extension Programme: JSONObject {
    /// All known properties under their names in the model.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("titles", list: titles)
        json.member("subtitles", list: subtitles)
        json.member("descriptions", list: descriptions)
        json.member("credits", list: credits)
        json.member("date", date)
        json.member("categories", list: categories)
        json.member("keywords", list: keywords)
        json.member("language", language)
        json.member("originalLanguage", originalLanguage)
        json.member("length", length)
        json.member("icons", list: icons)
        json.member("urls", list: urls)
        json.member("countries", list: countries)
        json.member("episodeNumbers", list: episodeNumbers)
        json.member("video", video)
        json.member("audio", audio)
        json.member("previouslyShown", previouslyShown)
        json.member("premiere", premiere)
        json.member("lastChance", lastChance)
        json.member("isNew", isNew ? true : nil)
        json.member("captions", list: captions)
        json.member("ratings", list: ratings)
        json.member("starRatings", list: starRatings)
        json.member("reviews", list: reviews)
        json.member("images", list: images)
        json.member(extras: extras)
    }
}

extension Programme.Credit: JSONObject {
    package func writeMembers(to json: inout JSONWriter) {
        json.member("role", role)
        json.member("name", name)
        json.member("character", character)
        json.member("guest", isGuest ? true : nil)
        json.member("images", list: images)
        json.member("urls", list: urls)
    }
}

extension Programme.Length: JSONObject {
    package func writeMembers(to json: inout JSONWriter) {
        json.member("value", value)
        json.member("units", units)
        json.member("seconds", seconds)
    }
}

extension EpisodeNumber: JSONObject {
    package func writeMembers(to json: inout JSONWriter) {
        json.member("system", system)
        json.member("value", value)
        if let position {
            json.member("season", position.season.number)
            json.member("episode", position.episode.number)
            json.member("part", position.part.number)
            json.member("parts", position.part.total)
        }
    }
}

extension Programme.Video: JSONObject {
    package func writeMembers(to json: inout JSONWriter) {
        json.member("present", present)
        json.member("colour", colour)
        json.member("aspect", aspect)
        json.member("quality", quality)
    }
}

extension Programme.Audio: JSONObject {
    package func writeMembers(to json: inout JSONWriter) {
        json.member("present", present)
        json.member("stereo", stereo)
    }
}

extension Programme.PreviouslyShown: JSONObject {
    package func writeMembers(to json: inout JSONWriter) {
        json.member("start", start)
        json.member("channel", channel)
    }
}

extension Programme.Captions: JSONObject {
    package func writeMembers(to json: inout JSONWriter) {
        json.member("type", type)
        json.member("language", language)
    }
}

extension Programme.Rating: JSONObject {
    package func writeMembers(to json: inout JSONWriter) {
        json.member("system", system)
        json.member("value", value)
        json.member("icons", list: icons)
    }
}

extension Programme.Review: JSONObject {
    package func writeMembers(to json: inout JSONWriter) {
        json.member("type", type)
        json.member("source", source)
        json.member("reviewer", reviewer)
        json.member("language", language)
        json.member("content", content)
    }
}

extension Programme.Image: JSONObject {
    package func writeMembers(to json: inout JSONWriter) {
        json.member("url", url)
        json.member("type", type)
        json.member("size", size)
        json.member("orientation", orientation)
        json.member("system", system)
    }
}

// MARK: - Texts, pictures, links

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
        json.member("url", url)
        json.member("system", system)
    }
}

extension Picture: JSONObject {
    /// `{"url", "width", "height", "type", "size", "orientation", "source"}`; omits unknown members.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("url", url.text)
        json.member("width", width)
        json.member("height", height)
        json.member("type", type)
        json.member("size", size)
        json.member("orientation", orientation)
        json.member("source", source)
    }
}

// MARK: - Content beyond the model

/// A node of content without elements deeper than 32 levels: feeds are untrusted.
private struct BoundedNode: JSONValue {
    let node: ContentNode
    var depth = 0

    /// Writes a text as a string, and an element as `{"name", "attributes", "children"}`.
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
    /// Adds an array `extras` of nodes unless there are none.
    mutating func member(extras nodes: [ContentNode]) {
        member("extras", list: nodes.map { BoundedNode(node: $0) })
    }

    /// Adds an object of attributes unless there are none. The first attribute of a name takes precedence.
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
