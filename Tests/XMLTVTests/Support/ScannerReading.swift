import XMLTV

/// Reads documents with the scanner and writes down all that it reports.
enum ScannerReading {
    static func read(
        _ source: some ByteSource, limits: XMLLimits = XMLLimits()
    ) -> (reading: XMLReading<XMLError>, encoding: String?) {
        var scanner = XMLScanner(source, limits: limits, reportsEverything: true)
        var reading = XMLReading<XMLError>()
        do throws(XMLError) {
            while try scanner.next() != nil { write(scanner, to: &reading.log) }
            // What stands after the root belongs to no piece.
            write(scanner, to: &reading.log)
        } catch {
            reading.fault = error
        }
        return (reading, scanner.encoding)
    }

    static func read(_ bytes: [UInt8], limits: XMLLimits = XMLLimits()) -> XMLReading<XMLError> {
        read(ChunkSource(bytes), limits: limits).reading
    }

    static func read(_ text: String, limits: XMLLimits = XMLLimits()) -> XMLReading<XMLError> {
        read(Array(text.utf8), limits: limits)
    }

    private static func write(_ scanner: borrowing XMLScanner, to log: inout XMLLog) {
        for index in 0..<scanner.tokenCount {
            let token = scanner.token(index)
            switch token.kind {
            case .start:
                log.begin(.start)
                log.append { scanner.appendName(of: token, to: &$0) }
            case .attribute:
                log.begin(.attribute)
                log.append { scanner.appendName(of: token, to: &$0) }
                log.begin(.value)
                log.append { scanner.append(token, to: &$0, keepsForeign: false) }
            case .text, .cdata:
                log.begin(.text)
                log.append { scanner.append(token, to: &$0) }
            case .end:
                log.begin(.end)
            case .comment:
                log.begin(.comment)
                log.append { scanner.append(token, to: &$0) }
            case .processingInstruction:
                log.begin(.instruction)
                log.append { scanner.appendName(of: token, to: &$0) }
                log.begin(.content)
                log.append { scanner.append(token, to: &$0) }
            case .skippedEntity:
                log.begin(.skippedEntity)
                log.append { scanner.append(token, to: &$0) }
            }
        }
    }
}
