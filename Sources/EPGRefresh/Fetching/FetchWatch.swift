/// Who looks on while a guide is fetched: hears how far it is, and may end it.
package struct FetchWatch: Sendable {
    /// Hears of each step; it is called often, from the thread that fetches.
    package var progress: @Sendable (FetchProgress) -> Void
    /// Whether the fetch is to end; it is asked about once a second at least, and then ends with
    /// ``FetchError/Reason/cancelled``.
    package var isCancelled: @Sendable () -> Bool

    package init(
        progress: @escaping @Sendable (FetchProgress) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.progress = progress
        self.isCancelled = isCancelled
    }

    /// Nobody.
    package static let none = FetchWatch()
}

/// How far a fetch is.
package struct FetchProgress: Hashable, Sendable {
    /// Bytes that arrived, before they are unpacked.
    package let byteCount: Int64
    /// Bytes that will arrive; `nil` where nobody says it.
    package let total: Int64?

    package init(byteCount: Int64, total: Int64?) {
        self.byteCount = byteCount
        self.total = total
    }
}
