import EPGJSON
import EPGModel
import XMLTV

/// How the files of a guide are read.
extension GuideDecoder {
    /// Reads XMLTV.
    mutating func decode(xml file: GuideFile, into session: any ImportSession) throws {
        do {
            try decode(xml: file.bytes, into: session)
        } catch let error as XMLError {
            guard error.isCutOff, file.format == .xmltv, options.takesPartial else {
                throw GuideFileError(
                    error, format: file.format, programmes: report.programmesRead,
                    isStrict: options.isStrict)
            }
            try acceptCut(line: error.line, session)
        }
    }

    private mutating func decode(xml source: some ByteSource, into session: any ImportSession) throws {
        var reader = XMLTVReader(
            source, recovery: options.isStrict ? .refuse : .repair, encoding: options.encoding)
        do {
            try decode(&reader, into: session)
        } catch {
            // What was found before the fault counts where a file that was cut off is taken all the same.
            reportRepairs(&reader)
            reportEncoding(&reader)
            throw error
        }
        reportRepairs(&reader)
        reportEncoding(&reader)
        try flush(into: session)
    }

    private mutating func decode(_ reader: inout XMLTVReader, into session: any ImportSession) throws {
        while let record = try reader.next() {
            if reader.hasRepairs { reportRepairs(&reader) }
            switch record {
            case .programme:
                let line = reader.line()
                if options.checksRules { checkRules(reader.element, line) }
                let place = try readProgramme(
                    reader.scanner.tokenArray, reader.firstElement..<reader.scanner.tokenCount,
                    reader.scanner.bytes, reader.scanner.recordStart, end: reader.scanner.recordEnd, line)
                if place != currentStation { try turn(to: place, session) }
                try flushIfFull(into: session)
            case .channel:
                let element = reader.element
                if options.checksRules { checkRules(element, reader.line()) }
                readChannel(element, reader.line())
                try flushIfFull(into: session)
            case .other:
                diagnostics.addOnce(
                    "other",
                    Diagnostic(
                        severity: .warning, keyword: .notvalid, action: .skipped, line: reader.line(),
                        quote: "<\(reader.element.name)>"))
            case .guide:
                report.header = reader.element.attributes.map { ContentAttribute(name: $0.name, value: $0.value) }
            }
        }
    }

    /// Reads a guide in JSON that may be spread over files.
    mutating func decode(json files: [GuideFile], into session: any ImportSession) throws {
        if let encoding = options.encoding, EncodingNames.canonical(encoding) == nil {
            throw GuideFileError(.xml(XMLError(reason: .unknownEncoding(encoding), line: 1, offset: 0)))
        }
        let texts = files.map { $0.text(encoding: options.encoding, repairs: !options.isStrict) }
        // Of several files an error has to say which.
        var reader =
            files.count == 1
            ? GuideJSONReader(texts[0])
            : GuideJSONReader(sources: zip(files, texts).map { (name: $0.name, source: $1) })
        reader.takesPartial = options.takesPartial
        reader.isStrict = options.isStrict
        reader.heldLimit = options.limits.memory
        do {
            defer {
                for (file, text) in zip(files, texts) {
                    reportEncoding(text.remarks.take(), of: files.count == 1 ? nil : file.name)
                }
            }
            try decode(records: &reader, into: session)
        } catch let error as JSONError {
            guard error.isCutOff, options.takesPartial else {
                throw GuideFileError(error, programmes: report.programmesRead)
            }
            try acceptCut(line: error.line, session)
        }
    }

    /// Reports what was unusual about the encoding of a file; of several, it has to be named.
    private mutating func reportEncoding(_ notes: [EncodingNote], of file: String?) {
        for note in notes {
            diagnostics.add(
                Diagnostic(
                    severity: .warning, keyword: .badutf8, action: .kept, line: 0,
                    quote: (file.map { "\($0): " } ?? "") + note.description))
        }
    }

    /// Takes what was whole of a file that was cut off.
    private mutating func acceptCut(line: Int, _ session: any ImportSession) throws {
        diagnostics.add(
            Diagnostic(severity: .error, keyword: .notwell, action: .skipped, line: line, quote: "cut off"))
        try flush(into: session)
    }
}
