import Foundation
package import Testing

/// How much a test run does. `EPG_SCOPE` selects it: `ci` for continuous integration, `all` for a release.
package enum TestScope: String, Comparable, Sendable {
    /// What a contributor runs before a pull request.
    case contribution
    /// What continuous integration adds: oracles, more random cases, large inputs.
    case integration = "ci"
    /// Everything, however long it takes.
    case release = "all"

    package static let current: TestScope = {
        let name = ProcessInfo.processInfo.environment["EPG_SCOPE"] ?? ""
        if name.isEmpty { return .contribution }
        guard let scope = TestScope(rawValue: name) else { preconditionFailure("EPG_SCOPE=\(name): use ci or all") }
        return scope
    }()

    package static func < (first: Self, second: Self) -> Bool {
        first.share < second.share
    }

    /// The share of random cases in percent.
    private var share: Int {
        switch self {
        case .contribution: 10
        case .integration: 50
        case .release: 100
        }
    }

    /// Returns the number of random cases to try: all for a release and in optimized builds, otherwise a share, because debug
    /// builds are fifty times slower.
    package static func cases(_ count: Int) -> Int {
        #if DEBUG
            max(1, count * current.share / 100)
        #else
            count
        #endif
    }

    /// A time limit for what must not time out in a test, although it may wait until most other tests have run.
    package static let unreachedTimeLimit = Duration.seconds(3600)
}

extension Trait where Self == ConditionTrait {
    /// Skips a test in smaller runs.
    package static func scope(_ scope: TestScope, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        .enabled(
            if: TestScope.current >= scope, Comment(rawValue: "runs with EPG_SCOPE=\(scope.rawValue)"),
            sourceLocation: sourceLocation)
    }
}
