import EPGModel

/// A picture of a programme, of whichever element of the feed.
struct ProgrammePicture: Hashable, Sendable {
    /// As the feed gives it: not checked.
    let address: String
    /// Whether it is wider than high, as far as the feed says.
    let isWide: Bool
}

extension Programme {
    /// The pictures of the programme itself: posters first, then other images, then icons; those of people are left out.
    var pictures: [ProgrammePicture] {
        let own = images.filter { $0.type != "person" && $0.type != "character" }
        let posters = own.filter { $0.type == "poster" }
        let others = own.filter { $0.type != "poster" }
        return (posters + others).map { image in
            ProgrammePicture(
                address: image.address,
                isWide: image.orientation.map { $0 == "L" } ?? (image.type == "backdrop" || image.type == "still"))
        } + icons.map { ProgrammePicture(address: $0.source, isWide: false) }
    }
}
