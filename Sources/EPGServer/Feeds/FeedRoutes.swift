extension Route {
    /// What other programs import; the large feeds stream, see ``StreamingRoute``.
    static let feeds: [Route] = [
        Route(PlaylistEndpoint.self), Route(CalendarEndpoint.self), Route(AiringCalendarEndpoint.self),
        Route(GridPictureEndpoint.self),
    ]
}
