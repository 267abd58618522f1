import EPGModel
import Testing

@testable import EPGConfig

@Suite("The example")
struct ConfigurationExampleTests {
    private func check(_ text: String) throws -> ConfigurationFindings {
        try ConfigurationReader.ofTexts(["/f/epg.yml": text]).check(file: "/f/epg.yml")
    }

    @Test func changesNothingAsItIs() throws {
        #expect(try check(ConfigurationExample.text).configuration == ServiceConfiguration())
    }

    @Test func canBePutIntoForce() throws {
        #expect(ConfigurationReader.errors(of: ConfigurationExample.inForce) == [])
    }

    @Test func everySettingStandsInItAndAtItsDefaultWhereItHasOne() throws {
        let findings = try check(ConfigurationExample.inForce)
        for finding in findings.settings {
            #expect(finding.place != .usual, "\(finding.setting.key) is missing")
        }
        var configuration = findings.configuration
        #expect(configuration.sources.count == 4)
        // What has no default, or another on each machine.
        configuration.database = nil
        configuration.zone = nil
        configuration.publicAddress = nil
        configuration.corsOrigins = []
        configuration.trustedProxies = []
        configuration.tokenFile = nil
        configuration.metricsTokenFile = nil
        configuration.spool = nil
        configuration.refresh = nil
        configuration.browse = BrowseChoice()
        configuration.sources = []
        #expect(configuration == ServiceConfiguration())
    }

    @Test(arguments: SourceKey.allCases) func everySettingOfSourcesStandsInIt(key: SourceKey) {
        #expect(ConfigurationExample.text.contains(" \(key.rawValue):"))
    }

    @Test func everySourceOfItSaysSomethingElse() throws {
        let sources = try check(ConfigurationExample.inForce).configuration.sources
        #expect(sources.map(\.command.isEmpty) == [true, true, false, true])
        #expect(sources.map { $0.schedulesDirect == nil } == [true, true, true, false])
        #expect(
            sources.map(\.source.location) == [
                "https://guides.example/terrestrial.xml.gz", "/f/guides/aerial.xml", nil,
                "https://json.schedulesdirect.org/20141201",
            ])
        #expect(sources.first?.minimumShare == SourceConfiguration(Source(name: "")).minimumShare)
    }
}
