/// The pages for people, and their files.
enum PageController {
    static let endpoints: [any Endpoint.Type] = [
        GuidePageEndpoint.self, HomeEndpoint.self, StationsPageEndpoint.self, DayEndpoint.self,
        AiringPageEndpoint.self, SearchPageEndpoint.self, AssetEndpoint.self, IconEndpoint.self,
        ManifestEndpoint.self, RobotsEndpoint.self,
    ]
}
