package import EPGModel

// Guide text comes from strangers, and who shows an answer may well put an address into a link or a picture as it is.

extension Station {
    /// The station with no address but those of ``HTTPAddress``.
    package var withHTTPAddressesOnly: Station {
        var station = self
        station.icons = icons.withHTTPAddressesOnly
        station.urls = urls.withHTTPAddressesOnly
        station.extras = extras.withHTTPAddressesOnly
        return station
    }
}

extension StationRow {
    /// The row with no address but those of ``HTTPAddress``.
    package var withHTTPAddressesOnly: StationRow {
        StationRow(row: row, station: station.withHTTPAddressesOnly, channelNumber: channelNumber)
    }
}

extension Programme {
    /// The programme with no address but those of ``HTTPAddress``; reviews that are addresses count.
    package var withHTTPAddressesOnly: Programme {
        var programme = self
        programme.icons = icons.withHTTPAddressesOnly
        programme.urls = urls.withHTTPAddressesOnly
        programme.images = images.withHTTPAddressesOnly
        programme.reviews = reviews.compactMap { review in
            guard review.type == "url" else { return review }
            var review = review
            guard let address = HTTPAddress(review.content) else { return nil }
            review.content = address.text
            return review
        }
        for index in credits.indices {
            programme.credits[index].images = credits[index].images.withHTTPAddressesOnly
            programme.credits[index].urls = credits[index].urls.withHTTPAddressesOnly
        }
        for index in ratings.indices { programme.ratings[index].icons = ratings[index].icons.withHTTPAddressesOnly }
        for index in starRatings.indices {
            programme.starRatings[index].icons = starRatings[index].icons.withHTTPAddressesOnly
        }
        programme.extras = extras.withHTTPAddressesOnly
        return programme
    }
}

extension [Icon] {
    fileprivate var withHTTPAddressesOnly: [Icon] {
        compactMap { icon in
            HTTPAddress(icon.source).map { Icon(source: $0.text, width: icon.width, height: icon.height) }
        }
    }
}

extension [WebLink] {
    fileprivate var withHTTPAddressesOnly: [WebLink] {
        compactMap { link in HTTPAddress(link.address).map { WebLink(address: $0.text, system: link.system) } }
    }
}

extension [Programme.Image] {
    fileprivate var withHTTPAddressesOnly: [Programme.Image] {
        compactMap { image in
            guard let address = HTTPAddress(image.address) else { return nil }
            var image = image
            image.address = address.text
            return image
        }
    }
}

extension [ContentNode] {
    /// The nodes without the elements that name a picture or a link whose address is another one.
    ///
    /// A programme's extras are what the model has no room for, so these elements stand there too, such as the second
    /// `<url>` of a parent that may have one.
    fileprivate var withHTTPAddressesOnly: [ContentNode] { withHTTPAddressesOnly(depth: 0) }

    private func withHTTPAddressesOnly(depth: Int) -> [ContentNode] {
        compactMap { node in
            guard case .element(var element) = node else { return node }
            switch element.name {
            case "icon" where HTTPAddress(element[attribute: "src"] ?? "") == nil: return nil
            case "url" where HTTPAddress(element.text) == nil: return nil
            case "image" where HTTPAddress(element.text) == nil: return nil
            case "icon", "url", "image": element.encodeURLs()
            default: break
            }
            // What is deeper isn't written, see BoundedNode.
            if depth <= 32 { element.children = element.children.withHTTPAddressesOnly(depth: depth + 1) }
            return .element(element)
        }
    }
}
