package import EPGJSON
package import EPGModel

extension Programme: JSONObject {
    /// Everything that is known of it, under the names of the model's properties; what is unknown is left out.
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
        json.member("extras", list: extras.map { BoundedNode(node: $0) })
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
        json.member("address", address)
        json.member("type", type)
        json.member("size", size)
        json.member("orientation", orientation)
        json.member("system", system)
    }
}
