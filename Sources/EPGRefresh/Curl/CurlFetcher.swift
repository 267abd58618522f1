/// Fetches addresses with libcurl: conditional requests, redirects, compressed transfer, several attempts, within limits.
///
/// The body goes straight to a temporary file. Only http and https are spoken, and certificates are verified.
///
/// - **Redirects** are followed one by one, also from https to http. The request's own header fields go to the configured origin (scheme, host and
///   port) alone, and never again once a server has led elsewhere.
/// - **Addresses** of one's own network are refused unless the request allows them or names one; see
///   ``AddressPermission``. The address that is about to be connected to is what is judged.
/// - **Proxies** are those that the environment names, see ``EnvironmentProxy``. Through one, a name is looked up here too,
///   and is refused for a forbidden address; a redirect to a name that isn't known here isn't followed.
/// - **Attempts** after a failure that may pass take up the body where it broke off, if the server gives parts of it and
///   its strong entity tag shows that it is still the same; else they begin anew.
package struct CurlFetcher: Fetcher {
    private let settings: CurlSettings

    /// A fetcher; libcurl is loaded by the first fetch.
    ///
    /// - Parameters:
    ///   - userAgent: What the servers are told, such as `swift-epg/1.0`.
    ///   - temporaryFolder: Where bodies lie until they are imported; `nil` for `TMPDIR`, else `/var/tmp`.
    package init(
        userAgent: String, limits: FetchLimits = FetchLimits(), retries: RetryPolicy = RetryPolicy(),
        temporaryFolder: String? = nil
    ) {
        self.init(
            CurlSettings(userAgent: userAgent, limits: limits, retries: retries, temporaryFolder: temporaryFolder))
    }

    init(_ settings: CurlSettings) {
        self.settings = settings
    }

    /// The body of an address, or word that it is the one that the request knows.
    ///
    /// - Throws: ``FetchError``; a file location is malformed here.
    package func fetch(_ request: FetchRequest) throws(FetchError) -> FetchResult {
        try fetch(request, watch: .none)
    }

    package func fetch(_ request: FetchRequest, watch: FetchWatch) throws(FetchError) -> FetchResult {
        guard case .address(let address) = request.location else {
            throw FetchError(location: "", reason: .malformedLocation)
        }
        let settings = settings.within(request)
        var attempts = 1
        do throws(CurlSession.Failure) {
            var session = try CurlSession(request, to: address, settings: settings, watch: watch)
            while true {
                do throws(CurlSession.Failure) {
                    return try session.attempt()
                } catch {
                    guard let delay = delay(after: attempts, error), delay < session.timeLeft else { throw error }
                    settings.clock.wait(delay, watch.isCancelled)
                    attempts += 1
                }
            }
        } catch {
            throw FetchError(
                location: address, reason: error.reason, attempts: attempts, retryAfter: error.retryAfter)
        }
    }

    /// How long to wait before another attempt; `nil` where none may end better.
    private func delay(after attempts: Int, _ failure: CurlSession.Failure) -> Duration? {
        guard failure.reason.isTransient else { return nil }
        return settings.retries.delay(
            afterAttempt: attempts, retryAfter: failure.retryAfter, random: settings.clock.random())
    }
}
