import CExpat

/// The reason why libexpat rejected a document, and the position.
struct ExpatFault {
    let code: XML_Error
    let line: Int
    /// The byte offset, from 0.
    let offset: Int
    /// Whether the DOCTYPE had started but not ended.
    let isInDoctype: Bool

    var message: String {
        guard let text = XML_ErrorString(code) else { return "error \(code.rawValue)" }
        return String(cString: text)
    }
}

/// Reads documents with libexpat, the oracle, and records everything that it reports.
///
/// It opens no external files. It omits attributes supplied by a DTD and reports from within a DTD.
final class Expat {
    private var log = XMLLog()
    private var isInDoctype = false
    private var parsing: XML_Parser?
    private var entity: ((String) -> [UInt8]?)?

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - asUTF8: Whether to override the declared encoding.
    ///   - entity: Returns the bytes of external entities by system identifier. By default, none are read.
    static func read(
        _ bytes: [UInt8], asUTF8: Bool = false, entity: ((String) -> [UInt8]?)? = nil
    ) -> XMLReading<ExpatFault> {
        guard let parser = asUTF8 ? XML_ParserCreate("UTF-8") : XML_ParserCreate(nil) else {
            preconditionFailure("libexpat has no memory for a parser")
        }
        defer { XML_ParserFree(parser) }
        let reader = Expat()
        reader.entity = entity
        reader.install(in: parser)
        var reading = XMLReading<ExpatFault>()
        if !parse(bytes, with: parser) {
            reading.fault = ExpatFault(
                code: XML_GetErrorCode(parser), line: Int(XML_GetCurrentLineNumber(parser)),
                offset: Int(XML_GetCurrentByteIndex(parser)), isInDoctype: reader.isInDoctype)
        }
        reading.log = reader.log
        return reading
    }

    private static func parse(_ bytes: [UInt8], with parser: XML_Parser) -> Bool {
        bytes.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) {
                XML_Parse(parser, $0.baseAddress, Int32(clamping: $0.count), 1) == XML_STATUS_OK
            }
        }
    }

    /// Installs the handlers, which receive this reader as their user data. It outlives the parse.
    private func install(in parser: XML_Parser) {
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        parsing = parser
        XML_SetElementHandler(
            parser, { Expat.of($0)?.start($1, $2) }, { reader, _ in Expat.of(reader)?.log.begin(.end) })
        XML_SetCharacterDataHandler(parser) { Expat.of($0)?.characters($1, $2) }
        XML_SetCommentHandler(parser) { reader, text in
            guard let expat = Expat.of(reader), !expat.isInDoctype else { return }
            expat.log.begin(.comment)
            expat.append(text)
        }
        XML_SetProcessingInstructionHandler(parser) { reader, target, content in
            guard let expat = Expat.of(reader), !expat.isInDoctype else { return }
            expat.log.begin(.instruction)
            expat.append(target)
            expat.log.begin(.content)
            expat.append(content)
        }
        XML_SetSkippedEntityHandler(parser) { reader, name, isParameter in
            guard isParameter == 0, let expat = Expat.of(reader) else { return }
            expat.log.begin(.skippedEntity)
            expat.append(name)
        }
        XML_SetDoctypeDeclHandler(
            parser, { reader, _, _, _, _ in Expat.of(reader)?.isInDoctype = true },
            { Expat.of($0)?.isInDoctype = false })
        guard entity != nil else { return }
        XML_SetParamEntityParsing(parser, XML_PARAM_ENTITY_PARSING_ALWAYS)
        XML_SetExternalEntityRefHandlerArg(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetExternalEntityRefHandler(parser) { reader, context, _, name, _ in
            guard let expat = Expat.of(UnsafeMutableRawPointer(reader)), let name else { return 1 }
            return expat.readEntity(String(cString: name), context) ? 1 : 0
        }
    }

    /// Reads an external entity, if it exists. Returns `false` if it is rejected.
    private func readEntity(_ name: String, _ context: UnsafePointer<XML_Char>?) -> Bool {
        let outer = parsing
        guard let bytes = entity?(name), let inner = XML_ExternalEntityParserCreate(outer, context, nil) else {
            return true
        }
        parsing = inner
        defer {
            parsing = outer
            XML_ParserFree(inner)
        }
        return Self.parse(bytes, with: inner)
    }

    private static func of(_ reader: UnsafeMutableRawPointer?) -> Expat? {
        reader.map { Unmanaged<Expat>.fromOpaque($0).takeUnretainedValue() }
    }

    private func start(
        _ name: UnsafePointer<XML_Char>?, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) {
        log.begin(.start)
        append(name)
        // The attributes supplied by a DTD follow the document's attributes.
        for index in 0..<Int(XML_GetSpecifiedAttributeCount(parsing)) {
            log.begin(index % 2 == 0 ? .attribute : .value)
            append(attributes?[index])
        }
    }

    private func characters(_ text: UnsafePointer<XML_Char>?, _ count: Int32) {
        log.begin(.text)
        append(UnsafeBufferPointer(start: text, count: Int(count)))
    }

    private func append(_ text: UnsafePointer<XML_Char>?) {
        guard let text else { return }
        var count = 0
        while text[count] != 0 { count += 1 }
        append(UnsafeBufferPointer(start: text, count: count))
    }

    private func append(_ text: UnsafeBufferPointer<XML_Char>) {
        text.withMemoryRebound(to: UInt8.self) { bytes in
            log.append { $0.append(contentsOf: bytes) }
        }
    }
}
