import EPGModel
import EPGSearch
import Foundation
import GRDB
import StoreConformance
import TestSupport
import Testing

/// Tests of a search index of a guide on a server, which may be behind or may have lost its last changes.
@Suite struct LocalSearchTests {
    /// Programmes with one word each, numbered from 1.
    private struct Texts: SearchTexts {
        let words: [String]
        let state: GuideState

        init(_ words: [String], generation: Int64) {
            self.words = words
            state = GuideState(
                contentKey: ContentHash(high: 1, low: 2), generation: generation, nextAiring: 1,
                nextProgramme: Int64(words.count) + 1, nextTransmission: 1)
        }

        func programmeCount() -> Int { words.count }

        func programmeCount(above number: Int64) -> Int64 { Int64(words.count) - number }

        func visitProgrammes(
            above number: Int64,
            _ body: (Int64, UnsafeRawBufferPointer?, UnsafeRawBufferPointer?, UnsafeRawBufferPointer?) throws -> Void
        ) throws {
            for (index, word) in words.enumerated() where index >= number {
                try Array(word.utf8).withUnsafeBytes { try body(Int64(index) + 1, $0, nil, nil) }
            }
        }
    }

    private let folder: TemporaryFolder
    private var path: String { folder.path(of: "search") }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns the index for a guide whose log has versions, the last of which is current.
    private func index(_ log: [(generation: Int64, nonce: Int64)]) -> LocalSearch {
        LocalSearch(at: path) { version in
            let generation = version.generation.rawValue
            if log.contains(where: { $0 == (generation, version.nonce) }) { return .past }
            return generation > log[log.count - 1].generation ? .future : .lost
        }
    }

    private func refresh(_ words: [String], _ log: [(generation: Int64, nonce: Int64)]) throws {
        let current = log[log.count - 1]
        try index(log).refresh(
            from: Texts(words, generation: current.generation),
            at: GuideVersion(generation: Generation(current.generation), nonce: current.nonce, since: nil),
            waiting: .always)
    }

    /// The numbers of the programmes that have a word.
    private func programmes(_ word: String) throws -> [Int64] {
        try DatabaseQueue(path: path).read {
            try Int64.fetchAll($0, sql: "SELECT rowid FROM text WHERE text MATCH ? ORDER BY rowid", arguments: [word])
        }
    }

    @Test func newProgrammesAreAdded() throws {
        try refresh(["one"], [(1, 10)])
        try refresh(["one", "two"], [(1, 10), (2, 20)])
        try expectEqual(programmes("one"), [1])
        try expectEqual(programmes("two"), [2])
        try expectEqual(index([(1, 10), (2, 20)]).isCurrent(for: Texts(["one", "two"], generation: 2).state), true)
    }

    /// A failover may lose a generation, whose numbers the next one uses again.
    @Test func lostGenerationIsIndexedAgain() throws {
        try refresh(["one", "lost"], [(1, 10), (2, 20)])
        let state = Texts(["one", "new"], generation: 2).state
        try expectEqual(index([(1, 10), (2, 21)]).isCurrent(for: state), false)
        try refresh(["one", "new"], [(1, 10), (2, 21)])
        try expectEqual(programmes("lost"), [])
        try expectEqual(programmes("new"), [2])
    }

    /// Whether an update was interrupted before or after its entries, the version says to which guide they belong.
    @Test func interruptedUpdateOfALostGenerationIsIndexedAgain() throws {
        try refresh(["one"], [(1, 10)])
        try refresh(["one", "lost"], [(1, 10), (2, 20)])
        try DatabaseQueue(path: path).write { try $0.execute(sql: "DELETE FROM version") }
        try refresh(["one", "new"], [(1, 10), (2, 21)])
        try expectEqual(programmes("lost"), [])
        try expectEqual(programmes("new"), [2])
    }

    /// A search that reads a standby uses the index that one of the primary has updated.
    @Test func laterIndexIsKeptForAStandbyThatIsBehind() throws {
        try refresh(["one", "two"], [(1, 10), (2, 20)])
        let behind = Texts(["one"], generation: 1)
        try expectEqual(index([(1, 10)]).isCurrent(for: behind.state), true)
        try refresh(["one"], [(1, 10)])
        try expectEqual(programmes("two"), [2])
        try expectEqual(index([(1, 10), (2, 20)]).isCurrent(for: Texts(["one", "two"], generation: 2).state), true)
    }
}
