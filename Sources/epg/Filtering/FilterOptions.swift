import ArgumentParser

/// Which guides a filter reads, and where the result goes.
struct FilterOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The guides; - or none is standard input.", valueName: "file"))
    var files: [String] = []

    @Option(
        help: ArgumentHelp(
            "The file to replace when the result is complete. The default is standard output.", valueName: "file"))
    var output: String?

    func job() throws(CommandFailure) -> FilterJob { try FilterJob(files: files, output: output) }
}
