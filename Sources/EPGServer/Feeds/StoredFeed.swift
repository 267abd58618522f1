import EPGModel

/// A feed that was written, plain and packed.
struct StoredFeed: Sendable {
    /// The version of the guide that it was written from.
    let version: GuideVersion
    let plain: SpoolFile
    /// The same with gzip; `nil` where this machine has no zlib.
    let packed: SpoolFile?

    /// In bytes of both.
    var size: Int { plain.count + (packed?.count ?? 0) }
}
