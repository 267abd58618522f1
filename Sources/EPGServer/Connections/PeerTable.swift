import NIOCore
import Synchronization

/// An address, and what it takes of the service.
final class Peer: Sendable {
    let address: PeerAddress
    let allowance: RequestAllowance
    /// Whether its requests come from others, whom it names.
    let isProxy: Bool
    fileprivate let connections = Atomic<Int>(0)

    fileprivate init(_ address: PeerAddress, isProxy: Bool, requestsPerMinute: Int) {
        self.address = address
        self.isProxy = isProxy
        allowance = RequestAllowance(requestsPerMinute: requestsPerMinute)
    }
}

/// Who is connected, and who asked lately.
final class PeerTable: Sendable {
    /// What becomes of a connection.
    enum Admission {
        case admitted(Peer)
        /// It is told that there are too many; the refusal says of what.
        case refused(Refusal)
        /// It is closed without a word, as too many are being told already.
        case dropped
    }

    /// What was counted since the start.
    struct Counts: Hashable, Sendable {
        var connections = 0
        var accepted = 0
        var refused = 0
        var peers = 0
    }

    private struct State {
        var peers: [PeerAddress: Peer] = [:]
        var counts = Counts()
        /// Connections that are being told that there are too many.
        var refusals = 0
    }

    /// Addresses that are remembered at most; above it, those that are new share one allowance.
    private static let greatestCount = 65_536
    static let greatestRefusalCount = 64

    private let limits: ConnectionLimits
    private let proxies: Set<PeerAddress>
    private let state = Mutex(State())
    private let crowd: Peer

    init(limits: ConnectionLimits, proxies: Set<PeerAddress>) {
        self.limits = limits
        self.proxies = proxies
        crowd = Peer(.four(0), isProxy: false, requestsPerMinute: limits.requestsPerMinute)
    }

    var counts: Counts {
        state.withLock { state in
            var counts = state.counts
            counts.peers = state.peers.count
            return counts
        }
    }

    /// Counts a new connection; ``leave(_:)`` or ``refusalEnded()`` is to be called when it ends.
    ///
    /// Connections of proxies and of Unix sockets count in all, but not by their address.
    func admit(_ address: PeerAddress) -> Admission {
        let isProxy = proxies.contains(address)
        return state.withLock { state in
            let peer = self.peer(address, isProxy: isProxy, in: &state)
            let isFull = state.counts.connections >= limits.connections
            let isGreedy =
                !isProxy && address != .local
                && peer.connections.load(ordering: .relaxed) >= limits.connectionsPerAddress
            guard !isFull, !isGreedy else {
                state.counts.refused += 1
                guard state.refusals < PeerTable.greatestRefusalCount else { return .dropped }
                state.refusals += 1
                return .refused(isGreedy ? .tooManyOfAddress : .tooManyConnections)
            }
            state.counts.connections += 1
            state.counts.accepted += 1
            peer.connections.add(1, ordering: .relaxed)
            return .admitted(peer)
        }
    }

    /// A connection that was admitted has ended.
    func leave(_ peer: Peer) {
        state.withLock { state in
            state.counts.connections -= 1
            peer.connections.subtract(1, ordering: .relaxed)
        }
    }

    /// A connection that was refused has ended.
    func refusalEnded() {
        state.withLock { $0.refusals -= 1 }
    }

    /// Who asks through a proxy: the last hop of `X-Forwarded-For`, which is what the proxy itself saw; the proxy where it
    /// names nobody.
    func peer(forwardedFor field: String?, by proxy: Peer) -> Peer {
        guard let field,
            let address = PeerAddress(parsing: field.split(separator: ",").last ?? ""), !proxies.contains(address)
        else { return proxy }
        return state.withLock { peer(address, isProxy: false, in: &$0) }
    }

    /// Whom limits count that aren't kept here: the peer, or the one for whom a proxy asks.
    ///
    /// - Returns: `nil` for who isn't limited: those on a Unix socket, and a proxy that names nobody.
    func asker(_ address: PeerAddress, forwardedFor field: String?) -> PeerAddress? {
        guard proxies.contains(address) else { return address == .local ? nil : address.counted }
        guard let field, let asker = PeerAddress(parsing: field.split(separator: ",").last ?? ""),
            asker != .local, !proxies.contains(asker)
        else { return nil }
        return asker.counted
    }

    /// The client that the log names: the peer, or the one that a trusted proxy names.
    func client(at address: PeerAddress, forwardedFor field: String?) -> PeerAddress {
        guard proxies.contains(address), let hop = field?.split(separator: ",").last else { return address }
        return PeerAddress(parsing: hop) ?? address
    }

    private func peer(_ address: PeerAddress, isProxy: Bool, in state: inout State) -> Peer {
        let key = address.counted
        if let peer = state.peers[key], peer.isProxy == isProxy { return peer }
        if state.peers.count >= PeerTable.greatestCount {
            let now = NIODeadline.now().nanoseconds
            state.peers = state.peers.filter { _, peer in
                peer.connections.load(ordering: .relaxed) > 0 || !peer.allowance.isFull(at: now)
            }
            if state.peers.count >= PeerTable.greatestCount { return crowd }
        }
        // Those on a Unix socket are whom the file's mode lets in; they aren't limited.
        let isLimited = !isProxy && address != .local
        let peer = Peer(address, isProxy: isProxy, requestsPerMinute: isLimited ? limits.requestsPerMinute : 0)
        state.peers[key] = peer
        return peer
    }
}

extension NIODeadline {
    /// Nanoseconds of the clock that never goes back.
    var nanoseconds: Int64 { Int64(truncatingIfNeeded: uptimeNanoseconds) }
}
