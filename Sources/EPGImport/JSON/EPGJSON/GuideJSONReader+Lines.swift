import EPGJSON
import EPGModel

/// How lines of EPG JSON are taken, and the end of their guides is checked.
extension GuideJSONReader {
    /// Takes a line, and says what is wrong with the end of a guide that it closes, follows or leaves open.
    ///
    /// - Throws: `newerVersion` for the header of a guide that this program can't know; `unexpectedEnd` for one before
    ///   which a guide was cut off, unless ``takesPartial``.
    mutating func takeLine(_ node: JSONNode) throws(JSONError) {
        let kind = EPGJSONLine.kind(of: node)
        switch files[current].tally.take(node, kind) {
        case .noEnd?:
            let error = JSONError(reason: .unexpectedEnd(inside: EPGJSONTally.Fault.noEnd.description), line: node.line)
            guard takesPartial else { throw error }
            remark(.notwell, node.line, "cut off: \(files[current].named(error))", severity: .error)
        case let fault?: remark(.notvalid, node.line, fault.description)
        case nil: break
        }
        if kind != .end { waiting.append(try EPGJSONLine.record(node)) }
    }

    /// Checks that nothing is missing at the end of the current file.
    ///
    /// - Throws: `unexpectedEnd` where a guide announces an end that isn't there.
    mutating func checkEndOfFile() throws(JSONError) {
        guard let fault = files[current].tally.faultAtEndOfFile() else { return }
        throw files[current].scanner.error(.unexpectedEnd(inside: fault.description))
    }
}

extension JSONError {
    /// An error at the beginning of a line.
    fileprivate init(reason: Reason, line: Int) {
        self.init(reason: reason, line: line, column: 1)
    }
}
