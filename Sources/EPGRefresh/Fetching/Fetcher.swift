/// Brings the body of a guide, or tells that it is the same as last time.
package protocol Fetcher: Sendable {
    /// Fetches; blocks until the body is there or the attempt failed.
    func fetch(_ request: FetchRequest) throws(FetchError) -> FetchResult

    /// The same, while somebody looks on. By default nobody is told anything.
    func fetch(_ request: FetchRequest, watch: FetchWatch) throws(FetchError) -> FetchResult
}

extension Fetcher {
    package func fetch(_ request: FetchRequest, watch: FetchWatch) throws(FetchError) -> FetchResult {
        try fetch(request)
    }
}

/// What a fetch brought.
package enum FetchResult: Sendable {
    /// The server says that the body is the one that the request knows (RFC 9110, 15.4.5).
    case notModified
    case body(FetchedBody)
}

/// A body that lies in a file, until the last copy of this value is gone.
package struct FetchedBody: Sendable {
    /// The file to read; a temporary file ends with this value.
    package let path: String
    package let byteCount: Int64
    /// 32 hexadecimal digits that tell the same bytes from others; see ``BodyHasher``.
    package let hash: String
    package let entityTag: String?
    package let lastModified: String?
    /// Holds the temporary file; `nil` for a file that isn't ours.
    private let file: TemporaryFile?

    /// A body in a file that stands by itself.
    package init(
        path: String, byteCount: Int64, hash: String, entityTag: String? = nil, lastModified: String? = nil
    ) {
        self.path = path
        self.byteCount = byteCount
        self.hash = hash
        self.entityTag = entityTag
        self.lastModified = lastModified
        file = nil
    }

    /// A body in a temporary file, which this value keeps.
    init(file: TemporaryFile, byteCount: Int64, hash: String, entityTag: String?, lastModified: String?) {
        path = file.path
        self.byteCount = byteCount
        self.hash = hash
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.file = file
    }
}
