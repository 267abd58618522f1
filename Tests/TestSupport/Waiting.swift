import Glibc

/// The time between two checks of a condition.
private let pause = Duration.milliseconds(5)

/// Waits until a condition holds; blocks the thread.
///
/// - Parameter limit: The time after which to give up. It is long because the machine may be busy with other tests.
/// - Returns: Whether the condition holds.
package func waitUntil(within limit: Duration = .seconds(60), _ condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now.advanced(by: limit)
    while ContinuousClock.now < end {
        if try condition() { return true }
        usleep(UInt32(pause / .microseconds(1)))
    }
    return try condition()
}

/// Waits until a condition holds.
///
/// - Parameter limit: The time after which to give up.
/// - Returns: Whether the condition holds.
package func eventually(
    within limit: Duration = .seconds(60), _ condition: () async throws -> Bool
) async throws -> Bool {
    let end = ContinuousClock.now.advanced(by: limit)
    while ContinuousClock.now < end {
        if try await condition() { return true }
        try await Task.sleep(for: pause)
    }
    return try await condition()
}
