import ArgumentParser
import EPGFiles
import EPGProgram
import Glibc

/// `epg serve`: replaces this process with `epgd` and passes the arguments on.
///
/// The service is a separate program, so that `epg` starts within milliseconds.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the guide over HTTP.",
        discussion: "Runs epgd from the folder of this program or from PATH with the same options. See `epgd --help`.")

    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Options of epgd, such as --listen.", valueName: "options"))
    var flags: [String] = []

    func run() throws {
        var candidates: [String] = []
        if let own = FilePath.target(ofLink: "/proc/self/exe") {
            candidates.append(FilePath.sibling(of: own, named: "epgd"))
        }
        // `execvp` searches PATH for a name without a slash.
        candidates.append("epgd")
        var reason = ENOENT
        for candidate in candidates {
            var arguments: [UnsafeMutablePointer<CChar>?] = (["epgd"] + flags).map { strdup($0) }
            arguments.append(nil)
            execvp(candidate, arguments)
            if errno != ENOENT { reason = errno }
            for argument in arguments { free(argument) }
        }
        throw CommandFailure(
            .unavailable,
            reason == ENOENT
                ? "Cannot find epgd in the folder of this program or in PATH. Install it with `make install`."
                : "Cannot start epgd: \(SystemFault(number: reason)).")
    }
}
