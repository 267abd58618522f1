package import EPGJSON
package import EPGModel

/// An airing of a list with the members that a request selects.
package struct SelectedAiring: Sendable {
    package let airing: Airing
    private let members: AiringMembers
    /// Everything that is known of it; `nil` if the members don't need it.
    private let detail: AiringDetail?
    /// `nil` without links.
    private let links: LinkContext?
    private let genre: Genre?

    /// - Parameters:
    ///   - airing: The airing, with texts in the language of the request.
    ///   - genre: The genre by the categories of the feed, whatever the language of the request; `nil` for none.
    ///   - detail: Required for members of the programme (``AiringMembers/ofProgramme``).
    ///   - links: Required for ``AiringMembers/ofChannels``.
    package init(
        _ airing: Airing, members: AiringMembers = .standard, genre: Genre? = nil, detail: AiringDetail? = nil,
        links: LinkContext? = nil
    ) {
        self.airing = airing
        self.members = members
        self.genre = genre
        self.detail = detail
        self.links = links
    }

    fileprivate func writeMembers(beside match: SearchMatch?, to json: inout JSONWriter) {
        airing.writeMembers(members, to: &json)
        match?.writeMembers(members, to: &json)
        writeMembersOnDemand(to: &json)
    }

    private func writeMembersOnDemand(to json: inout JSONWriter) {
        if members.contains(.genre) { json.member("genre", genre?.rawValue) }
        if members.contains(.marks) { json.member("marks", list: airing.marks.names) }
        guard let detail else { return }
        if members.contains(.ratings) {
            json.member("ratings", list: detail.programme.withHTTPAddressesOnly.ratings)
        }
        detail.writeMembersOnDemand(members, links, to: &json)
    }
}

extension SelectedAiring: JSONObject {
    /// The selected members in the order of ``EPGModel/Airing/writeMembers(_:to:)``, then those on demand; what is unknown
    /// is left out.
    package func writeMembers(to json: inout JSONWriter) { writeMembers(beside: nil, to: &json) }
}

/// A match or a showing with the members that a request selects.
package struct SelectedMatch: JSONObject {
    private let match: SearchMatch
    private let airing: SelectedAiring

    /// - Parameter match: The match, whose texts and highlights are replaced by those of the airing.
    package init(_ match: SearchMatch, _ airing: SelectedAiring) {
        self.match = match.localized(airing.airing)
        self.airing = airing
    }

    /// The members of the airing, `stationName`, and those of a search by relevance `row` and `highlights` too, then those
    /// on demand.
    package func writeMembers(to json: inout JSONWriter) { airing.writeMembers(beside: match, to: &json) }
}

extension AiringDetail {
    /// Writes `series`, `images`, `minimumAge`, `links` and `catchup`, as far as they are selected; what is unknown is left
    /// out.
    ///
    /// - Parameter context: `nil` leaves links and catch-up out.
    package func writeMembersOnDemand(_ members: AiringMembers, _ context: LinkContext?, to json: inout JSONWriter) {
        if members.contains(.series) { json.member("series", programme.series?.rawValue) }
        if members.contains(.images) { json.member("images", list: Picture.pictures(of: programme)) }
        if members.contains(.minimumAge) { json.member("minimumAge", programme.minimumAge) }
        guard let context else { return }
        if members.contains(.links) { json.member("links", list: context.links(of: self)) }
        if members.contains(.catchup) { json.member("catchup", list: context.catchup(of: self)) }
    }
}

extension AiringMarks {
    /// `new`, `premiere` and `live`, as far as they are set.
    fileprivate var names: [String] {
        let names: [(AiringMarks, String)] = [(.new, "new"), (.premiere, "premiere"), (.live, "live")]
        return names.filter { contains($0.0) }.map(\.1)
    }
}
