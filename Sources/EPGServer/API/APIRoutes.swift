extension Route {
    /// What programs ask.
    static let api: [Route] = [
        Route(GridEndpoint.self),
        Route(NowEndpoint.self),
        Route(NextEndpoint.self),
        Route(StationsEndpoint.self),
        Route(StationEndpoint.self),
        Route(ScheduleEndpoint.self),
        Route(AiringEndpoint.self),
        Route(SearchEndpoint.self),
        Route(GroupsEndpoint.self),
        Route(LineupsEndpoint.self),
        Route(CategoriesEndpoint.self),
        Route(SourcesEndpoint.self),
        Route(OpenAPIEndpoint.self),
    ]
}
