package import EPGModel

extension Source {
    /// When the source may be asked again; `nil` means at every run.
    ///
    /// That is the last attempt and the interval, less a tenth of it but at most ten minutes: a nightly job that starts
    /// some seconds earlier than the night before must not skip a day. After a failure the next run may ask it, but not
    /// within ten minutes (or that interval, where it is shorter).
    package func nextRefresh(after state: SourceState) -> Instant? {
        guard let interval, interval > 0, let lastAttempt = state.lastAttempt else { return nil }
        let pause = interval - min(interval / 10, 600)
        return lastAttempt.advanced(by: state.lastError == nil ? pause : min(pause, SourceOrder.patience))
    }

    /// Whether the source is to be asked now.
    ///
    /// A last attempt in the future was noted under a wrong clock and delays nothing.
    package func isDue(at now: Instant, after state: SourceState) -> Bool {
        guard let next = nextRefresh(after: state), let lastAttempt = state.lastAttempt else { return true }
        return next <= now || lastAttempt > now
    }
}
