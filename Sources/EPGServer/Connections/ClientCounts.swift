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
