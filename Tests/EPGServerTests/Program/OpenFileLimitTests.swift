import TestSupport
import Testing

@testable import epgd

/// Tests of the number of connections that a limit of open files allows.
@Suite struct OpenFileLimitTests {
    /// The reserve is 192 plus three per processor: 198 for two processors.
    @Test(arguments: [
        (214, 2, 16), (215, 2, 17), (1024, 2, 826), (4294, 2, 4096), (1_048_576, 2, 4096), (1024, 64, 1024 - 192 - 192),
    ])
    func connectionLimitIsOpenFilesMinusReserve(descriptors: Int, processors: Int, connections: Int) throws {
        let limit = OpenFileLimit(descriptors: descriptors, processors: processors)
        expectEqual(try limit.connections(wanted: 4096), connections)
    }

    @Test(arguments: [0, 24, 192, 213])
    func openFileLimitBelowReserveIsRejected(descriptors: Int) {
        #expect(throws: OpenFileLimit.TooLow(limit: descriptors, needed: 214)) {
            try OpenFileLimit(descriptors: descriptors, processors: 2).connections(wanted: 4096)
        }
    }
}
