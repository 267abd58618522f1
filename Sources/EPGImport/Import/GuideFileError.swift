package import EPGJSON
package import XMLTV

/// A file that can't be imported, with a sentence for people; the guide that stood is unchanged.
public struct GuideFileError: Error, CustomStringConvertible, Sendable {
    package enum Reason: Hashable, Sendable {
        case htmlPage
        case empty
        /// A playlist, where a guide is wanted.
        case playlist
        /// Nothing that is known: neither XML nor JSON nor a playlist.
        case unknownFormat
        case xml(XMLError)
        case json(JSONError)
        case lineup(PlaylistError)
        /// The file ends too early: why, and how many programmes before that are whole.
        case cutOff(String, programmes: Int)
        /// Several files were given as one guide, and this one is no JSON.
        case mixed(file: String)
    }

    package let reason: Reason

    init(_ reason: Reason) {
        self.reason = reason
    }

    /// A guide whose XML can't be read on.
    init(_ error: XMLError, format: GuideFormat, programmes: Int, isStrict: Bool = false) {
        switch format {
        case .htmlPage: reason = .htmlPage
        // Behind some junk a guide may have begun; a strict reader says what the junk is.
        case .unknown where !isStrict && programmes == 0 && error.saysThatItIsNoXML: reason = .unknownFormat
        case .empty where error.reason == .empty || error.isCutOff: reason = .empty
        default: reason = error.isCutOff && format == .xmltv ? .cutOff("\(error)", programmes: programmes) : .xml(error)
        }
    }

    /// A guide whose JSON can't be read on.
    init(_ error: JSONError, programmes: Int) {
        reason = error.isCutOff ? .cutOff("\(error)", programmes: programmes) : .json(error)
    }

    /// Whether the file is there but the system couldn't read it.
    public var isUnreadable: Bool {
        switch reason {
        case .xml(let error): error.reason.isSystemFault
        case .json(let error): error.isUnreadable
        case .lineup(let error): if case .unreadable(.system) = error.reason { true } else { false }
        default: false
        }
    }

    /// The sentence for those who can ask for what is whole of a file that was cut off.
    ///
    /// - Parameter choice: How they ask for it, such as `--partial`.
    public func description(offering choice: String) -> String {
        guard case .cutOff = reason else { return description }
        return "\(description), and \(choice) takes what is whole"
    }

    /// One sentence, with the line where there is one.
    public var description: String {
        switch reason {
        case .htmlPage: "line 1: this is an HTML page, not a guide; its address may ask for a login or be out of date"
        case .empty: "the file is empty"
        case .playlist: "line 1: this is a playlist (M3U), not a guide; import it with epg import FILE"
        case .unknownFormat:
            "line 1: this is no guide of a known format; XMLTV, JSON (EPG JSON, Schedules Direct, TVmaze) and playlists "
                + "(M3U) can be read, packed or not"
        // It is about the file as a whole.
        case .xml(let error): error.noGuide ?? error.description
        case .json(let error): error.description
        case .lineup(let error): error.description
        case .cutOff(let words, let programmes):
            "\(words); \(programmes == 1 ? "1 programme before that is" : "\(programmes) programmes before that are") "
                + "whole"
        case .mixed(let file): "\(file) is no JSON; several files make one guide only where all of them are JSON"
        }
    }
}

extension XMLError {
    /// Whether it is about text that isn't written as XML at all, rather than about what can't be read or is refused.
    fileprivate var saysThatItIsNoXML: Bool {
        switch reason {
        case .unreadable, .unexpectedEnd, .limit, .unknownEncoding, .contradictoryEncoding, .entityDeclaration: false
        default: true
        }
    }

    /// What is said of an archive without a guide.
    fileprivate var noGuide: String? {
        guard case .unreadable(.noGuide(let words)) = reason else { return nil }
        return words
    }

    /// Whether the document ended too early: what was read before is whole.
    var isCutOff: Bool {
        switch reason {
        case .unexpectedEnd, .unreadable(.cutOff): true
        default: false
        }
    }
}

extension XMLError.Reason {
    fileprivate var isSystemFault: Bool {
        if case .unreadable(.system) = self { true } else { false }
    }
}
