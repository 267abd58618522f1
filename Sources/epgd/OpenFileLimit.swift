import EPGConfig
import Glibc
import Logging

/// How many files, and so connections, the process may have open.
struct OpenFileLimit {
    /// Descriptors that the process may have.
    let descriptors: Int
    /// Descriptors that the service needs besides connections: 80 for connections that are being refused or dropped, 112
    /// for the databases of each reader and of an import, spooled bodies and feeds, timers and signals, and three for each
    /// event loop, of which there is one for each processor.
    let reserve: Int

    /// Connections below which the service doesn't start.
    static let fewestConnections = 16

    /// - Parameter processors: Of the machine.
    init(descriptors: Int, processors: Int) {
        self.descriptors = descriptors
        reserve = 192 + 3 * processors
    }

    /// Connections that there is room for, at most `wanted`.
    ///
    /// The service must never run out of descriptors. Dispatch counts its busy threads once a second by opening
    /// `/proc/self/task/*/stat`, and ends the process with SIGILL where it can't (`_dispatch_workq_monitor_pools`); so does NIO
    /// where an event loop can't be set up.
    ///
    /// - Throws: ``TooLow`` where there is room for fewer than ``fewestConnections``.
    func connections(wanted: Int) throws(TooLow) -> Int {
        let room = descriptors - reserve
        guard room >= OpenFileLimit.fewestConnections else {
            throw TooLow(limit: descriptors, needed: reserve + OpenFileLimit.fewestConnections)
        }
        return min(wanted, room)
    }

    /// Raises the limit of this process as far as it goes for so many connections.
    ///
    /// - Returns: The connections that there is room for.
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

    /// The system allows too few open files.
    struct TooLow: Error, Hashable, CustomStringConvertible {
        let limit: Int
        let needed: Int

        var description: String {
            "The limit of open files is \(limit); the service needs at least \(needed). Raise it with ulimit -n, or with "
                + "LimitNOFILE= in the unit"
        }
    }
}
