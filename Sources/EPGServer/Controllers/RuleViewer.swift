import EPGHTTP
import EPGModel
import HTTPTypes
import NIOCore
import Synchronization

/// A viewer who uses a profile that accepts rules.
struct RuleViewer: Hashable, Sendable {
    let profile: String
    /// The parental limit of the profile.
    let limit: ParentalLimit

    /// The refusal of changes for a profile that does not accept them.
    static func refusal(ofProfile name: String) -> Problem {
        Problem(
            .forbidden,
            "The profile “\(name.prefix(80))” does not accept watch rules of viewers. An administrator changes this in /admin/profiles, or with `epg profile set NAME --accept-rules`."
        )
    }

    /// - Throws: ``Problem`` with status 403 for a rule of another profile.
    func check(_ rule: WatchRule) throws(Problem) {
        guard rule.profile != profile else { return }
        throw Problem(
            .forbidden,
            "The rule “\(rule.name.prefix(80))” belongs to the profile “\(rule.profile.prefix(80))”, and this browser uses “\(profile.prefix(80))”."
        )
    }

    /// Checks a rule that the viewer adds or changes.
    ///
    /// - Parameters:
    ///   - former: The rule with that name, or the rule before the change; `nil` without one.
    ///   - profiles: The names of all profiles. A rule of this name would take the place of the profile in its calendar and feed.
    /// - Throws: ``Problem``: 403 for a rule of another profile, 409 for the name of a profile, and 422 for another pattern, because
    ///   patterns cost seconds of each evaluation.
    func check(_ rule: WatchRule, insteadOf former: WatchRule?, _ profiles: Set<String>) throws(Problem) {
        try check(rule)
        guard rule.name == former?.name || !profiles.contains(rule.name) else {
            throw Problem(
                .conflict, "“\(rule.name.prefix(80))” is the name of a profile. Choose another name.", parameter: "name"
            )
        }
        let pattern = rule.conditions.pattern
        guard pattern == nil || pattern == former?.conditions.pattern else {
            throw Problem(
                .unprocessableContent, "Viewers cannot add patterns. Use words instead.", parameter: "pattern")
        }
    }

    /// - Throws: ``Problem`` with status 422 if the profile has the maximum number of rules.
    func checkCount(of rules: [WatchRule]) throws(Problem) {
        guard rules.count(where: { $0.profile == profile }) >= Profile.maximumRuleCount else { return }
        throw Problem(
            .unprocessableContent,
            "The profile has \(Profile.maximumRuleCount) watch rules, the maximum for viewers. Remove one first.")
    }
}

/// Limits the changes of viewers: 20 at once and then one in 20 seconds for each address, and three times as many for each profile.
final class RuleChangeLimiter: Sendable {
    private struct Buckets {
        var clients: [ClientAddress: TokenBucket] = [:]
        var profiles: [String: TokenBucket] = [:]
    }

    private let buckets = Mutex(Buckets())
    /// Above this number of addresses, the limiter forgets those that may send a whole burst, or else all addresses. Above this number
    /// of profiles, it forgets those that may have a whole burst.
    private static let capacity = 4096

    /// Counts a change; if it exceeds a limit, returns the seconds to wait, rounded up, and counts nothing.
    ///
    /// - Parameters:
    ///   - client: The client; `nil` for a client that is not limited.
    ///   - profile: The name of a profile that the guide has.
    func retryDelay(
        of client: ClientAddress?, profile: String,
        at now: Int64 = Int64(truncatingIfNeeded: NIODeadline.now().uptimeNanoseconds)
    ) -> Int? {
        buckets.withLock { buckets in
            if buckets.clients.count >= Self.capacity {
                buckets.clients = buckets.clients.filter { !$1.isFull(at: now) }
                if buckets.clients.count > Self.capacity / 2 { buckets.clients = [:] }
            }
            if buckets.profiles.count >= Self.capacity {
                buckets.profiles = buckets.profiles.filter { !$1.isFull(at: now) }
            }
            var ofClient = client.map { buckets.clients[$0] ?? TokenBucket(seconds: 20, burst: 20) }
            var ofProfile = buckets.profiles[profile] ?? TokenBucket(seconds: 7, burst: 60)
            if let wait = ofClient?.consume(at: now) ?? ofProfile.consume(at: now) {
                return Int((wait + 999_999_999) / 1_000_000_000)
            }
            if let client { buckets.clients[client] = ofClient }
            buckets.profiles[profile] = ofProfile
            return nil
        }
    }
}
