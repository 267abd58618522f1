package import EPGModel

extension Source {
    /// When the source may be asked again; `nil` means at every run.
    ///
    /// That is the last attempt and the interval, less a tenth of it but at most ten minutes: a nightly job that starts
    /// some seconds earlier than the night before must not skip a day. After a failure that may pass it is sooner, see
    /// ``SourceOrder/notBefore(after:at:)``.
    package func nextRefresh(after state: SourceState) -> Instant? {
        if let notBefore = state.notBefore { return notBefore }
        guard let pause, let lastAttempt = state.lastAttempt else { return nil }
        return lastAttempt.advanced(by: pause)
    }

    /// Seconds from one attempt to the next; `nil` where it may be asked at every run.
    var pause: Int64? {
        guard let interval, interval > 0 else { return nil }
        return interval - min(interval / 10, 600)
    }

    /// Whether the source is to be asked now.
    ///
    /// A last attempt in the future was noted under a wrong clock and delays nothing.
    package func isDue(at now: Instant, after state: SourceState) -> Bool {
        guard let next = nextRefresh(after: state), let lastAttempt = state.lastAttempt else { return true }
        return next <= now || lastAttempt > now
    }
}
