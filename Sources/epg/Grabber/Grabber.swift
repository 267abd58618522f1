import EPGCalendar
import Glibc

/// `tv_grab_zz_epg`: the same program under the name by which MythTV, Tvheadend and others find a grabber of the XMLTV
/// project.
///
/// The contract is the project's (https://wiki.xmltv.org/index.php/XmltvCapabilities): data on standard output, words on
/// standard error, none of them with `--quiet` unless something failed, and an exit code other than 0 where days are
/// missing.
struct Grabber {
    static let name = "tv_grab_zz_epg"
    private static let capabilities = ["baseline", "manualconfig", "apiconfig", "cache", "preferredmethod"]

    private let arguments: GrabberArguments

    /// Whether the program was called by the grabber's name.
    ///
    /// - Parameter path: The first argument of the process.
    static func isCalled(by path: String?) -> Bool {
        path?.split(separator: "/").last.map { $0 == name } ?? false
    }

    /// Does what the arguments ask for, and says why where that fails.
    ///
    /// - Parameter arguments: Those after the program's name.
    /// - Returns: The exit code.
    static func main(_ arguments: [String]) -> Int32 {
        do {
            return try Grabber(arguments: GrabberArguments(arguments)).run()
        } catch {
            let failure = CommandFailure(error) ?? CommandFailure(.inputOutput, "\(error)")
            if !failure.isQuiet { StandardError.write("\(name): \(failure.sentence)\n") }
            return failure.code.rawValue
        }
    }

    private func run() throws -> Int32 {
        switch arguments.task {
        case .help: try StandardOutput.write(GrabberArguments.help)
        case .version: try StandardOutput.write("This is \(Self.name) version \(EPGCommand.version)\n")
        case .description: try StandardOutput.write("The guide of swift-epg, whatever it was filled with\n")
        case .capabilities: try StandardOutput.write(Self.capabilities.joined(separator: "\n") + "\n")
        // All days come from one read of the database.
        case .preferredMethod: try StandardOutput.write("allatonce\n")
        case .configure: try GrabberDialogue(arguments.configurationPath()).run()
        case .configureAPI(let stage): try configure(stage)
        case .listChannels: try listings().listChannels(to: arguments.output)
        case .grab: return try grab()
        }
        return 0
    }

    private func grab() throws -> Int32 {
        let listings = try listings()
        guard listings.configuration.channels?.isEmpty != true else {
            throw CommandFailure(
                .configuration,
                "\(try arguments.configurationPath()) selects no channel. Run “\(Self.name) --configure”, "
                    + "or write channel=ID for each one that is wanted.")
        }
        return try listings.grab(arguments) ? 0 : 1
    }

    private func configure(_ stage: String) throws {
        let document: String
        switch stage {
        case "start": document = try GrabberStage.start(arguments.configuration() ?? GrabberConfiguration())
        case "select-channels":
            guard let configuration = try arguments.configuration() else { throw try arguments.unconfigured() }
            document = try GrabberStage.selectChannels(configuration)
        default:
            throw CommandFailure(
                .usage, "There is no stage “\(stage)”. The stages are start and select-channels.")
        }
        try ExportOutput(to: arguments.output).write(isCompressed: false) { try $0(Array(document.utf8)) }
    }

    /// The listings of the configured guide; without a configuration those of the usual one, where nobody named a file.
    ///
    /// Tvheadend runs a grabber as it finds it.
    private func listings() throws -> GrabberListings {
        if let configuration = try arguments.configuration() {
            return GrabberListings(configuration: configuration, zone: .current)
        }
        guard arguments.configurationFile == nil else { throw try arguments.unconfigured() }
        return GrabberListings(configuration: GrabberConfiguration(), zone: .current)
    }
}
