package import NIOCore
import Synchronization

/// A table of clients, which counts connections and refusals, and limits requests.
package final class ClientTable: Sendable {
    /// A connection that is counted until ``release(_:)``.
    package struct Admission: Sendable {
        /// The client of the connection.
        package let client: ForwardedClient
        /// The reason for an error response; `nil` within the limits.
        let refusal: Refusal?
    }

    /// Open connections, connections and refusals since the start of the service, and clients with a request rate.
    package struct Counts: Hashable, Sendable {
        /// Open connections; all connections, and all that were refused; clients with a rate.
        package var connections = 0, accepted = 0, refused = 0, clients = 0
        /// Error responses by reason.
        package var refusals: [Refusal: Int] = [:]
    }

    private struct State {
        var counts = Counts()
        var connections = ClientCounts()
        /// Open connections that get an error response.
        var refusals = 0
        var rates: [ClientAddress: TokenBucket] = [:]
    }

    /// Maximum number of open connections that get an error response. Further ones are closed without one.
    package static let maximumRefusals = 64
    private static let maximumRates = 65_536

    private let limits: ConnectionLimits
    private let proxies: Set<ClientAddress>
    private let state = Mutex(State())

    /// - Parameter proxies: Trusted proxies, whose `X-Forwarded-For` is used.
    package init(limits: ConnectionLimits, proxies: Set<ClientAddress>) {
        self.limits = limits
        self.proxies = proxies
    }

    /// The current counts.
    package var counts: Counts { state.withLock { $0.counts } }

    /// Counts a new connection; returns `nil` if it must be closed without a response.
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
    func release(_ admission: Admission) {
        state.withLock { state in
            guard admission.refusal == nil else {
                state.refusals -= 1
                return
            }
            state.connections.remove(admission.client.limitedAddress)
            state.counts.connections = state.connections.total
        }
    }

    /// Counts a request or a connection that is refused.
    package func count(_ refusal: Refusal) { state.withLock { $0.counts.refusals[refusal, default: 0] += 1 } }

    /// Counts a request; if it exceeds the client's rate, returns the seconds to wait, rounded up.
    ///
    /// - Parameter client: The client; `nil` for an unlimited one.
    func retryDelay(forRequestOf client: ClientAddress?) -> Int? {
        guard let client else { return nil }
        let now = Int64(truncatingIfNeeded: NIODeadline.now().uptimeNanoseconds)
        return state.withLock { state in
            defer { state.counts.clients = state.rates.count }
            if state.rates.count >= ClientTable.maximumRates {
                state.rates = state.rates.filter { !$1.isFull(at: now) }
                // A limit per address cannot protect against so many addresses.
                if state.rates.count > ClientTable.maximumRates / 2 { state.rates = [:] }
            }
            return state.rates[client, default: TokenBucket(requestsPerMinute: limits.requestsPerMinute)].consume(
                at: now)
        }.map { Int(($0 + 999_999_999) / 1_000_000_000) }
    }

    /// Returns the client of a request: the last address that does not belong to a trusted proxy.
    ///
    /// - Parameters:
    ///   - address: The address of the connection.
    ///   - header: The header `X-Forwarded-For`, to which each proxy appends the address that connected to it.
    package func client(of address: ClientAddress, forwardedFor header: String?) -> ForwardedClient {
        var client = address
        var hops = (header ?? "").split(separator: ",")
        while proxies.contains(client), let text = hops.popLast() {
            guard let hop = ClientAddress(parsing: text) else {
                // All clients whose addresses the proxy does not report share the limits of one.
                return ForwardedClient(address: client, limitedAddress: client.counted)
            }
            client = hop
        }
        let isLimited = client != .local && !proxies.contains(client)
        return ForwardedClient(address: client, limitedAddress: isLimited ? client.counted : nil)
    }
}

/// Counts per client.
package struct ClientCounts: Sendable {
    /// The count of all clients, including those without a limit.
    package private(set) var total = 0
    private var counts: [ClientAddress: Int] = [:]

    /// Creates counts of 0.
    package init() {}

    /// The count of a client; 0 for `nil`, a client without a limit.
    package func count(of client: ClientAddress?) -> Int { client.flatMap { counts[$0] } ?? 0 }

    /// Counts a client.
    package mutating func add(_ client: ClientAddress?) {
        total += 1
        if let client { counts[client, default: 0] += 1 }
    }

    /// Counts the end of a client.
    package mutating func remove(_ client: ClientAddress?) {
        total -= 1
        guard let client, let count = counts[client] else { return }
        counts[client] = count > 1 ? count - 1 : nil
    }
}

