/// How clients are told what happens.
package struct LiveSettings: Hashable, Sendable {
    /// The most clients that listen at once; 256.
    package var greatestCount = 256
    /// The most clients of one address that listen at once; 32.
    package var greatestCountPerAddress = 32
    /// After how long without anything to tell a sign of life is sent; 15 s.
    package var heartbeat = Duration.seconds(15)
    /// How often the clock is looked at; 1 s.
    package var tick = Duration.seconds(1)

    package init() {}
}
