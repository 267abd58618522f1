import EPGCalendar
import EPGProgram
import Glibc

/// `tv_grab_zz_epg`: this program as a grabber of the XMLTV project, which MythTV, Tvheadend and others find by its
/// name.
///
/// Follows https://wiki.xmltv.org/index.php/XmltvCapabilities: data on standard output, messages on standard error
/// (with `--quiet` only errors), and a nonzero exit code if days are missing.
struct Grabber {
    static let name = "tv_grab_zz_epg"
    private static let capabilities = ["baseline", "manualconfig", "apiconfig", "cache", "preferredmethod"]

    private let arguments: GrabberArguments

    /// Whether this program was started under the name of the grabber.
    ///
    /// - Parameter path: The first argument of the process.
    static func isCalled(by path: String?) -> Bool {
        path?.split(separator: "/").last.map { $0 == name } ?? false
    }

    /// Runs the grabber and prints an error message if it fails.
    ///
    /// - Parameter arguments: The arguments after the program name.
    /// - Returns: The exit code.
    static func main(_ arguments: [String]) -> Int32 {
        do {
            return try Grabber(arguments: GrabberArguments(arguments)).run()
        } catch {
            let failure = CommandFailure(error) ?? CommandFailure(.inputOutput, "\(error)")
            if !failure.isSilent { StandardError.write("\(name): \(failure.message)\n") }
            return failure.status.rawValue
        }
    }

    private func run() throws -> Int32 {
        switch arguments.task {
        case .help: try StandardOutput.write(GrabberArguments.help)
        case .version: try StandardOutput.write("This is \(Self.name) version \(EPGCommand.version)\n")
        case .description: try StandardOutput.write("TV guide from a swift-epg database\n")
        case .capabilities: try StandardOutput.write(Self.capabilities.joined(separator: "\n") + "\n")
        // One read of the database returns all days.
        case .preferredMethod: try StandardOutput.write("allatonce\n")
        case .configure: try GrabberDialog(path: arguments.configurationPath()).run()
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
                "\(try arguments.configurationPath()) selects no channels. Run `\(Self.name) --configure`, "
                    + "or add a line channel=ID for each channel.")
        }
        return try listings.grab(arguments) ? 0 : 1
    }

    private func configure(_ stage: String) throws {
        let document: String
        switch stage {
        case "start": document = try GrabberStage.start(arguments.configuration() ?? GrabberConfiguration())
        case "select-channels":
            guard let configuration = try arguments.configuration() else { throw try arguments.missingConfiguration() }
            document = try GrabberStage.selectChannels(configuration)
        default:
            throw CommandFailure(
                .usage, "Unknown stage “\(stage)”. The stages are start and select-channels.")
        }
        try OutputFile(at: arguments.output).write { try $0(Array(document.utf8)) }
    }

    /// The listings of the configured guide, or of the default guide if there is no configuration.
    ///
    /// Tvheadend runs a grabber without configuring it.
    private func listings() throws -> GrabberListings {
        if let configuration = try arguments.configuration() {
            return GrabberListings(configuration: configuration, zone: .current)
        }
        guard arguments.configurationFile == nil else { throw try arguments.missingConfiguration() }
        return GrabberListings(configuration: GrabberConfiguration(), zone: .current)
    }
}
