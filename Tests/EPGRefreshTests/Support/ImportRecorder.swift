import EPGModel
import EPGRefresh
import Synchronization

/// Stands for the import: keeps what it was given, and saves the state as a store does on commit.
final class ImportRecorder: Sendable {
    struct Call: Sendable {
        var source: Source
        var text: String
    }

    private let store: MemoryStore
    private let recorded = Mutex<[Call]>([])

    init(store: MemoryStore) {
        self.store = store
    }

    var calls: [Call] { recorded.withLock { $0 } }
    var texts: [String] { calls.map(\.text) }

    /// Takes every guide that begins with `<tv`, and refuses the others.
    func importGuide(_ source: Source, path: String, state: SourceState) throws -> ImportOutcome {
        let text = try TestFolder.contents(of: path)
        recorded.withLock { $0.append(Call(source: source, text: text)) }
        guard text.hasPrefix("<tv") else { throw MemoryStore.Broken(description: "that is no guide") }
        try store.saveState(state, ofSource: source.name)
        return .changing
    }
}

extension ImportOutcome {
    /// An import that changed the guide.
    static let changing = ImportOutcome(
        report: ImportReport(), importID: 7, generation: Generation(3), changedGuide: true)
}
