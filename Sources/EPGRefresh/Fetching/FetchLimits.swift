/// How long a fetch may take, and how much it may bring.
package struct FetchLimits: Hashable, Sendable {
    /// Seconds until the connection stands, with its TLS handshake. The default is 30.
    package var connectSeconds: Int
    /// Seconds during which less than ``slowestRate`` arrives. The default is 60.
    package var silenceSeconds: Int
    /// Seconds for the whole of it, all attempts and the waits between them. The default is 3,600.
    package var totalSeconds: Int
    /// Bytes of the body, both as they arrive and unpacked. The default is 4 GiB.
    package var byteCount: Int64
    /// Redirects that are followed. The default is 5.
    package var redirects: Int
    /// Bytes per second below which a server is silent. The default is 16: a byte each second is no transfer.
    package var slowestRate: Int
    /// How often larger than what arrives the body may be that a compressed transfer unpacks to. The default is 200, the
    /// same as for compressed files.
    package var unpackingRatio: Int64
    /// Bytes of the body up to which that ratio isn't asked for. The default is 16 MiB.
    package var freeByteCount: Int64

    package init(
        connectSeconds: Int = 30, silenceSeconds: Int = 60, totalSeconds: Int = 3600, byteCount: Int64 = 4 << 30,
        redirects: Int = 5, slowestRate: Int = 16, unpackingRatio: Int64 = 200, freeByteCount: Int64 = 16 << 20
    ) {
        self.connectSeconds = connectSeconds
        self.silenceSeconds = silenceSeconds
        self.totalSeconds = totalSeconds
        self.byteCount = byteCount
        self.redirects = redirects
        self.slowestRate = slowestRate
        self.unpackingRatio = unpackingRatio
        self.freeByteCount = freeByteCount
    }

    /// The limits for a request, which may have a time of its own.
    func within(_ request: FetchRequest) -> FetchLimits {
        var limits = self
        limits.totalSeconds = request.timeLimit ?? totalSeconds
        return limits
    }
}
