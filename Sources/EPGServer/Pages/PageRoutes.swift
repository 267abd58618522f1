extension Route {
    /// What people look at.
    static let pages: [Route] = [
        Route(GuidePageEndpoint.self),
        Route(AssetEndpoint.self),
        Route(IconEndpoint.self),
        Route(ManifestEndpoint.self),
        Route(RobotsEndpoint.self),
        Route(HomeEndpoint.self),
        Route(StationsPageEndpoint.self),
        Route(DayEndpoint.self),
        Route(AiringPageEndpoint.self),
        Route(SearchPageEndpoint.self),
    ]
}
