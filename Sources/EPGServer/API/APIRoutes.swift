extension Route {
    /// What programs ask.
    static let api: [Route] = [
        Route(GridEndpoint.self),
        Route(SourcesEndpoint.self),
    ]
}
