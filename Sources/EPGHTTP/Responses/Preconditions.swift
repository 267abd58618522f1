import EPGCalendar
package import EPGModel
package import HTTPTypes
package import Hummingbird

/// The conditions of a request (RFC 9110, 13).
package struct Preconditions: Sendable {
    /// The result of the evaluation in the order of section 13.2.2.
    package enum Outcome: Hashable, Sendable {
        case proceed
        /// Respond with status 304 (Not Modified).
        case notModified
        /// Respond with status 412 (Precondition Failed).
        case failed
    }

    private let headers: HTTPFields

    /// - Parameter headers: The headers of the request.
    package init(_ headers: HTTPFields) {
        self.headers = headers
    }

    /// Whether the request has any condition.
    var isEmpty: Bool {
        headers[.ifNoneMatch] == nil && headers[.ifMatch] == nil && headers[.ifModifiedSince] == nil
            && headers[.ifUnmodifiedSince] == nil
    }

    /// - Parameters:
    ///   - tag: The tag of the response; `nil` for an uncacheable response, which only `If-Match: *` matches.
    ///   - lastModified: The modification time; `nil` if unknown.
    package func outcome(for tag: EntityTag?, lastModified: Instant?) -> Outcome {
        if let condition = headers[.ifMatch] {
            guard tag?.isNamedStrongly(in: condition) ?? (condition.filter { $0 != " " } == "*") else { return .failed }
        } else if let date = headers[.ifUnmodifiedSince].flatMap(Instant.init(httpDate:)), let lastModified {
            guard lastModified <= date else { return .failed }
        }
        if let condition = headers[.ifNoneMatch] {
            return tag?.isNamed(in: condition) == true ? .notModified : .proceed
        }
        if let date = headers[.ifModifiedSince].flatMap(Instant.init(httpDate:)), let lastModified,
            lastModified <= date
        {
            return .notModified
        }
        return .proceed
    }

    /// Returns the requested range of bytes.
    ///
    /// A date in `If-Range` never matches, because a guide may change twice per second and clients must not combine parts of
    /// different versions.
    package func range(of count: Int, with tag: EntityTag) -> ByteRange {
        if let condition = headers[.ifRange], !tag.isNamedStrongly(in: condition) { return .whole }
        return ByteRange(headers[.range], of: count)
    }
}

/// A requested range of bytes (`Range`, RFC 9110, 14.2).
package enum ByteRange: Hashable, Sendable {
    /// All bytes: no range, or one that a server may ignore, such as multiple ranges.
    case whole
    case part(Range<Int>)
    /// No byte is in the range.
    case unsatisfiable

    /// - Parameters:
    ///   - header: The header `Range`; `nil` if it is missing.
    ///   - count: The number of bytes of the whole.
    package init(_ header: String?, of count: Int) {
        guard let match = header?.wholeMatch(of: /(?i:bytes)=[ \t]*([0-9]*)[ \t]*-[ \t]*([0-9]*)[ \t]*/) else {
            self = .whole
            return
        }
        let (first, last) = (ByteRange.number(match.1), ByteRange.number(match.2))
        switch (first, last) {
        case (nil, nil): self = .whole
        case (nil, let length?):
            self = length > 0 && count > 0 ? .part(max(0, count - length)..<count) : .unsatisfiable
        case (let first?, let last?) where last < first: self = .whole
        case (let first?, _): self = first < count ? .part(first..<min(last ?? .max, count - 1) + 1) : .unsatisfiable
        }
    }

    /// Parses digits, saturating at `Int.max`; `nil` without digits.
    private static func number(_ digits: Substring) -> Int? { digits.isEmpty ? nil : Int(digits) ?? .max }
}

/// A middleware that responds to conditional requests with 304 or 412 if appropriate (RFC 9110, 13).
package struct ConditionalMiddleware: RouterMiddleware {
    /// The headers of the response 304 (RFC 9110, 15.4.5).
    package let headersWithoutContent: [HTTPField.Name]

    /// - Parameter name: A header that names the state of the content.
    package init(naming name: HTTPField.Name) {
        headersWithoutContent = [.cacheControl, .vary, .eTag, .lastModified, name]
    }

    package func handle(
        _ request: Request, context: ServiceRequestContext,
        next: (Request, ServiceRequestContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        let preconditions = Preconditions(request.headers)
        guard response.status == .ok, request.method == .get || request.method == .head, !preconditions.isEmpty else {
            return response
        }
        let outcome = preconditions.outcome(
            for: response.headers[.eTag].map(EntityTag.init(value:)),
            lastModified: response.headers[.lastModified].flatMap(Instant.init(httpDate:)))
        switch outcome {
        case .proceed: return response
        case .failed: throw Problem.preconditionFailed
        case .notModified:
            var headers = HTTPFields()
            for name in headersWithoutContent { headers[name] = response.headers[name] }
            return Response(status: .notModified, headers: headers)
        }
    }
}
