package import EPGModel
import GRDB
import Synchronization

extension GuideStore: GuideWriting {
    package func beginImport(
        of source: Source, now: Instant, matcher: (any ChannelMatching)?, safeguard: ImportSafeguard?,
        limits: ImportLimits
    ) throws -> any ImportSession {
        try ImportTransaction(
            self, source: source, now: now, matcher: matcher, safeguard: safeguard, limits: limits)
    }

    package func refreshSearchIndex() throws {
        beginCheckpoint()
        lastFeed.withLock { $0 }?.waitUntilEnded()
        try StoreError.translating(path: SearchIndex.path(ofGuide: path)) {
            // A connection of its own, so that the guide's log is moved into the database at the same time.
            let guide = try Connections.reader(path: path, cacheKiB: 2 << 10)
            try searchIndex().refresh(from: guide)
            try guide.close()
        }
    }
}
