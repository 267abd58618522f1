import ArgumentParser
import Glibc

/// `epg serve`: becomes `epgd`, with the same arguments.
///
/// The service is a program of its own, so that this one starts in milliseconds.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves the guide over HTTP.",
        discussion: "Starts epgd, which stands beside this program or in PATH, with the same flags; see epgd --help.")

    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Flags of epgd.", valueName: "flags"))
    var flags: [String] = []

    func run() throws {
        var places: [String] = []
        if let own = ServeCommand.ownPath, let slash = own.lastIndex(of: "/") {
            places.append(own[...slash] + "epgd")
        }
        // `execvp` looks through PATH for a name without a slash.
        places.append("epgd")
        var reason = ENOENT
        for place in places {
            var arguments: [UnsafeMutablePointer<CChar>?] = (["epgd"] + flags).map { strdup($0) }
            arguments.append(nil)
            execvp(place, arguments)
            if errno != ENOENT { reason = errno }
            for argument in arguments { free(argument) }
        }
        throw CommandFailure(
            .unavailable,
            reason == ENOENT
                ? "There is no epgd beside this program or in PATH; install it with make install."
                : "epgd can't be started: \(String(cString: strerror(reason))).")
    }

    /// The path of the running program.
    private static var ownPath: String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        guard count > 0 else { return nil }
        return String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
