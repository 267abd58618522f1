/// Who may import guides over HTTP, and how large they may be.
package struct ImportSettings: Sendable {
    /// What a client must know to import; `nil` where nobody may. An empty token counts as none.
    package var token: [UInt8]?
    /// The greatest body in bytes, packed as it comes; 512 MiB.
    package var greatestSize = 512 << 20
    /// The folder for the body until it is complete.
    package var folder = "/var/tmp"
    /// After how long without ``leastProgress`` more bytes a body is given up; 20 s.
    package var patience = Duration.seconds(20)
    /// How many bytes must come in that time; 16 KiB.
    package var leastProgress = 16 << 10
    /// How long a body may take in all; 15 minutes.
    package var deadline = Duration.seconds(900)

    package init() {}
}
