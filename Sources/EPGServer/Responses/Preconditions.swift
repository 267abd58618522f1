import EPGCalendar
import EPGModel
import HTTPTypes

/// The conditions of a request (RFC 9110, 13).
struct Preconditions: Sendable {
    /// What to do, in the order of section 13.2.2.
    enum Outcome: Hashable, Sendable {
        case proceed
        /// 304.
        case notModified
        /// 412.
        case failed
    }

    private let headers: HTTPFields

    /// - Parameter headers: Those of the request.
    init(_ headers: HTTPFields) {
        self.headers = headers
    }

    /// Whether the request has any condition.
    var isEmpty: Bool {
        headers[.ifNoneMatch] == nil && headers[.ifMatch] == nil && headers[.ifModifiedSince] == nil
            && headers[.ifUnmodifiedSince] == nil
    }

    /// - Parameters:
    ///   - tag: The tag of the response; `nil` for a response that nobody may keep, which no condition names but
    ///     `If-Match: *`.
    ///   - lastModified: When the response became what it is; `nil` if that is unknown.
    func outcome(for tag: EntityTag?, lastModified: Instant?) -> Outcome {
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

    /// Returns the range of bytes that the client wants.
    ///
    /// A date in `If-Range` never matches: a guide may change twice in a second, and parts of both versions would make a third.
    func range(of count: Int, with tag: EntityTag) -> ByteRange {
        if let condition = headers[.ifRange], !tag.isNamedStrongly(in: condition) { return .whole }
        return ByteRange(headers[.range], of: count)
    }
}

/// The bytes that a client wants (`Range`, RFC 9110, 14.2).
enum ByteRange: Hashable, Sendable {
    /// All bytes: there is no range, or one that a server may ignore, such as several at once.
    case whole
    case part(Range<Int>)
    /// No byte is in the range.
    case unsatisfiable

    /// - Parameters:
    ///   - header: The header `Range`; `nil` if it is missing.
    ///   - count: The number of bytes of the whole.
    init(_ header: String?, of count: Int) {
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

    /// Digits as a number, at most `Int.max`; `nil` for no digits.
    private static func number(_ digits: Substring) -> Int? { digits.isEmpty ? nil : Int(digits) ?? .max }
}
