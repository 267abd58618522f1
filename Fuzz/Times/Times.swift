import XMLTV

/// Parses the input as a time: a parsed time is within the years that can be written, and its text parses as the same
/// instant.
func fuzzTimes(_ bytes: [UInt8]) {
    do throws(XMLTVTimeError) {
        let time = try XMLTVTime(parsing: bytes.span)
        // From year 0000 at +15:59 to the end of 9999 at -15:59.
        precondition((-62_167_219_200 - 57_540...253_402_300_800 + 57_540).contains(time.secondsSince1970))
        precondition(abs(time.utcOffset ?? 0) <= 57_540)
        guard let written = XMLTVTime.format(secondsSince1970: time.secondsSince1970) else { return }
        let again = try XMLTVTime(parsing: Array(written.utf8).span)
        precondition(again.secondsSince1970 == time.secondsSince1970 && again.utcOffset == 0)
    } catch {
        precondition(bytes.isEmpty || !error.description.isEmpty)
    }
}

#if FUZZING
    @_cdecl("LLVMFuzzerTestOneInput")
    public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        fuzzTimes(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    }
#endif
