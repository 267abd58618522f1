extension Route {
    /// What programs ask that follow the guide.
    static let live: [Route] = [
        Route(ChangesEndpoint.self)
    ]
}
