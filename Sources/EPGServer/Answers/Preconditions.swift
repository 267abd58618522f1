import EPGModel
import HTTPTypes

/// The conditions under which a client wants an answer (RFC 9110, 13).
struct Preconditions: Sendable {
    /// What is to be done, in the order of section 13.2.2.
    enum Outcome: Hashable, Sendable {
        case proceed
        /// 304.
        case unmodified
        /// 412.
        case failed
    }

    private let fields: HTTPFields

    init(_ fields: HTTPFields) {
        self.fields = fields
    }

    /// - Parameters:
    ///   - tag: Of what would be sent; `nil` for what nobody may keep, which no condition names but `If-Match: *`.
    ///   - lastModified: When it became what it is; `nil` where that isn't known.
    func outcome(for tag: EntityTag?, lastModified: Instant?) -> Outcome {
        if let condition = fields[.ifMatch] {
            guard condition.hasStrongTag(tag) else { return .failed }
        } else if let date = fields[.ifUnmodifiedSince].flatMap(Instant.init(httpDate:)), let lastModified {
            guard lastModified <= date else { return .failed }
        }
        if let condition = fields[.ifNoneMatch] {
            return tag?.isNamed(in: condition) == true ? .unmodified : .proceed
        }
        if let date = fields[.ifModifiedSince].flatMap(Instant.init(httpDate:)), let lastModified, lastModified <= date
        {
            return .unmodified
        }
        return .proceed
    }

    /// Which bytes are wanted.
    ///
    /// A date in `If-Range` never counts: two guides may have come in one second, and parts of both would make a third.
    func range(of count: Int, with tag: EntityTag) -> ByteRange {
        if let condition = fields[.ifRange], !condition.hasStrongTag(tag) { return .whole }
        return ByteRange(fields[.range], of: count)
    }
}

extension String {
    /// Whether a list of tags has this one or is a star, as strong comparison wants it (RFC 9110, 8.8.3.2).
    fileprivate func hasStrongTag(_ tag: EntityTag?) -> Bool {
        split(separator: ",").contains { part in
            let text = part.filter { $0 != " " && $0 != "\t" }
            return text == "*" || text == tag?.value
        }
    }
}
