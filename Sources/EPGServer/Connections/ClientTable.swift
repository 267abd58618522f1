import NIOCore
import Synchronization

/// Counts the connections of each client, limits its requests, and counts refusals.
final class ClientTable: Sendable {
    /// A connection that is counted until ``leave(_:)``.
    struct Admission: Sendable {
        let client: ForwardedClient
        /// Why the connection gets an error response; `nil` for one within the limits.
        let refusal: Refusal?
    }

    /// Open connections, connections and refusals since the start of the service, and clients with a request rate.
    struct Counts: Hashable, Sendable {
        var connections = 0, accepted = 0, refused = 0, clients = 0
        var refusals: [Refusal: Int] = [:]
    }

    private struct State {
        var counts = Counts()
        var connections = ClientCounts()
        /// Open connections that get an error response.
        var refusals = 0
        var rates: [ClientAddress: RequestRate] = [:]
    }

    /// Maximum number of open connections that get an error response. Further ones are closed without one.
    static let maximumRefusals = 64
    private static let maximumRates = 65_536

    private let limits: ConnectionLimits
    private let proxies: Set<ClientAddress>
    private let state = Mutex(State())

    /// - Parameter proxies: Trusted proxies, which name their clients in `X-Forwarded-For`.
    init(limits: ConnectionLimits, proxies: Set<ClientAddress>) {
        (self.limits, self.proxies) = (limits, proxies)
    }

    var counts: Counts { state.withLock { $0.counts } }

    /// Counts a new connection; `nil` for one that is not counted, and is to be closed without a response.
    func admit(_ address: ClientAddress) -> Admission? {
        let client = client(of: address, forwardedFor: nil)
        return state.withLock { state in
            let isGreedy = state.connections.count(of: client.limitedAddress) >= limits.connectionsPerAddress
            if isGreedy || state.counts.connections >= limits.connections {
                state.counts.refused += 1
                guard state.refusals < ClientTable.maximumRefusals else { return nil }
                state.refusals += 1
                return Admission(client: client, refusal: isGreedy ? .connectionsOfAddress : .connections)
            }
            state.counts.accepted += 1
            state.connections.add(client.limitedAddress)
            state.counts.connections = state.connections.total
            return Admission(client: client, refusal: nil)
        }
    }

    /// Counts the end of a connection.
    func leave(_ admission: Admission) {
        state.withLock { state in
            guard admission.refusal == nil else { return state.refusals -= 1 }
            state.connections.remove(admission.client.limitedAddress)
            state.counts.connections = state.connections.total
        }
    }

    /// Counts a request or a connection that is refused.
    func count(_ refusal: Refusal) { state.withLock { $0.counts.refusals[refusal, default: 0] += 1 } }

    /// Counts a request; if the rate of the client does not allow it, returns the seconds until it does, rounded up.
    ///
    /// - Parameter client: `nil` for one that is not limited.
    func takeRequest(of client: ClientAddress?) -> Int? {
        guard let client else { return nil }
        let now = Int64(truncatingIfNeeded: NIODeadline.now().uptimeNanoseconds)
        return state.withLock { state in
            defer { state.counts.clients = state.rates.count }
            if state.rates.count >= ClientTable.maximumRates {
                state.rates = state.rates.filter { !$1.isFull(at: now) }
                // A limit per address is no protection from that many addresses.
                if state.rates.count > ClientTable.maximumRates / 2 { state.rates = [:] }
            }
            return state.rates[client, default: RequestRate(requestsPerMinute: limits.requestsPerMinute)].take(at: now)
        }.map { Int(($0 + 999_999_999) / 1_000_000_000) }
    }

    /// The client of a request.
    ///
    /// - Parameters:
    ///   - address: The address of the connection.
    ///   - header: The header `X-Forwarded-For`, of whose addresses a trusted proxy itself has seen the last one.
    func client(of address: ClientAddress, forwardedFor header: String?) -> ForwardedClient {
        var client = address
        if proxies.contains(address), let last = header?.split(separator: ",").last {
            client = ClientAddress(parsing: last) ?? address
        }
        let isLimited = client != .local && !proxies.contains(client)
        return ForwardedClient(address: client, limitedAddress: isLimited ? client.counted : nil)
    }
}

/// Counts something per client.
struct ClientCounts: Sendable {
    /// The count of all clients, including those without a limit.
    private(set) var total = 0
    private var counts: [ClientAddress: Int] = [:]

    /// The count of a client; 0 for `nil`, a client without a limit.
    func count(of client: ClientAddress?) -> Int { client.flatMap { counts[$0] } ?? 0 }

    mutating func add(_ client: ClientAddress?) {
        total += 1
        if let client { counts[client, default: 0] += 1 }
    }

    mutating func remove(_ client: ClientAddress?) {
        total -= 1
        guard let client, let count = counts[client] else { return }
        counts[client] = count > 1 ? count - 1 : nil
    }
}

/// Limits requests to a number per minute, of which a sixth may arrive at once: a token bucket.
struct RequestRate: Sendable {
    /// Nanoseconds per request; 0 for no limit.
    private let cost: Int64
    /// Nanoseconds that requests may be ahead of the rate.
    private let depth: Int64
    private var timeOfFull = Int64.min

    /// - Parameter requestsPerMinute: 0 for no limit.
    init(requestsPerMinute: Int) {
        cost = requestsPerMinute > 0 ? max(1, 60_000_000_000 / Int64(requestsPerMinute)) : 0
        depth = cost * Int64(max(1, requestsPerMinute / 6))
    }

    /// Counts a request at a time in nanoseconds; if the rate does not allow it, returns the nanoseconds until it does.
    mutating func take(at now: Int64) -> Int64? {
        let next = max(timeOfFull, now) + cost
        if cost > 0, next - now > depth { return next - now - depth }
        timeOfFull = next
        return nil
    }

    func isFull(at now: Int64) -> Bool { timeOfFull <= now }
}
