import ArgumentParser
import EPGConfig
import EPGModel
import EPGTerminal
import Glibc

/// `epg browse`: the interactive guide.
struct BrowseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse", abstract: "Shows the guide full screen: scroll, search, look things up.",
        discussion: """
            Press ? for the keys. They can be set in epg.yml: see “epg config example”, browse.keys.

            In the details of an airing, i shows the picture of the programme, or else the logo of its station. The picture is \
            fetched only then, from its URL in the guide. PNG and JPEG are supported, in terminals that have the kitty graphics \
            protocol or sixel and report the size of their cells.
            """)

    @OptionGroup var moment: MomentOptions

    @Option(
        help: ArgumentHelp(
            """
            The player that p starts with the URL of the station's stream, without a shell. The default is browse.player of \
            epg.yml.
            """, valueName: "command"))
    var player: String?

    @Flag(help: "Leave the mouse to the terminal.")
    var noMouse = false

    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let moment = try moment.moment()
        let storage = try database.guide()
        guard storage.exists else { throw StoreError.notFound(path: storage.location) }
        var settings = Browser.Settings(zone: moment.zone)
        let choice = try ConfigurationReader.ofProgram.browse()
        settings.player = player?.split(separator: " ").map(String.init) ?? choice.player
        settings.keys = try KeyBindings(settings: choice.keys)
        settings.usesMouse = !noMouse
        // With --at, time goes on from there.
        let lead = moment.now.seconds(to: SystemClock.now)
        func now() -> Instant { SystemClock.now.advanced(by: -lead) }
        // Everything that can fail is done before the screen is taken.
        let browser = try Browser(
            storage, settings: settings, size: TerminalHost.outputSize, at: moment.now, now: moment.now)
        let host = try BrowseCommand.host(usesMouse: settings.usesMouse)
        defer { host.close() }
        let pictures = PictureLoader()
        _ = browser.handle(.resized(host.size), at: .now)
        while true {
            host.present(browser.screen())
            let events = host.events(waitingAtMost: .seconds(1), orReadable: pictures.descriptor)
            for (result, request) in pictures.takeFinished() { browser.receive(result, for: request) }
            for event in events {
                for effect in browser.handle(event, at: .now) {
                    switch effect {
                    case .quit: return
                    case .suspend: host.suspend()
                    case .setMouse(let isOn): host.usesMouse = isOn
                    case .play(let command):
                        if let error = PlayerProcess.start(command) {
                            let reason = String(cString: strerror(error))
                            browser.report("The player \(command[0]) can't be started: \(reason).")
                        }
                    case .fetchPicture(let request): pictures.fetch(request)
                    }
                }
            }
            browser.tick(now: now())
        }
    }

    private static func host(usesMouse: Bool) throws -> TerminalHost {
        do throws(TerminalError) {
            return try TerminalHost(
                colorDepth: ColorDepth { Environment[$0] }, usesMouse: usesMouse, terminalName: Environment["TERM"])
        } catch {
            switch error {
            case .notATerminal:
                throw CommandFailure(
                    .usage, "epg browse needs a terminal. Use epg grid, whose output can go to a file or a pipe.")
            case .cannotPositionCursor(let name):
                throw CommandFailure(
                    .usage, "The terminal “\(name)” (TERM) can't place its cursor. Use epg grid instead.")
            case .system(let operation, let number):
                throw CommandFailure(.inputOutput, "Can't \(operation): \(String(cString: strerror(number))).")
            }
        }
    }
}

/// The media player beside the guide.
enum PlayerProcess {
    /// Starts a program in a session of its own, with nothing to read and nowhere to write, and does not wait for it.
    ///
    /// - Precondition: The command has a program.
    /// - Returns: The error number if it can't be started, else `nil`.
    static func start(_ command: [String]) -> Int32? {
        // So that the system forgets it when it ends.
        signal(SIGCHLD, SIG_IGN)
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        // What is ignored here is not ignored by the player.
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // POSIX_SPAWN_SETSID, which Glibc's module does not have.
        posix_spawnattr_setflags(&attributes, 0x80 | Int16(POSIX_SPAWN_SETSIGDEF))
        var arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let error = posix_spawnp(&process, command[0], &actions, &attributes, &arguments, environ)
        return error == 0 ? nil : error
    }
}
