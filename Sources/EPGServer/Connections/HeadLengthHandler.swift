import NIOCore

/// Limits the length of heads before the decoder, whose limits leave out spaces, and do not tell a long line from long headers.
final class HeadLengthHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// When the first byte of an unfinished head was read.
    private(set) var start: NIODeadline?
    private var length = 0, hasRequestLine = false
    private let limits: ConnectionLimits

    init(_ limits: ConnectionLimits) { self.limits = limits }

    /// The refusal of a head that is too long.
    var refusal: Refusal { hasRequestLine || length <= limits.requestLineBytes ? .headerTooLong : .lineTooLong }

    /// The decoder has found a part of a request.
    func reset() { (start, length, hasRequestLine) = (nil, 0, false) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data).readableBytesView
        start = start ?? .now()
        let line = bytes.prefix(max(0, limits.requestLineBytes - length))
        hasRequestLine = hasRequestLine || line.contains(UInt8(ascii: "\n"))
        length += bytes.count
        context.fireChannelRead(data)
        if length > limits.requestLineBytes + limits.headerBytes { context.fireErrorCaught(refusal) }
    }
}
