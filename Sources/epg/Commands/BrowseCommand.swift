import ArgumentParser
import EPGCalendar
import EPGConfig
import EPGFiles
import EPGModel
import EPGProgram
import EPGTerminal
import Glibc

/// `epg browse`: the interactive guide.
struct BrowseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse", abstract: "Browse the guide full screen.",
        discussion: """
            Press ? for the keys. Set other keys under browse.keys in epg.yml (see `epg config example`).

            In the details of an airing, i shows the picture of the programme, or the logo of its station. epg \
            downloads the picture only then. It shows PNG and JPEG in terminals that support the kitty graphics \
            protocol or sixel and report the size of their character cells.
            """)

    @OptionGroup var moment: MomentOptions

    @Option(
        help: ArgumentHelp(
            """
            Command that the key p starts with the URL of the station's stream, without a shell (default: \
            browse.player in epg.yml).
            """, valueName: "command"))
    var player: String?

    @Flag(help: "Do not capture the mouse.")
    var noMouse = false

    @OptionGroup var database: DatabaseOptions

    func run() throws {
        // One connection for the screen, and one for checks in the background.
        let storage = try database.guide(connections: 2)
        let moment = try storage.read { try self.moment.moment(in: $0) }
        var settings = Browser.Settings(clock: GuideClock(zone: moment.zone))
        let choice = try ConfigurationReader.ofProgram.browse()
        settings.player = player?.split(separator: " ").map(String.init) ?? choice.player
        settings.playerAdvice = "Set browse.player in epg.yml, or start with --player mpv."
        settings.emptyGuideAdvice = "Run epg import to fill it."
        settings.keys = try KeyBindings(settings: choice.keys)
        settings.usesMouse = !noMouse
        // With --at, the clock starts there and keeps running.
        let lead = moment.now.seconds(to: SystemClock.now)
        func now() -> Instant { SystemClock.now.advanced(by: -lead) }
        // Do everything that can fail before taking over the screen.
        let browser = try Browser(
            storage, settings: settings, size: TerminalHost.outputSize, at: moment.now, now: moment.now)
        let host = try BrowseCommand.host(usesMouse: settings.usesMouse)
        defer { host.close() }
        let background = BackgroundWork()
        let pictures = PictureLoader()
        _ = browser.handle(.resized(host.size), at: .now)
        while true {
            host.present(browser.screen())
            let events = host.events(waitingAtMost: .seconds(1), orReadable: background.descriptor)
            for apply in background.takeFinished() { apply(browser) }
            for event in events {
                for effect in browser.handle(event, at: .now) {
                    switch effect {
                    case .quit: return
                    case .suspend: host.suspend()
                    case .setMouse(let isOn): host.usesMouse = isOn
                    case .play(let command):
                        if let error = PlayerProcess.start(command) {
                            browser.report("Cannot start the player \(command[0]): \(SystemFault(number: error)).")
                        }
                    case .fetchPicture(let request): background.start(pictures.work(for: request))
                    }
                }
            }
            if let check = browser.tick(now: now(), at: .now) {
                background.start {
                    let result = check.perform()
                    return { $0.receive(result) }
                }
            }
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
                    .usage, "epg browse needs a terminal. Use `epg grid` to write to a file or a pipe.")
            case .cannotPositionCursor(let name):
                throw CommandFailure(
                    .usage, "The terminal type “\(name)” (TERM) cannot position the cursor. Use `epg grid` instead.")
            case .system(let operation, let number):
                throw CommandFailure(.inputOutput, "Cannot \(operation): \(SystemFault(number: number)).")
            }
        }
    }
}

/// Starts the media player.
private enum PlayerProcess {
    /// Starts a command in a new session, with `/dev/null` as its standard streams, and does not wait for it.
    ///
    /// - Precondition: `command` is not empty.
    /// - Returns: The error number if the command cannot start, else `nil`.
    static func start(_ command: [String]) -> Int32? {
        // With SIGCHLD ignored, the kernel reaps the process.
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
        // Signals that this process ignores get their default action in the player.
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // 0x80 is POSIX_SPAWN_SETSID, which the Glibc module does not import.
        posix_spawnattr_setflags(&attributes, 0x80 | Int16(POSIX_SPAWN_SETSIGDEF))
        var arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let error = posix_spawnp(&process, command[0], &actions, &attributes, &arguments, environ)
        return error == 0 ? nil : error
    }
}
