import EPGRefresh
import Synchronization

/// Answers from a table by location, and keeps the requests.
final class ScriptedFetcher: Fetcher {
    typealias Answer = @Sendable (FetchRequest) throws(FetchError) -> FetchResult

    private let answer: Answer
    private let received = Mutex<[FetchRequest]>([])

    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    var requests: [FetchRequest] { received.withLock { $0 } }

    func fetch(_ request: FetchRequest) throws(FetchError) -> FetchResult {
        received.withLock { $0.append(request) }
        return try answer(request)
    }
}
