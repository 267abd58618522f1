/// How large feeds are kept and sent.
package struct FeedSettings: Hashable, Sendable {
    /// The folder for temporary files; they have no names, and are gone with the process.
    package var folder = "/var/tmp"
    /// The most bytes that temporary files may take; 2 GiB.
    package var capacity = 2 << 30
    /// The most feeds that are kept, each plain and packed; 8.
    package var greatestCount = 8
    /// The most feeds that wait to be written; who asks for more is told to come again.
    package var greatestQueue = 8
    /// The most of them that one address may have begun; 2.
    package var greatestQueuePerAddress = 2
    /// The most downloads at once; 1,024. Each takes up to a few hundred KiB of buffers.
    package var greatestDownloads = 1024
    /// The most different feeds that one address may download at once; 6. Their files stay until they are sent.
    package var greatestFeedsPerAddress = 6
    /// The most downloads of one address at once; 64.
    package var greatestDownloadsPerAddress = 64
    /// How long writing one may take.
    package var deadline = Duration.seconds(300)

    package init() {}
}
