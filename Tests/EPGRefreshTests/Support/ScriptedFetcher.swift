import EPGModel
import EPGRefresh
import Synchronization
import Testing

/// A fetcher that returns the results of a closure and records the requests.
final class ScriptedFetcher: Fetcher {
    typealias Handler = @Sendable (FetchRequest) throws(FetchError) -> FetchResult

    private let handler: Handler
    private let received = Mutex<[FetchRequest]>([])

    init(_ handler: @escaping Handler) {
        self.handler = handler
    }

    var requests: [FetchRequest] { received.withLock { $0 } }

    func fetch(_ request: FetchRequest, watch: FetchObserver) throws(FetchError) -> FetchResult {
        received.withLock { $0.append(request) }
        return try handler(request)
    }
}

/// A replacement for the import that records its arguments and saves the state as a store does on commit.
final class ImportRecorder: Sendable {
    struct Call: Sendable {
        var source: Source
        var text: String
        var minimumShare: Int?
    }

    private let store: MemoryStore
    private let recorded = Mutex<[Call]>([])
    /// The error with which every guide is rejected; `nil` to accept guides.
    let refusal = Mutex<RefusedImport?>(nil)

    init(store: MemoryStore) {
        self.store = store
    }

    var calls: [Call] { recorded.withLock { $0 } }
    var texts: [String] { calls.map(\.text) }

    /// Accepts guides that start with `<tv` and rejects others.
    func importGuide(_ guide: FetchedGuide) throws -> ImportOutcome {
        let text = try TestFolder.contents(of: guide.path)
        recorded.withLock {
            $0.append(Call(source: guide.source, text: text, minimumShare: guide.minimumShare))
        }
        if let refusal = refusal.withLock({ $0 }), guide.minimumShare != nil { throw refusal }
        guard text.hasPrefix("<tv") else { throw MemoryStore.Failure(description: "that is no guide") }
        try store.saveState(guide.state, ofSource: guide.source.name)
        return .changing
    }
}

extension ImportOutcome {
    /// The outcome of an import that changed the guide.
    static let changing = ImportOutcome(
        report: ImportReport(), importID: 7, generation: Generation(3), changedGuide: true)
}

/// Expects an operation to fail with a fetch error, which is returned.
func fetchError<Value>(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Value
) throws -> FetchError {
    try #require(throws: FetchError.self, sourceLocation: sourceLocation) { _ = try body() }
}
