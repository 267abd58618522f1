/// How much of something each address takes.
struct AskerCounts: Sendable {
    /// Of all, those too who aren't limited.
    private(set) var total = 0
    private var counts: [PeerAddress: Int] = [:]

    /// What one address takes; 0 for who isn't limited.
    func count(of asker: PeerAddress?) -> Int { asker.flatMap { counts[$0] } ?? 0 }

    mutating func add(_ asker: PeerAddress?) {
        total += 1
        if let asker { counts[asker, default: 0] += 1 }
    }

    /// Takes back what was added.
    mutating func remove(_ asker: PeerAddress?) {
        total -= 1
        guard let asker, let count = counts[asker] else { return }
        counts[asker] = count > 1 ? count - 1 : nil
    }
}
