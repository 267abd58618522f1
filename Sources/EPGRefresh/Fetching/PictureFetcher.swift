internal import EPGFiles

/// Downloads pictures that a guide names, which no person has checked.
///
/// It follows the rules of ``CurlFetcher``, with the limits of a picture, a single attempt, and no trust in the URL: it must not
/// name an address of this machine or its network, not even in digits, unless its host or its origin is one of the configured ones.
package struct PictureFetcher: Sendable {
    private let fetcher: CurlFetcher
    private let privateHosts: @Sendable () -> Set<String>
    private let privateOrigins: Set<String>

    /// The limits of a picture: 8 MiB and 20 seconds.
    package static let limits = FetchLimits(
        connectSeconds: 5, silenceSeconds: 5, totalSeconds: 20, byteCount: 8 << 20, redirects: 3, minimumRate: 512)

    /// Creates a fetcher. The first fetch loads libcurl.
    ///
    /// - Parameters:
    ///   - userAgent: The `User-Agent` header, such as `swift-epg/1.0`.
    ///   - privateHosts: Returns the hosts, in lowercase, that may have private, loopback or link-local addresses.
    ///   - privateOrigins: Origins, such as `http://tuner.example:9981`, whose hosts may have such addresses.
    ///   - limits: The time and size limits of a picture.
    package init(
        userAgent: String, privateHosts: @escaping @Sendable () -> Set<String>, privateOrigins: Set<String> = [],
        limits: FetchLimits = PictureFetcher.limits
    ) {
        fetcher = CurlFetcher(userAgent: userAgent, limits: limits, retries: .never)
        self.privateHosts = privateHosts
        self.privateOrigins = privateOrigins
    }

    /// Returns the bytes at a URL. Blocks until they are complete or the fetch has failed.
    ///
    /// - Parameter isCancelled: Called at least once a second.
    /// - Throws: ``FetchError``.
    package func bytes(at url: String, isCancelled: @escaping @Sendable () -> Bool) throws(FetchError) -> [UInt8] {
        var request = FetchRequest(location: .url(url))
        request.isLocationTrusted = false
        do throws(FetchError) {
            let origin = try WebURL(url).origin
            request.allowsPrivateAddresses =
                privateHosts().contains(origin.host)
                || privateOrigins.contains { (try? WebURL($0))?.origin == origin }
            let result = try fetcher.fetch(request, watch: FetchObserver(isCancelled: isCancelled))
            guard case .body(let body) = result else { throw FetchError(reason: .empty) }
            return try FetchError.converting { () throws(SystemFault) in
                try OpenFile(reading: body.path).rest(upTo: Int(PictureFetcher.limits.byteCount))
            }
        } catch {
            throw error.located(at: url)
        }
    }

}
