import Testing

@testable import epgd

/// Tests of the number of connections that a limit of open files allows.
@Suite struct OpenFileLimitTests {
    /// The reserve is 192 plus three per processor: 198 for two processors.
    @Test(arguments: [(214, 16), (215, 17), (1024, 826), (4294, 4096), (1_048_576, 4096)])
    func connectionLimitIsOpenFilesMinusReserve(descriptors: Int, connections: Int) throws {
        #expect(try OpenFileLimit(descriptors: descriptors, processors: 2).connections(wanted: 4096) == connections)
    }

    @Test(arguments: [0, 24, 192, 213])
    func openFileLimitBelowReserveIsRejected(descriptors: Int) {
        #expect(throws: OpenFileLimit.TooLow(limit: descriptors, needed: 214)) {
            try OpenFileLimit(descriptors: descriptors, processors: 2).connections(wanted: 4096)
        }
    }

    @Test func eachProcessorReservesThreeDescriptors() throws {
        #expect(try OpenFileLimit(descriptors: 1024, processors: 64).connections(wanted: 4096) == 1024 - 192 - 192)
    }
}
