/// What a client says of encodings (`Accept-Encoding`, RFC 9110, 12.5.3).
struct AcceptedEncodings: Sendable {
    /// Whether it takes gzip; without the field it isn't given any.
    let acceptsGzip: Bool

    init(_ field: String?) {
        guard let field else {
            acceptsGzip = false
            return
        }
        var gzip: Bool?
        var any = false
        for part in field.split(separator: ",") {
            let sides = part.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            let name = sides[0].filter { $0 != " " && $0 != "\t" }.lowercased()
            // `q=0`, `q=0.0`: not at all.
            let weight = sides.count > 1 ? sides[1].filter { $0 != " " && $0 != "\t" } : ""
            let isWanted = !(weight.lowercased().hasPrefix("q=0") && !weight.contains { ("1"..."9").contains($0) })
            if name == "gzip" || name == "x-gzip" { gzip = isWanted }
            if name == "*" { any = isWanted }
        }
        acceptsGzip = gzip ?? any
    }
}
