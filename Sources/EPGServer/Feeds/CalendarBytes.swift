import NIOCore

/// What an exporter wrote.
final class CalendarBytes {
    var buffer = ByteBuffer()
}
