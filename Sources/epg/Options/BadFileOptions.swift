import ArgumentParser
import EPGImport
import XMLTV

/// How files are read that are not as they should be.
struct BadFileOptions: ParsableArguments {
    @Flag(help: "Refuse a document that isn't well-formed, rather than skip what is broken in it.")
    var strict = false

    @Flag(help: "Take what is whole of a file that was cut off, rather than refuse it.")
    var partial = false

    @Option(
        help: ArgumentHelp(
            "The encoding of the files, such as windows-1251. The default is what their bytes tell.", valueName: "name")
    )
    var encoding: String?

    func validate() throws {
        guard !strict || !partial else {
            throw ValidationError(
                "--strict refuses a file that was cut off, and --partial takes what is whole of it: give one of them.")
        }
        if let encoding { try EncodingNames.check(encoding) }
    }

    func complete(_ options: inout ImportOptions) {
        options.isStrict = strict
        options.takesPartial = partial
        options.encoding = encoding
    }
}
