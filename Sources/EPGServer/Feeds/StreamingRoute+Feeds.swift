import HTTPTypes

extension StreamingRoute {
    /// `/xmltv.xml`: the guide as XMLTV.
    static let xmltv = feed("/xmltv.xml", .xmltv, as: .text(mediaType: "application/xml"))

    /// `/xmltv.xml.gz`: the same as a packed file.
    static let packedXMLTV = feed("/xmltv.xml.gz", .xmltv, as: .file(mediaType: "application/gzip"))

    /// `/guide.json`: the guide as EPG JSON, an object on each line.
    static let guideJSON = feed("/guide.json", .json, as: .text(mediaType: "application/x-ndjson"))

    private static func feed(_ path: String, _ format: FeedOrder.Format, as form: FeedForm) -> StreamingRoute {
        StreamingRoute(path: path, methods: [.get, .head]) { request, reader, services in
            let order = try FeedOrder(format, &reader)
            return try await FeedAnswer(order: order, form: form, request: request, services: services).response()
        }
    }
}
