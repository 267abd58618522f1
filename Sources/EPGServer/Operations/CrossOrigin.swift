import HTTPTypes

/// Which pages of other sites may read (the CORS protocol of the Fetch standard).
struct CrossOrigin: Sendable {
    private let origins: Set<String>
    /// Whether all may.
    private let isOpen: Bool

    /// - Parameter origins: Origins such as `https://tv.example`; `*` for all; none for no fields at all.
    init(origins: [String]) {
        self.origins = Set(origins)
        isOpen = origins.contains("*")
    }

    /// Whether answers have fields for other sites.
    var isOn: Bool { !origins.isEmpty }

    /// Adds what an answer says to the origin of the page that asks.
    func add(to fields: inout HTTPFields, for origin: String?) {
        guard isOn else { return }
        // Answers differ by origin, so caches must keep them apart.
        if !isOpen { fields.append(HTTPField(name: .vary, value: "Origin")) }
        // Where all may read, everybody gets the same answer: a cache gives it to others, whoever asked first.
        guard let allowed = isOpen ? "*" : origin.flatMap({ origins.contains($0) ? $0 : nil }) else { return }
        fields[.accessControlAllowOrigin] = allowed
        fields[.accessControlExposeHeaders] = "ETag, Retry-After"
    }

    /// The fields of the answer to `OPTIONS`: what may be done at the address, and what a page of another site may do.
    func preflightFields(for request: HTTPRequest) -> HTTPFields {
        var fields = SecurityFields.fields(for: .plain)
        fields[.allow] = "GET, HEAD, OPTIONS"
        fields[.cacheControl] = "no-store"
        guard let origin = request.headerFields[.origin] else { return fields }
        add(to: &fields, for: origin)
        guard fields[.accessControlAllowOrigin] != nil, request.headerFields[.accessControlRequestMethod] != nil else {
            return fields
        }
        fields[.accessControlAllowMethods] = "GET, HEAD, OPTIONS"
        fields[.accessControlAllowHeaders] = "Accept, If-None-Match, If-Modified-Since, Range, Last-Event-ID"
        fields[.accessControlMaxAge] = "86400"
        return fields
    }
}
