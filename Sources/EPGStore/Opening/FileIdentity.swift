import Glibc

/// Which file stands at a path: another one, renamed to it, has another identity.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let file: UInt64

    /// `nil` where there is none.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        file = UInt64(status.st_ino)
    }
}

/// When the files of a guide were last written to, by whomever: of the guide itself and of its search index.
///
/// It goes by the time of the last change of the inode, which nobody can set back.
struct GuideStamp: Hashable {
    private let guide: Stamp
    private let searchIndex: Stamp?

    private struct Stamp: Hashable {
        let identity: FileIdentity
        let seconds: Int
        let nanoseconds: Int

        init?(path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            identity = FileIdentity(status)
            seconds = status.st_ctim.tv_sec
            nanoseconds = status.st_ctim.tv_nsec
        }
    }

    /// `nil` where there is no guide.
    init?(path: String) {
        guard let guide = Stamp(path: path) else { return nil }
        self.guide = guide
        searchIndex = Stamp(path: SearchIndex.path(ofGuide: path))
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
