/// The limits of connections and requests. An IPv6 network (/64) counts as one address.
package struct ConnectionLimits: Hashable, Sendable {
    /// Maximum number of connections. Further ones get status 503.
    package var connections = 4096
    /// Maximum number of connections per address. Further ones get status 503.
    package var connectionsPerAddress = 256
    /// Maximum number of requests per minute and address, a sixth of them at once; 0 for no limit. Further ones get 429.
    package var requestsPerMinute = 6000
    /// Maximum length of a request line in bytes. A longer one gets 414.
    package var requestLineBytes = 8 << 10
    /// Maximum length of the target and all headers of a request in bytes. Longer ones get 431.
    package var headerBytes = 16 << 10
    /// Maximum number of headers of a request. More get 431.
    package var headerFields = 100
    /// Maximum length of a request body in bytes. A longer one gets 413.
    package var bodyBytes = 512 << 20
    /// Maximum time from the first byte of a request to the end of its headers (plus at most 1 s). A slower one gets 408.
    package var headerTimeout = Duration.seconds(10)
    /// How long a connection without a request stays open after the last byte from the client.
    package var idleTimeout = Duration.seconds(60)
    /// The time in which ``bodyBytesPerPeriod`` of a body must arrive while they are awaited. A slower body gets 408.
    package var bodyPeriod = Duration.seconds(10)
    /// Minimum number of bytes of a body in each ``bodyPeriod``.
    package var bodyBytesPerPeriod = 10 << 10
    /// How long a client may read nothing of a response before the connection is closed; up to twice as long for a long one.
    package var writeTimeout = Duration.seconds(30)
    /// How long a connection is read after its last response, so that the client receives it (RFC 9112, 9.6).
    package var lingerTimeout = Duration.seconds(2)
    /// On shutdown, how long new connections are accepted, and then how long one without a request stays open.
    package var drainPause = Duration.milliseconds(500)

    /// Creates the default settings.
    package init() {}
}
