import CollectionLayout
import EPGLayout
import EPGModel
import TestSupport
import Testing

/// Tests of clusters of short airings, which do not change the geometry.
@Suite struct ClusterTests {
    private func layout(clusters: Bool) throws -> GuideLayout {
        let metrics = try GuideMetrics(
            pointsPerHour: 600, rowHeight: 80, stationColumnWidth: 100, headerHeight: 40, scale: 2)
        return try GuideLayout(
            metrics: metrics, window: window(0, 120), rowCount: 1,
            clusters: clusters ? ClusterPolicy(leastWidth: 100) : nil)
    }

    private let airings = [(0, 5), (5, 10), (10, 15), (15, 45), (45, 50), (50, 120)].enumerated().map {
        airing(Int64($0), window($1.0, $1.1))
    }

    @Test func clusterMembersKeepTheirFrames() throws {
        let plain = try layout(clusters: false)
        let schedules = [rowSchedule(0, airings)]
        let alone = plain.elements(in: try plain.everything(), schedules: schedules).filter { $0.kind == .airing }
        let clustered = try layout(clusters: true).elements(in: try plain.everything(), schedules: schedules)
        let cluster = try #require(clustered.first { $0.kind == .cluster })
        expectEqual(cluster.members, Array(alone.prefix(3)))
        expectEqual(cluster.window, window(0, 15))
        expectEqual(cluster.ordinal, 0)
        expectEqual(clustered.filter { $0.kind == .airing }, Array(alone.suffix(3)))
    }

    @Test func viewHidesMembersBehindCluster() throws {
        var grid = GuideGridLayout(
            try layout(clusters: true), source: GuideSchedules([rowSchedule(0, airings)]))
        let bounds = Rect(x: 0, y: 0, width: 1300, height: 120)
        grid.prepare(in: LayoutContainer(bounds: bounds, counts: ItemCounts([6]), scale: 2))
        let second = LayoutElement.item(IndexPath(section: 0, item: 1))
        let found = try #require(grid.attributes(of: second))
        #expect(found.isHidden && found.frame == Rect(x: 150, y: 40, width: 50, height: 80))
        expectEqual(grid.guideElement(second)?.airing?.id, AiringID(1))
        expectEqual(grid.attributes(in: bounds).count { $0.isHidden }, 3)
        expectEqual(grid.attributes(of: .supplementary(.cluster, IndexPath(section: 0, item: 0)))?.frame.width, 150)
        expectEqual(grid.attributes(of: .supplementary(.cluster, IndexPath(section: 0, item: 1))), nil)
    }

    @Test func gapSeparatesClusters() throws {
        let separated = [airing(1, window(0, 5)), airing(2, window(6, 10)), airing(3, window(10, 14))]
        let layout = try layout(clusters: true)
        let elements = layout.elements(in: try layout.everything(), schedules: [rowSchedule(0, separated)])
        expectEqual(elements.filter { $0.kind == .cluster }.map { $0.members.count }, [2])
        expectEqual(elements.count { $0.kind == .airing }, 1)
    }
}
