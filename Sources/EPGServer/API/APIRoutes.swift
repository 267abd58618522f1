extension Route {
    /// What programs ask.
    static let api: [Route] = [
        Route(SourcesEndpoint.self)
    ]
}
