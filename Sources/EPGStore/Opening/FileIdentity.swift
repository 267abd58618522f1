import Glibc

/// Which file stands at a path: another one, renamed to it, has another identity.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let file: UInt64

    /// `nil` where there is none.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        file = UInt64(status.st_ino)
    }
}

/// Which files a guide is made of: the guide itself, and the index for searches, if there is one.
struct GuideIdentity: Hashable {
    private let guide: FileIdentity
    private let searchIndex: FileIdentity?

    /// `nil` where there is no guide.
    init?(path: String) {
        guard let guide = FileIdentity(path: path) else { return nil }
        self.guide = guide
        searchIndex = FileIdentity(path: SearchIndex.path(ofGuide: path))
    }
}
