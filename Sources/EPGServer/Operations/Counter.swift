import Synchronization

/// A number that many threads add to, without waiting for each other.
final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    func add(_ amount: Int) { number.add(amount, ordering: .relaxed) }

    var value: Int { number.load(ordering: .relaxed) }
}
