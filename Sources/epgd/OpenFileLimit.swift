import Glibc
import Logging

/// How many files, and so connections, the process may have open.
enum OpenFileLimit {
    /// What is needed besides connections: the databases, the log, the event loops.
    private static let reserve = 128

    /// Raises the limit as far as it goes.
    ///
    /// - Returns: The connections that there is room for.
    static func raise(forConnections count: Int, logger: Logger) -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return count }
        let needed = rlim_t(count + reserve)
        if limit.rlim_cur < needed {
            limit.rlim_cur = min(limit.rlim_max, needed)
            guard setrlimit(resource, &limit) == 0, getrlimit(resource, &limit) == 0 else { return count }
        }
        guard limit.rlim_cur < needed else { return count }
        let room = max(16, Int(limit.rlim_cur) - reserve)
        logger.warning(
            "the system allows fewer connections than the settings",
            metadata: ["connections": "\(room)", "open-files": "\(limit.rlim_cur)"])
        return min(count, room)
    }
}
