import EPGCalendar
package import EPGModel
import Glibc

extension MetricsText {
    /// Writes the metrics of the process (proc(5)) that Prometheus defines for all programs.
    ///
    /// - Parameter start: When the program started.
    package mutating func writeProcess(began start: Instant?) {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
        metric(
            "process_cpu_seconds_total", .counter, "Total user and system CPU time in seconds.",
            Double(seconds) + Double(microseconds) / 1_000_000)
        if case .bytes(let bytes) = SystemFile.content(ofFile: "/proc/self/statm", limit: 1000) {
            let pages = String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
            let bytes = pages.prefix(2).map { $0 * Int(getpagesize()) }
            metric("process_virtual_memory_bytes", .gauge, "Virtual memory size in bytes.", bytes.first)
            metric("process_resident_memory_bytes", .gauge, "Resident memory size in bytes.", bytes.last)
        }
        if let folder = opendir("/proc/self/fd") {
            // Without `.`, `..` and the descriptor of the folder.
            var count = -3
            while readdir(folder) != nil { count += 1 }
            closedir(folder)
            metric("process_open_fds", .gauge, "Number of open file descriptors.", count)
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            let count = Int(clamping: limit.rlim_cur)
            metric("process_max_fds", .gauge, "Maximum number of open file descriptors.", count)
        }
        metric(
            "process_start_time_seconds", .gauge, "Start of the service in seconds since 1970.",
            start?.secondsSince1970)
    }
}