/// A token bucket.
package struct TokenBucket: Sendable {
    /// Nanoseconds per request; 0 for no limit.
    private let cost: Int64
    /// The burst in nanoseconds.
    private let depth: Int64
    private var fullTime = Int64.min

    /// Creates a bucket that allows bursts of a sixth of the limit.
    ///
    /// - Parameter requestsPerMinute: 0 for no limit.
    init(requestsPerMinute: Int) {
        cost = requestsPerMinute > 0 ? max(1, 60_000_000_000 / Int64(requestsPerMinute)) : 0
        depth = cost * Int64(max(1, requestsPerMinute / 6))
    }

    /// Creates a bucket.
    ///
    /// - Parameters:
    ///   - seconds: The seconds per request, at least 1.
    ///   - burst: The requests that are allowed at once.
    package init(seconds: Int64, burst: Int64) {
        cost = seconds * 1_000_000_000
        depth = cost * burst
    }

    /// Counts a request at a time in nanoseconds; if it exceeds the rate, returns the nanoseconds to wait.
    package mutating func consume(at now: Int64) -> Int64? {
        let next = max(fullTime, now) + cost
        if cost > 0, next - now > depth { return next - now - depth }
        fullTime = next
        return nil
    }

    /// Returns whether the next requests may be a whole burst.
    package func isFull(at now: Int64) -> Bool { fullTime <= now }
}

/// The client of a connection for request handlers.
package final class ClientConnection: Sendable {
    /// The connection of the request that the current task handles.
    @TaskLocal static var current: ClientConnection?

    /// Notifies of the end of the connection.
    package let disconnectSignal = DisconnectSignal()
    private let state: Mutex<ForwardedClient>

    /// Creates a connection whose first request has this client.
    package init(_ client: ForwardedClient) { state = Mutex(client) }

    /// The client of the current request. On a proxy's connection it can change with each request.
    package var client: ForwardedClient {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// A client, directly connected or behind a trusted proxy.
package struct ForwardedClient: Hashable, Sendable {
    /// The address for logs: the connection's address, or for a trusted proxy the address that the proxy reports.
    package let address: ClientAddress
    /// The address for limits; `nil` for an unlimited client: one on a Unix socket, or a trusted proxy that reports no
    /// client.
    package let limitedAddress: ClientAddress?
}

/// A notification that the client of a connection has disconnected.
///
/// A client that closes its side counts as disconnected, as in Go's `net/http` and nginx: TCP cannot tell a half-closed
/// connection from a closed one.
package final class DisconnectSignal: Sendable {
    private let state = Mutex<(isDisconnected: Bool, action: (@Sendable () -> Void)?)>((false, nil))

    /// Records the disconnection and runs the action, if any.
    func signal() {
        let action = state.withLock { state in
            state.isDisconnected = true
            return state.action.take()
        }
        action?()
    }

    /// Runs an action when the client disconnects during `body`, or immediately if it already has.
    ///
    /// - Precondition: No other call is active.
    func withDisconnectHandler<Outcome: Sendable>(
        _ action: @escaping @Sendable () -> Void, during body: () async throws -> Outcome
    ) async throws -> Outcome {
        let isDisconnected = state.withLock { state in
            if !state.isDisconnected { state.action = action }
            return state.isDisconnected
        }
        if isDisconnected { action() }
        defer { state.withLock { $0.action = nil } }
        return try await body()
    }
}

/// The address of a client.
package enum ClientAddress: Hashable, Sendable, CustomStringConvertible {
    /// An IPv4 address, the first byte in the highest bits.
    case four(UInt32)
    /// An IPv6 address: the first and the last 8 bytes.
    case six(network: UInt64, interface: UInt64)
    /// A client on this machine, connected through a Unix socket.
    case local

    /// The address of a socket. An IPv4 address mapped to IPv6 (`::ffff:192.0.2.1`) becomes IPv4.
    package init(_ address: SocketAddress?) {
        switch address {
        // The offsets come from ip(7) and ipv6(7).
        case .v4(let four):
            let bits = unsafe withUnsafeBytes(of: four.address) { unsafe $0.load(fromByteOffset: 4, as: UInt32.self) }
            self = .four(UInt32(bigEndian: bits))
        case .v6(let six):
            let halves = unsafe withUnsafeBytes(of: six.address) { bytes in
                [8, 16].map { unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)) }
            }
            let isMapped = halves[0] == 0 && halves[1] >> 32 == 0xFFFF
            self = isMapped ? .four(UInt32(halves[1] & 0xFFFF_FFFF)) : .six(network: halves[0], interface: halves[1])
        case .unixDomainSocket, nil: self = .local
        }
    }

    /// Parses `192.0.2.1`, `2001:db8::1` or `[2001:db8::1]`, with or without a port, and `unix` for a Unix socket.
    package init?(parsing text: Substring) {
        let words = text.split { $0 == " " || $0 == "\t" }
        guard words.count == 1, var text = words.first, text.utf8.count <= 64 else { return nil }
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            text = text[..<end].dropFirst()
        } else if let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") {
            text = text[..<colon]
        }
        // NIO looks up the interface that follows a percent sign.
        let address = text.contains("%") ? nil : try? SocketAddress(ipAddress: String(text), port: 0)
        guard address != nil || words[0] == "unix" else { return nil }
        self.init(address)
    }

    /// The address for limits; for IPv6 the /64 network, because each customer usually has one.
    var counted: ClientAddress {
        if case .six(let network, _) = self { .six(network: network, interface: 0) } else { self }
    }

    package var description: String {
        switch self {
        case .four(let bits): [24, 16, 8, 0].map { String(bits >> $0 & 0xFF) }.joined(separator: ".")
        case .six(let network, let interface):
            [network, interface].flatMap { half in [48, 32, 16, 0].map { String(half >> $0 & 0xFFFF, radix: 16) } }
                .joined(separator: ":")
        case .local: "unix"
        }
    }
}
