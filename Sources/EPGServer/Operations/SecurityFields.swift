import HTTPTypes

/// The fields that keep browsers from doing with an answer what it isn't meant for; made once.
enum SecurityFields {
    /// Those of a page, and those of everything else.
    static func fields(for type: MediaType) -> HTTPFields {
        type.value.hasPrefix("text/html") ? ofPages : ofOthers
    }

    /// Scripts and styles come from this service alone, pictures from anywhere. `style` attributes hold the cells' places, and
    /// `HTMLAttribute` writes numbers there and nothing else.
    static let pagePolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
        + "img-src http: https: data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
        + "form-action 'self'; frame-ancestors 'none'"

    private static let ofPages: HTTPFields = {
        var fields = common
        fields[.contentSecurityPolicy] = pagePolicy
        fields[named: "Cross-Origin-Opener-Policy"] = "same-origin"
        fields[named: "Permissions-Policy"] = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
        return fields
    }()

    /// Feeds and pictures are made for other sites, so their resource policy is open.
    static let ofOthers: HTTPFields = {
        var fields = common
        // A picture or a document that is opened by itself runs nothing; an SVG keeps the style of its own.
        fields[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
        fields[named: "Cross-Origin-Resource-Policy"] = "cross-origin"
        return fields
    }()

    private static let common: HTTPFields = {
        var fields: HTTPFields = [.xContentTypeOptions: "nosniff"]
        fields[named: "Referrer-Policy"] = "no-referrer"
        fields[named: "X-Frame-Options"] = "DENY"
        return fields
    }()
}

extension HTTPFields {
    /// A field that has no constant; names are written in this code, so they are well formed.
    subscript(named name: StaticString) -> String? {
        get { HTTPField.Name("\(name)").flatMap { self[$0] } }
        set { if let name = HTTPField.Name("\(name)") { self[name] = newValue } }
    }
}

extension Problem {
    /// The fields of the answer, the length left out.
    var fields: HTTPFields {
        var fields = SecurityFields.fields(for: .problem)
        fields[.contentType] = MediaType.problem.value
        fields[.cacheControl] = "no-store"
        if let retryAfter { fields[.retryAfter] = String(retryAfter) }
        if !allowed.isEmpty { fields[.allow] = allowed.map(\.rawValue).joined(separator: ", ") }
        fields[.wwwAuthenticate] = challenge
        return fields
    }
}
