import EPGModel
import Synchronization

@testable import EPGRefresh

/// A clock that advances by each wait without waiting.
final class RecordedWaits: Sendable {
    private let recorded = Mutex<[Duration]>([])

    /// The waits, in order.
    var waits: [Duration] { recorded.withLock { $0 } }

    /// The clock. Its random number is 0.
    var clock: FetchClock {
        var clock = FetchClock.system
        clock.uptime = { [self] in FetchClock.system.uptime() + waits.reduce(.zero, +) }
        clock.now = { Instant(secondsSince1970: 1_774_753_200) }
        clock.wait = { [self] duration, _ in recorded.withLock { $0.append(duration) } }
        clock.random = { 0 }
        return clock
    }
}

extension CurlFetcher {
    /// Returns a fetcher without waits and proxies. 127.0.0.2 represents a public address.
    static func test(
        limits: FetchLimits = FetchLimits(), attempts: Int = 1, waits: RecordedWaits = RecordedWaits()
    ) -> CurlFetcher {
        var fetcher = CurlFetcher(userAgent: "swift-epg/test", limits: limits)
        fetcher.retries.attempts = attempts
        fetcher.clock = waits.clock
        fetcher.proxy = EnvironmentProxy { _ in nil }
        fetcher.classify = { $0 == IPAddress("127.0.0.2") ? .global : AddressKind($0) }
        return fetcher
    }

    /// Fetches a URL and returns the text of the body. Throws an error if the fetch returns no body.
    func text(_ url: String, headers: [HeaderField] = [], allowsPrivateAddresses: Bool = false) throws -> String {
        let request = FetchRequest(
            location: .url(url), headers: headers, allowsPrivateAddresses: allowsPrivateAddresses)
        guard case .body(let body) = try fetch(request) else {
            throw MemoryStore.Failure(description: "Expected a body")
        }
        var hasher = BodyHasher()
        let text = try TestFolder.contents(of: body.path)
        Array(text.utf8).withUnsafeBytes { hasher.append($0) }
        guard body.hash == hasher.finish(), body.byteCount == text.utf8.count else {
            throw MemoryStore.Failure(description: "The hash or the size does not match the body")
        }
        return text
    }

    /// Fetches a URL and returns the error. Throws an error if the fetch succeeds.
    func error(_ url: String, allowsPrivateAddresses: Bool = false) throws -> FetchError {
        do throws(FetchError) {
            _ = try fetch(
                FetchRequest(location: .url(url), allowsPrivateAddresses: allowsPrivateAddresses))
        } catch {
            return error
        }
        throw MemoryStore.Failure(description: "The fetch did not fail")
    }
}
