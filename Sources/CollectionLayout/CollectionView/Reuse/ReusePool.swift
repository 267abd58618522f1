/// Views that left and wait to be handed out again, by registration.
struct ReusePool {
    /// The greatest number of waiting views; any more are let go (chosen).
    static let limit = 1024

    /// How many wait.
    private(set) var count = 0
    private var waiting: [ReuseIdentity: [any ReusableView]] = [:]

    /// Takes a view in.
    mutating func put(_ view: any ReusableView, _ identity: ReuseIdentity) {
        guard count < Self.limit else { return }
        waiting[identity, default: []].append(view)
        count += 1
    }

    /// The view that came in last of those of a registration.
    mutating func take(_ identity: ReuseIdentity) -> (any ReusableView)? {
        guard let view = waiting[identity]?.popLast() else { return nil }
        count -= 1
        if waiting[identity]?.isEmpty == true { waiting[identity] = nil }
        return view
    }
}
