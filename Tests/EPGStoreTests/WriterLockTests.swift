import EPGModel
import EPGStore
import Foundation
import StoreConformance
import TestSupport
import Testing

/// The writer lock applies to the file regardless of its path.
@Suite struct WriterLockTests {
    /// SQLite creates its log next to the target of a link.
    @Test func writersThroughSymbolicLinkExcludeEachOther() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        try scratch.store.refreshSearchIndex()
        let links = [scratch.path + "-link", scratch.path + "-second"]
        try #require(symlink(URL(filePath: scratch.path).lastPathComponent, links[0]) == 0)
        try #require(symlink(links[0], links[1]) == 0)
        for link in links {
            #expect(throws: StoreError.busy(path: link)) { try GuideStore(writingTo: link) }
            try expectEqual(GuideStore(readingFrom: link).check().isSearchComplete, true)
        }
        try scratch.close()
        try GuideStore(writingTo: links[1]).close()
        let names = try FileManager.default.contentsOfDirectory(
            atPath: URL(filePath: scratch.path).deletingLastPathComponent().path)
        #expect(!names.contains { $0.hasSuffix("-link.lock") || $0.hasSuffix("-second.lock") }, "\(names)")
    }
}
