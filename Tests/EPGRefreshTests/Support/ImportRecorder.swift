import EPGModel
import EPGRefresh
import Synchronization

/// Stands for the import: keeps what it was given, and saves the state as a store does on commit.
final class ImportRecorder: Sendable {
    struct Call: Sendable {
        var source: Source
        var text: String
        var minimumShare: Int?
    }

    private let store: MemoryStore
    private let recorded = Mutex<[Call]>([])
    /// What a safeguard says to every guide.
    let refusal = Mutex<RefusedImport?>(nil)

    init(store: MemoryStore) {
        self.store = store
    }

    var calls: [Call] { recorded.withLock { $0 } }
    var texts: [String] { calls.map(\.text) }

    /// Takes every guide that begins with `<tv`, and refuses the others.
    func importGuide(_ guide: FetchedGuide) throws -> ImportOutcome {
        let text = try TestFolder.contents(of: guide.path)
        recorded.withLock {
            $0.append(Call(source: guide.source, text: text, minimumShare: guide.minimumShare))
        }
        if let refusal = refusal.withLock({ $0 }), guide.minimumShare != nil { throw refusal }
        guard text.hasPrefix("<tv") else { throw MemoryStore.Broken(description: "that is no guide") }
        try store.saveState(guide.state, ofSource: guide.source.name)
        return .changing
    }
}

extension ImportOutcome {
    /// An import that changed the guide.
    static let changing = ImportOutcome(
        report: ImportReport(), importID: 7, generation: Generation(3), changedGuide: true)
}
