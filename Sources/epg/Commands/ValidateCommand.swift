import ArgumentParser
import EPGCalendar
import EPGImport
import EPGModel
import EPGRender

/// `epg validate`: says what is wrong with guides, without a database.
struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Says what is wrong with guides, and imports nothing.",
        discussion: """
            Reports what the XMLTV project's tv_validate_file does, by the same keywords, and every repair that an import \
            would make, each with its line. Ends with 0 where nothing worse than a note was found, else with 65. With \
            --json each guide's report is an object on a line of its own.
            """)

    @Argument(help: ArgumentHelp("The guides, or folders of them; - is standard input.", valueName: "file"))
    var files: [String]

    @OptionGroup var badFiles: BadFileOptions
    @OptionGroup var zone: ZoneOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let inputs = try GuideInputs(files)
        var options = ImportOptions()
        badFiles.complete(&options)
        options.limits = try SettingsOptions.importLimits()
        let job = ValidationJob(
            validator: GuideValidator(options: options), zone: try zone.zone(), writesJSON: output.json)
        guard try job.run(inputs) else { throw ExitCode(CommandFailure.Code.badContent.rawValue) }
    }
}
