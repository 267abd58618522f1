/// What a fetcher of addresses works with.
struct CurlSettings: Sendable {
    /// What the servers are told, such as `swift-epg/1.0`.
    var userAgent: String
    var limits = FetchLimits()
    var retries = RetryPolicy()
    /// Where bodies lie until they are imported; `nil` for `TMPDIR`, else `/var/tmp`.
    var temporaryFolder: String?
    var clock = FetchClock.system
    var proxy = EnvironmentProxy()
    /// What is known of addresses.
    var kind: @Sendable (IPAddress) -> AddressKind = { AddressKind($0) }
    /// The addresses of a host, which only matter where a proxy hides to which one it connects.
    var addresses: @Sendable (String) -> [IPAddress] = { IPAddress.addresses(ofHost: $0) }
    /// Names that don't come from the name service, as lines `host:port:address` (CURLOPT_RESOLVE).
    var names: [String] = []

    /// The settings for a request, with its limits.
    func within(_ request: FetchRequest) -> CurlSettings {
        var settings = self
        settings.limits = limits.within(request)
        return settings
    }
}
