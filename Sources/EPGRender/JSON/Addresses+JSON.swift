package import EPGModel

// Guide text comes from strangers, and who shows an answer may well put an address into a link or a picture as it is.

extension Station {
    /// The station with no address but those of ``HTTPAddress``.
    package var withHTTPAddressesOnly: Station {
        var station = self
        station.icons.keepHTTPAddresses(at: \.source)
        station.urls.keepHTTPAddresses(at: \.address)
        station.extras = extras.withHTTPAddressesOnly(depth: 0)
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
        programme.icons.keepHTTPAddresses(at: \.source)
        programme.urls.keepHTTPAddresses(at: \.address)
        programme.images.keepHTTPAddresses(at: \.address)
        programme.reviews.keepHTTPAddresses(at: \.content) { $0.type == "url" }
        for index in credits.indices {
            programme.credits[index].images.keepHTTPAddresses(at: \.address)
            programme.credits[index].urls.keepHTTPAddresses(at: \.address)
        }
        for index in ratings.indices { programme.ratings[index].icons.keepHTTPAddresses(at: \.source) }
        for index in starRatings.indices { programme.starRatings[index].icons.keepHTTPAddresses(at: \.source) }
        programme.extras = extras.withHTTPAddressesOnly(depth: 0)
        return programme
    }
}

extension Array {
    /// Drops elements whose address is none of ``HTTPAddress``.
    ///
    /// - Parameter isAddress: Whether the text is an address; by default it always is.
    fileprivate mutating func keepHTTPAddresses(
        at text: WritableKeyPath<Element, String>, where isAddress: (Element) -> Bool = { _ in true }
    ) {
        self = compactMap { element in
            guard isAddress(element) else { return element }
            guard let address = HTTPAddress(element[keyPath: text]) else { return nil }
            var element = element
            element[keyPath: text] = address.text
            return element
        }
    }
}

extension [ContentNode] {
    /// The nodes without the elements that name a picture or a link whose address is another one.
    ///
    /// A programme's extras are what the model has no room for, so these elements stand there too, such as the second
    /// `<url>` of a parent that may have one.
    fileprivate func withHTTPAddressesOnly(depth: Int) -> [ContentNode] {
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
