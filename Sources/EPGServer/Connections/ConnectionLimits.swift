/// What one connection, and one address, may take.
///
/// Timeouts are looked at a few times in the shortest of them, at most once a second: they may come that much later.
package struct ConnectionLimits: Hashable, Sendable {
    /// Connections in all; those above are told 503.
    package var connections = 4096
    /// Connections of one address, of which an IPv6 network (/64) counts as one; those above are told 503.
    package var connectionsPerAddress = 256
    /// Requests of one address in a minute, of which a sixth may come at once; 0 for no limit.
    package var requestsPerMinute = 6000
    /// Bytes of the first line of a request: 414 above.
    package var requestLineBytes = 8 << 10
    /// Bytes of all header fields: 431 above.
    package var headerBytes = 16 << 10
    /// Header fields: 431 above.
    package var headerFields = 100
    /// Bytes of a body: 413 above.
    package var bodyBytes = 512 << 20
    /// From the first byte of a head to its last: 408 after it.
    package var headerTimeout = Duration.seconds(10)
    /// Between two requests, and before the first; the connection is closed after it.
    package var idleTimeout = Duration.seconds(60)
    /// In each such time that is spent waiting for a body, ``bodyBytesPerPeriod`` must come: 408 else.
    package var bodyPeriod = Duration.seconds(10)
    package var bodyBytesPerPeriod = 10 << 10
    /// How long a client may not read at all what is written to it; the connection is closed after it.
    package var writeTimeout = Duration.seconds(30)
    /// How long a connection that was ended is still read, so that the client gets the last answer (RFC 9112, 9.6).
    package var lingerTimeout = Duration.seconds(2)
    /// When the service ends: how long it still takes connections, and then how long one without a request stays, so that
    /// what was sent before is answered.
    package var drainPause = Duration.milliseconds(500)

    package init() {}

    /// How often the timeouts are looked at.
    var checkInterval: Duration {
        let shortest = min(headerTimeout, idleTimeout, bodyPeriod, writeTimeout, lingerTimeout)
        return min(.seconds(1), max(.milliseconds(10), shortest / 4))
    }

    /// Bytes of a body that comes with a method that has none.
    static let needlessBodyBytes = 64 << 10
}
