import ArgumentParser
import XMLTV

extension EncodingNames {
    /// Makes sure that what a person gave to `--encoding` is the name of an encoding.
    static func check(_ name: String) throws(ValidationError) {
        guard canonical(name) == nil else { return }
        throw ValidationError(
            "--encoding: there is no encoding “\(name.prefix(64).description.withoutControls)”. Known are \(usual).")
    }
}
