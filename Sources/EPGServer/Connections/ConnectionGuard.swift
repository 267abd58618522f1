import NIOCore
import NIOHTTP1

/// Watches the bytes of one connection: sees to the timeouts, to the length of heads, and to an orderly end.
///
/// It stands first in the pipeline; a ``RequestGuard`` behind the decoder tells it where requests begin and end.
final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    let limits: ConnectionLimits
    private let refusals: RefusalCounts
    private var context: ChannelHandlerContext?

    // What the request guard tells.

    /// Parts of requests that the decoder has given.
    var partsRead = 0
    /// Whether a head was read whose body isn't at its end.
    var isReadingRequest = false
    /// Whether a request is being answered.
    var isBusy = false { didSet { if !isBusy { lastActivity = .now() } } }
    /// Whether the answer under way has begun to be written.
    var hasBegunAnswer = false
    /// Whether nothing is to be read because requests wait.
    var holdsReads = false
    /// Ends the connection when the requests before it are answered (RFC 9112, 9.3.2); what comes until then is dropped.
    var refusalAfterAnswer: Refusal?

    // What was read.

    /// When the head under way began.
    private var headBegan: NIODeadline?
    private var headBytes = 0
    private var hasFirstLine = false
    private var lastActivity = NIODeadline.now()
    /// Whether bytes are awaited.
    private var awaitsBytes = false
    /// Whether somebody asked for bytes while reads are held.
    private var wantsRead = false
    private var bodyBytesInPeriod = 0
    private var bodyWait = Duration.zero

    // What was written.

    private var bytesWritten = 0
    private var bytesFlushed = 0
    private var lastProgress = NIODeadline.now()

    // The end.

    /// Whether the connection has been ended, so that what comes is of no interest.
    private(set) var isEnding = false
    /// Whether nothing that is written is sent any more.
    private var isMute = false
    private var endDeadline = NIODeadline.distantFuture
    private var check: Scheduled<Void>?
    private var drainCheck: Scheduled<Void>?

    init(limits: ConnectionLimits, refusals: RefusalCounts) {
        self.limits = limits
        self.refusals = refusals
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        scheduleCheck(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        check?.cancel()
        drainCheck?.cancel()
        self.context = nil
    }

    // MARK: - Reading

    func read(context: ChannelHandlerContext) {
        // A client that doesn't read what it asked for isn't listened to either.
        guard !holdsReads, context.channel.isWritable || isEnding else {
            wantsRead = true
            return
        }
        awaitsBytes = true
        context.read()
    }

    /// Reads on where a read was held.
    func resumeReading() {
        guard wantsRead, !holdsReads, let context, context.channel.isWritable else { return }
        wantsRead = false
        awaitsBytes = true
        context.read()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        resumeReading()
        context.fireChannelWritabilityChanged()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isEnding, refusalAfterAnswer == nil else { return }
        let bytes = unwrapInboundIn(data)
        if isReadingRequest {
            bodyBytesInPeriod += bytes.readableBytes
            context.fireChannelRead(data)
            return
        }
        if headBegan == nil { headBegan = .now() }
        guard hasFirstLine || isFirstLineShort(bytes) else {
            refuseHead(.lineTooLong)
            return
        }
        let parts = partsRead
        context.fireChannelRead(data)
        if partsRead != parts {
            headBegan = nil
            headBytes = 0
            hasFirstLine = false
        } else if !isEnding {
            headBytes += bytes.readableBytes
            if !hasFirstLine { hasFirstLine = bytes.readableBytesView.contains(UInt8(ascii: "\n")) }
            if headBytes > limits.requestLineBytes + limits.headerBytes { refuseHead(.headerTooLong) }
        }
    }

    private func refuseHead(_ refusal: Refusal) {
        if isBusy { refusalAfterAnswer = refusal } else { end(refusal) }
    }

    /// Whether the first line of the head ends within its limit, or hasn't come to it.
    private func isFirstLineShort(_ bytes: ByteBuffer) -> Bool {
        let room = limits.requestLineBytes - headBytes
        if bytes.readableBytes <= room { return true }
        return bytes.readableBytesView.prefix(max(0, room)).contains(UInt8(ascii: "\n"))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        awaitsBytes = false
        guard isEnding else {
            context.fireChannelReadComplete()
            return
        }
        context.read()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if isEnding, let event = event as? ChannelEvent, event == .inputClosed {
            abort()
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    // MARK: - Writing

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isMute else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        bytesWritten += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    /// Closes when everything that was written is sent: the channel itself drops what a slow client hasn't taken yet.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode != .input, unsentBytes(context) > 0 else {
            closeNow(context, mode, promise)
            return
        }
        isEnding = true
        let sent = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: sent)
        sent.futureResult.assumeIsolated().whenComplete { [self] _ in closeNow(context, mode, promise) }
    }

    private func closeNow(_ context: ChannelHandlerContext, _ mode: CloseMode, _ promise: EventLoopPromise<Void>?) {
        if mode == .output {
            isEnding = true
            endDeadline = .now() + TimeAmount(limits.lingerTimeout)
        }
        context.close(mode: mode, promise: promise)
        if mode == .output { context.read() }
    }

    private func unsentBytes(_ context: ChannelHandlerContext) -> Int {
        do {
            return try context.channel.syncOptions?.getOption(.bufferedWritableBytes) ?? 0
        } catch {
            // A channel that is closed has none.
            return 0
        }
    }

    // MARK: - The end

    /// Tells the client why, where no answer has begun, and ends the connection.
    func end(_ refusal: Refusal) {
        guard let context, !isEnding else { return }
        refusals.add(refusal)
        guard !hasBegunAnswer else {
            abort()
            return
        }
        let bytes = refusal.bytes
        bytesWritten += bytes.readableBytes
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(bytes)), promise: nil)
        isMute = true
        endQuietly()
    }

    /// Ends the connection when everything that was written is sent; the client may still read it.
    func endQuietly() {
        guard let context, !isEnding else { return }
        isEnding = true
        context.flush()
        close(context: context, mode: .output, promise: nil)
    }

    /// The service ends: so does the connection, when no request is under way and none came for a moment.
    ///
    /// What was sent before is read by then, so that nobody's request is answered with a reset.
    func drain() {
        guard let context, drainCheck == nil else { return }
        scheduleDrainCheck(context)
    }

    private func scheduleDrainCheck(_ context: ChannelHandlerContext) {
        let pause = TimeAmount(limits.drainPause)
        drainCheck = context.eventLoop.assumeIsolated().scheduleTask(in: pause) { [self] in
            guard self.context != nil, !isEnding else { return }
            let now = NIODeadline.now()
            if let headBegan, !isBusy, now - headBegan >= pause {
                end(.timeout)
            } else if headBegan == nil, !isBusy, !isReadingRequest, now - lastActivity >= pause {
                endQuietly()
            } else {
                scheduleDrainCheck(context)
            }
        }
    }

    /// Closes at once.
    private func abort() {
        guard let context else { return }
        isEnding = true
        isMute = true
        context.close(mode: .all, promise: nil)
    }

    // MARK: - Timeouts

    private func scheduleCheck(_ context: ChannelHandlerContext) {
        check = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.checkInterval)) { [self] in
            checkTimeouts(context, now: .now())
            if self.context != nil { scheduleCheck(context) }
        }
    }

    private func checkTimeouts(_ context: ChannelHandlerContext, now: NIODeadline) {
        if isStuck(context, now: now) || now >= endDeadline {
            abort()
        } else if isEnding {
            return
        } else if isReadingRequest {
            checkBody()
        } else if let headBegan {
            if !isBusy, now - headBegan >= TimeAmount(limits.headerTimeout) { end(.timeout) }
        } else if !isBusy, now - lastActivity >= TimeAmount(limits.idleTimeout) {
            endQuietly()
        }
    }

    /// Whether the client has read nothing for too long of what waits for it.
    private func isStuck(_ context: ChannelHandlerContext, now: NIODeadline) -> Bool {
        let unsent = unsentBytes(context)
        let flushed = bytesWritten - unsent
        if unsent == 0 || flushed != bytesFlushed {
            bytesFlushed = flushed
            lastProgress = now
        }
        return now - lastProgress >= TimeAmount(limits.writeTimeout)
    }

    /// Time counts only while bytes are awaited: a body that nobody reads isn't slow.
    private func checkBody() {
        guard awaitsBytes else { return }
        bodyWait += limits.checkInterval
        guard bodyWait >= limits.bodyPeriod else { return }
        if bodyBytesInPeriod < limits.bodyBytesPerPeriod { end(.bodyTimeout) }
        bodyWait = .zero
        bodyBytesInPeriod = 0
    }

    /// A body begins.
    func beginBody() {
        bodyWait = .zero
        bodyBytesInPeriod = 0
    }
}
