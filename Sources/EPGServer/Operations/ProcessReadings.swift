import Glibc

/// What the kernel tells of this process (proc(5)).
struct ProcessReadings: Hashable, Sendable {
    /// Bytes; `nil` where it can't be read.
    var residentBytes: Int?
    var virtualBytes: Int?
    var openFiles: Int?
    var greatestOpenFiles: Int?
    /// Processor time in seconds.
    var seconds: Double
    /// Seconds since 1970.
    var startTime: Double?

    init() {
        let pages = ProcessReadings.text(of: "/proc/self/statm")?.split(separator: " ").compactMap { Int($0) } ?? []
        let pageSize = Int(getpagesize())
        if pages.count >= 2 {
            virtualBytes = pages[0] * pageSize
            residentBytes = pages[1] * pageSize
        }
        openFiles = ProcessReadings.openFileCount()
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            greatestOpenFiles = Int(clamping: limit.rlim_cur)
        }
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        seconds =
            Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1_000_000
        startTime = ProcessReadings.startTime()
    }

    /// The boot's time and the ticks after it; the name in parentheses may hold blanks.
    private static func startTime() -> Double? {
        guard let status = text(of: "/proc/self/stat"), let end = status.lastIndex(of: ")"),
            let boot = text(of: "/proc/stat")?.split(separator: "\n").first(where: { $0.hasPrefix("btime ") }),
            let bootTime = Double(boot.dropFirst(6))
        else { return nil }
        // The 22nd field; the state is the third.
        let fields = status[status.index(after: end)...].split(separator: " ")
        guard fields.count > 19, let ticks = Double(fields[19]) else { return nil }
        return bootTime + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private static func openFileCount() -> Int? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Without `.`, `..` and the folder's own.
        return count - 3
    }

    private static func text(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(descriptor, &part, part.count)
            guard count > 0 else { break }
            bytes += part[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
