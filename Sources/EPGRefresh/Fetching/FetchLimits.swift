/// How long a fetch may take, and how much it may bring.
package struct FetchLimits: Hashable, Sendable {
    /// Seconds until the connection stands, with its TLS handshake. The default is 30.
    package var connectSeconds: Int
    /// Seconds during which no byte arrives. The default is 60.
    package var silenceSeconds: Int
    /// Seconds for the whole of it. The default is 3,600.
    package var totalSeconds: Int
    /// Bytes of the body, both as they arrive and unpacked. The default is 4 GiB.
    package var byteCount: Int64
    /// Redirects that are followed. The default is 5.
    package var redirects: Int

    package init(
        connectSeconds: Int = 30, silenceSeconds: Int = 60, totalSeconds: Int = 3600, byteCount: Int64 = 4 << 30,
        redirects: Int = 5
    ) {
        self.connectSeconds = connectSeconds
        self.silenceSeconds = silenceSeconds
        self.totalSeconds = totalSeconds
        self.byteCount = byteCount
        self.redirects = redirects
    }
}
