import ArgumentParser
import EPGFilter

/// `epg filter split`: a guide in many files.
struct SplitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "split", abstract: "Spreads a guide over files by channel and time.",
        discussion: """
            The template is a path in which %channel and the directives of date(1) stand for what each programme says: \
            %channel-%Y%m%d.xml. Its time is taken as the guide writes it. Known are %Y %y %m %d %e %j %B %b %h %A %a %u \
            %H %k %I %p %M %S %s %z %Q (20260329), %q (20260329203000) and %%. A / in the identifier of a channel is \
            written as %2F. The files are replaced when all of them are complete.
            """)

    @Option(help: ArgumentHelp("The path of the files, with what varies.", valueName: "template"))
    var output: String

    @Argument(help: ArgumentHelp("The guides; - or none is standard input.", valueName: "file"))
    var files: [String] = []

    func run() throws {
        let template: SplitTemplate
        do throws(SplitTemplateError) {
            template = try SplitTemplate(output)
        } catch {
            throw CommandFailure(.usage, "--output: \(error)")
        }
        let target = SplitFiles()
        try FilterJob(files: files).run { sources, warn in
            try SplitFilter(template).run(sources, warn: warn) { try target.append($1, to: $0) }
        }
        try target.replaceAll()
    }
}
