import EPGModel
import Glibc

/// The clock of the machine: the one place where the program asks what time it is.
enum SystemClock {
    /// Now, in whole seconds, rounded down.
    static var now: Instant { Instant(secondsSince1970: Int64(time(nil))) }
}
