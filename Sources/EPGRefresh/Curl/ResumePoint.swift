/// Where a transfer broke off that can be taken up again (RFC 9110, 13.1.5 and 14).
struct ResumePoint: Hashable {
    /// Where they came from, at the end of all redirects: a tag of another address says nothing of them.
    let address: WebAddress
    /// Bytes that are there.
    let offset: Int64
    /// The strong entity tag of the body that they are of.
    let entityTag: String
    /// Bytes of the whole body, where the server said it.
    let total: Int64?
    let lastModified: String?

    /// The point up to which the body of an answer came; `nil` where the rest can't be asked for alone.
    ///
    /// A weak tag may stand for other bytes of the same meaning, and the bytes of a compressed transfer are no longer
    /// those that the server counts.
    ///
    /// - Parameter earlier: The point that this answer began at.
    init?(after headers: ResponseHeaders, from address: WebAddress, offset: Int64, earlier: ResumePoint?) {
        guard offset > 0, let tag = headers.entityTag, tag.hasPrefix("\""), tag.count > 1, tag.hasSuffix("\""),
            !headers.isCoded, headers.status == 206 || headers.acceptsRanges
        else { return nil }
        self.address = address
        self.offset = offset
        entityTag = tag
        total = headers.status == 206 ? headers.contentRange?.total : headers.contentLength
        lastModified = headers.lastModified ?? (headers.status == 206 ? earlier?.lastModified : nil)
        if let total, offset >= total { return nil }
    }

    /// The fields that ask for the rest.
    var fields: [String] { ["Range: bytes=\(offset)-", "If-Range: \(entityTag)"] }

    /// Whether an answer brings that rest, of the same body, to its end.
    func isContinued(by headers: ResponseHeaders) -> Bool {
        guard headers.status == 206, !headers.isCoded, headers.entityTag == entityTag,
            let range = headers.contentRange, range.first == offset
        else { return false }
        if let total, let other = range.total, total != other { return false }
        // Without the length of the whole, nothing tells that this rest is all of it.
        guard let whole = range.total ?? total else { return false }
        return range.last == whole - 1
    }
}
