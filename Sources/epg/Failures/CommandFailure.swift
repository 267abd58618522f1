import EPGRefresh

/// Why a command ends without having done its work: what is said on standard error, and the exit code.
struct CommandFailure: Error, Hashable, Sendable {
    /// The classes of sysexits.h; a wrong use of flags (64) is ArgumentParser's business.
    enum Code: Int32, Hashable, Sendable {
        /// Nothing to complain of: whoever read the output has gone.
        case done = 0
        /// `EX_USAGE`: a flag's value makes no sense.
        case usage = 64
        /// `EX_DATAERR`: a guide or a database that can't be read as one.
        case badContent = 65
        /// `EX_NOINPUT`: a file, a station, an airing or a source that isn't there.
        case noInput = 66
        /// `EX_UNAVAILABLE`: a server that doesn't answer; also failures of several classes.
        case unavailable = 69
        /// `EX_CANTCREAT`: a database or a folder that can't be made.
        case cannotCreate = 73
        /// `EX_IOERR`: reading or writing failed, a full disk too.
        case inputOutput = 74
        /// `EX_TEMPFAIL`: another process is writing.
        case busy = 75
        /// `EX_CONFIG`: a setting of the machine or of a source is wrong.
        case configuration = 78
    }

    let code: Code
    /// What was wrong, where, and what to do; it holds no control characters.
    let sentence: String

    /// A failure in words. What a stranger put into them that a terminal would obey is left out, and so are the user, the
    /// password and the query of each URL.
    init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = GuideLocation.redactingURLs(in: sentence).withoutControls
    }

    /// Whether there is nothing to say.
    var isQuiet: Bool { sentence.isEmpty }
}

extension String {
    /// The text with a blank for each control character and bidirectional control (Unicode categories Cc, Zl, Zp, and
    /// those of Cf that reorder text).
    var withoutControls: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    switch scalar.value {
                    case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: " "
                    default: scalar
                    }
                }))
    }
}
