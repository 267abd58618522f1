import EPGModel
import Synchronization

@testable import EPGRefresh

/// A clock on which every wait is over at once, and counts as if it had been waited for.
final class RecordedWaits: Sendable {
    private let recorded = Mutex<[Duration]>([])

    /// What was waited for, in turn.
    var waits: [Duration] { recorded.withLock { $0 } }

    /// The clock; it draws the lowest number.
    var clock: FetchClock {
        var clock = FetchClock.system
        clock.uptime = { [self] in FetchClock.system.uptime() + waits.reduce(.zero, +) }
        clock.now = { Instant(secondsSince1970: 1_774_753_200) }
        clock.wait = { [self] duration, _ in recorded.withLock { $0.append(duration) } }
        clock.random = { 0 }
        return clock
    }
}

extension CurlSettings {
    /// Settings that wait for nothing and know no proxy; 127.0.0.2 stands for an address of the Internet.
    static func test(
        limits: FetchLimits = FetchLimits(), attempts: Int = 1, waits: RecordedWaits = RecordedWaits()
    ) -> CurlSettings {
        var settings = CurlSettings(userAgent: "swift-epg/test", limits: limits)
        settings.retries.attempts = attempts
        settings.clock = waits.clock
        settings.proxy = EnvironmentProxy { _ in nil }
        settings.kind = { $0 == IPAddress("127.0.0.2") ? .global : AddressKind($0) }
        return settings
    }
}

extension CurlFetcher {
    /// The text of a body, which must come.
    func text(_ address: String, headers: [HeaderField] = [], allowsPrivateAddresses: Bool = false) throws -> String {
        let request = FetchRequest(
            location: .address(address), headers: headers, allowsPrivateAddresses: allowsPrivateAddresses)
        guard case .body(let body) = try fetch(request) else { throw MemoryStore.Broken(description: "no body") }
        var hasher = BodyHasher()
        let text = try TestFolder.contents(of: body.path)
        Array(text.utf8).withUnsafeBytes { hasher.append($0) }
        guard body.hash == hasher.finish(), body.byteCount == text.utf8.count else {
            throw MemoryStore.Broken(description: "hash or count are those of another body")
        }
        return text
    }

    /// The failure of a fetch, which must fail.
    func error(_ address: String, allowsPrivateAddresses: Bool = false) throws -> FetchError {
        do throws(FetchError) {
            _ = try fetch(
                FetchRequest(location: .address(address), allowsPrivateAddresses: allowsPrivateAddresses))
        } catch {
            return error
        }
        throw MemoryStore.Broken(description: "it was fetched")
    }
}
