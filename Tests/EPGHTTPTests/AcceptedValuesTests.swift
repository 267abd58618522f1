import TestSupport
import Testing

@testable import EPGHTTP

@Suite struct AcceptedValuesTests {
    /// The rules and examples of RFC 9110, 12.5.3.
    @Test(
        arguments: [
            (nil, false), ("", false), ("gzip", true), ("GZIP", true), ("x-gzip", true), ("compress, gzip", true),
            ("*", true),
            ("compress;q=0.5, gzip;q=1.0", true), ("gzip;q=1.0, identity; q=0.5, *;q=0", true), ("gzip;q=0", false),
            ("gzip;q=0.000", false), ("gzip; q=0.001", true), ("*;q=0", false), ("identity", false),
            ("deflate, br", false),
            ("gzip;q=0, *", false), ("gzipped", false), (";", false), (",", false), (";q=1, gzip", true),
            ("gzip;", true), ("gzip;;q=0", true),
        ] as [(String?, Bool)])
    func gzipIsUsedOnlyIfTheHeaderAcceptsIt(header: String?, accepts: Bool) {
        expectEqual(AcceptedValues(header).acceptsGzip, accepts)
    }
}
