import Foundation

/// How much a test run does.
package enum TestScope {
    /// A time limit for what must not time out in a test, although it may wait until most other tests have run.
    package static let unreachedTimeLimit = Duration.seconds(3600)

    /// Returns the number of random cases to try: all with `EPG_SLOW` and in a release, otherwise a third of them, because debug
    /// builds are fifty times slower.
    package static func cases(_ count: Int) -> Int {
        #if DEBUG
            ProcessInfo.processInfo.environment["EPG_SLOW"] == nil ? max(1, count / 3) : count
        #else
            count
        #endif
    }
}
