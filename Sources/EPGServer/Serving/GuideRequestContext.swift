import Hummingbird
import NIOCore

/// What is known of a request besides the request.
struct GuideRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    private let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// Who is at the other end of the connection.
    var peer: PeerAddress { PeerAddress(channel.remoteAddress) }
}
