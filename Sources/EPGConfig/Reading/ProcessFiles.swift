internal import Glibc

/// What the process may have open.
package enum ProcessFiles {
    /// Opens `/dev/null` in the place of each standard stream that is closed, so that no other file gets its number.
    ///
    /// It is opened in the other direction: reading or writing the stream fails with `EBADF`, as on a closed one.
    package static func reserveStandardStreams() {
        for stream in 0...2 where fcntl(Int32(stream), F_GETFD) < 0 {
            _ = open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    /// Raises the limit of open files (`ulimit -n`) where it is lower, as far as the hard limit allows.
    ///
    /// - Returns: The limit that stands.
    package static func raiseLimit(to count: Int) -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return .max }
        if limit.rlim_cur < rlim_t(count) {
            var raised = limit
            raised.rlim_cur = min(limit.rlim_max, rlim_t(count))
            if setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
