import EPGConfig
import EPGFiles
import Glibc
import Logging

/// The limit on open files, and the number of connections that it allows.
struct OpenFileLimit {
    /// The number of descriptors that the process may have.
    let descriptors: Int
    /// The number of descriptors that the service needs besides connections: 80 for connections being refused or
    /// dropped, 112 for databases of readers and an import, spooled bodies, feeds, timers and signals, and three for
    /// each event loop, of which there is one per processor.
    let reserve: Int

    /// The minimum number of connections; the service does not start with fewer.
    static let minimumConnections = 16

    /// - Parameter processors: The number of processors.
    init(descriptors: Int, processors: Int) {
        self.descriptors = descriptors
        reserve = 192 + 3 * processors
    }

    /// Returns the number of connections that the limit allows, at most `wanted`.
    ///
    /// The service must never run out of descriptors. Dispatch counts its busy threads once a second by opening
    /// `/proc/self/task/*/stat`, and ends the process with SIGILL if that fails (`_dispatch_workq_monitor_pools`). NIO
    /// does the same if it cannot set up an event loop.
    ///
    /// - Throws: ``TooLow`` if the limit allows fewer than ``minimumConnections``.
    func connections(wanted: Int) throws(TooLow) -> Int {
        let room = descriptors - reserve
        guard room >= OpenFileLimit.minimumConnections else {
            throw TooLow(limit: descriptors, needed: reserve + OpenFileLimit.minimumConnections)
        }
        return min(wanted, room)
    }

    /// Raises the limit of this process as far as possible for `wanted` connections.
    ///
    /// - Returns: The number of connections that the limit allows.
    /// - Throws: ``TooLow``.
    static func raise(forConnections wanted: Int, logger: Logger) throws(TooLow) -> Int {
        let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let needed = OpenFileLimit(descriptors: 0, processors: processors).reserve + wanted
        let limit = ProcessFiles.raiseLimit(to: needed)
        guard limit < needed else { return wanted }
        let room = try OpenFileLimit(descriptors: limit, processors: processors).connections(wanted: wanted)
        logger.warning(
            "the system allows fewer connections than the settings",
            metadata: ["connections": "\(room)", "open-files": "\(limit)"])
        return room
    }

    /// The limit is too low for the service.
    struct TooLow: Error, Hashable, CustomStringConvertible {
        let limit: Int
        let needed: Int

        var description: String {
            "The limit on open files is \(limit), but the service needs at least \(needed). "
                + "Raise it with ulimit -n, or with LimitNOFILE= in the unit"
        }
    }
}
