import CCachedFile
import EPGFiles
import EPGModel
import EPGRender
import Glibc
import Synchronization

/// The box into which a picture is scaled down.
enum ArtworkSize: Int, Hashable, Sendable {
    /// A logo of a station: at most 64 points of a page, with two pixels each.
    case logo = 128
    /// A picture of a programme.
    case picture = 640
}

/// The name of a picture that the service keeps.
struct ArtworkName: Hashable, Sendable {
    let key: ArtworkKey
    let size: ArtworkSize
}

/// The pictures in a folder whose size is limited.
///
/// A file has the name `3f/KEY.SIZE.CONTENT.webp`, where `3f` are the first digits of the key and `CONTENT` is the hash of its
/// bytes, which is checked when it is read. Files are renamed when they are complete. So a kill leaves no broken picture, and a
/// damaged file is a missing one. The modification time is when the picture was fetched, the access time when it was last used:
/// the index in memory is read from the folder at the start, and which files were used last survives restarts and kills.
///
/// Several processes may share a folder. Each reads it again after it has written a twentieth of the capacity, so the folder
/// exceeds the capacity by at most that for each process. It also reads it before it deletes files, because other processes may
/// have used them since.
final class ArtworkStore: Sendable {
    private struct Entry {
        /// The hash of the bytes, as in the name of the file.
        let content: String
        /// The size on the disk in bytes.
        let size: Int
        let fetched: Instant
        var used: Instant
    }

    private struct State {
        var entries: [ArtworkName: Entry] = [:]
        /// The size of all files.
        var bytes = 0
        /// The size of the logos among them.
        var logoBytes = 0

        /// Adds, replaces or removes an entry. Returns the former one.
        @discardableResult
        mutating func update(_ entry: Entry?, of name: ArtworkName) -> Entry? {
            let former = entries[name]
            entries[name] = entry
            let change = (entry?.size ?? 0) - (former?.size ?? 0)
            bytes += change
            if name.size == .logo { logoBytes += change }
            return former
        }
    }

    let folder: String
    /// In bytes.
    let capacity: Int
    private let state = Mutex(State())
    /// Held while the folder is read or a file is added: the number of bytes written since the folder was last read.
    private let written = Mutex(0)

    /// The size of a block of a file system in bytes.
    private static let blockSize = 4096
    /// The maximum size of a file in bytes, larger than any encoded picture.
    private static let maximumSize = 4 << 20
    /// The maximum size of a file in bytes that is read without a change of threads.
    private static let maximumSizeAtOnce = 256 << 10
    /// The seconds after which a use is recorded again.
    private static let useInterval: Int64 = 3600

    /// Reads the names of the files in a folder, and deletes the least recently used ones above the capacity.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder, which the first picture creates.
    ///   - capacity: The maximum size of the files on the disk in bytes.
    /// - Complexity: O(*files*), about 5 µs each.
    init(folder: String, capacity: Int) {
        self.folder = folder
        self.capacity = capacity
        readFolder()
        delete(state.withLock { evict(&$0) })
    }

    /// The number of pictures, and their size on the disk in bytes.
    var usage: (count: Int, bytes: Int) { state.withLock { ($0.entries.count, $0.bytes) } }

    /// The size of the logos on the disk in bytes.
    var logoBytes: Int { state.withLock { $0.logoBytes } }

    /// When a picture was fetched; `nil` if there is none.
    func fetchTime(of name: ArtworkName) -> Instant? { state.withLock { $0.entries[name]?.fetched } }

    /// Returns a picture, and records its use; `nil` if it is missing or damaged. Blocks.
    ///
    /// - Throws: ``SystemFault`` if it cannot be read, such as without a free file descriptor. The file stays.
    func picture(_ name: ArtworkName, at now: Instant) throws(SystemFault) -> [UInt8]? {
        guard let entry = state.withLock({ $0.entries[name] }) else { return nil }
        let path = path(of: name, entry)
        guard let bytes = try OpenFile.bytes(ofFile: path, upTo: ArtworkStore.maximumSize),
            ArtworkStore.hash(bytes) == entry.content
        else {
            remove(name, entry)
            return nil
        }
        recordUse(of: name, entry, at: now)
        return bytes
    }

    /// Returns a picture whose file the kernel has in memory, and records its use; `nil` if reading it could block, or if it is
    /// large, missing or damaged.
    ///
    /// - Complexity: O(*size*).
    func pictureInMemory(_ name: ArtworkName, at now: Instant) -> [UInt8]? {
        guard let entry = state.withLock({ $0.entries[name] }), entry.size <= ArtworkStore.maximumSizeAtOnce else {
            return nil
        }
        let path = path(of: name, entry)
        let bytes = [UInt8](unsafeUninitializedCapacity: entry.size) { buffer, count in
            // The call writes at most `entry.size` bytes into the buffer, and returns their number.
            count = max(0, ccachedfile_read(path, buffer.baseAddress, entry.size))
        }
        guard ArtworkStore.hash(bytes) == entry.content else { return nil }
        recordUse(of: name, entry, at: now)
        return bytes
    }

    /// Records the use of a picture, at most once in ``useInterval``.
    private func recordUse(of name: ArtworkName, _ entry: Entry, at now: Instant) {
        guard entry.used.seconds(to: now) >= ArtworkStore.useInterval else { return }
        state.withLock { $0.entries[name]?.used = now }
        ArtworkStore.setTimes(of: path(of: name, entry), used: now, fetched: nil)
    }

    /// Stores a picture, and deletes the least recently used ones above the capacity. Blocks.
    ///
    /// - Throws: ``SystemFault`` if it cannot be written.
    func insert(_ bytes: [UInt8], as name: ArtworkName, at now: Instant) throws(SystemFault) {
        let size =
            max(1, (bytes.count + ArtworkStore.blockSize - 1) / ArtworkStore.blockSize) * ArtworkStore.blockSize
        let entry = Entry(content: ArtworkStore.hash(bytes), size: size, fetched: now, used: now)
        let path = path(of: name, entry)
        try ArtworkStore.makeFolder(FilePath.folder(of: path))
        // Without fsync(2): after a power failure, the hash shows that the file is damaged.
        let (temporary, temporaryPath) = try OpenFile.temporary(withPrefix: FilePath.sibling(of: path, named: ".epg-"))
        do throws(SystemFault) {
            try temporary.write(bytes)
            ArtworkStore.setTimes(of: temporaryPath, used: now, fetched: now)
        } catch {
            unlink(temporaryPath)
            throw error
        }
        let outdated = try written.withLock { (written) throws(SystemFault) in
            guard rename(temporaryPath, path) == 0 else {
                let fault = SystemFault.last
                unlink(temporaryPath)
                throw fault
            }
            let former = state.withLock { $0.update(entry, of: name) }.map { self.path(of: name, $0) }
            if let former, former != path { unlink(former) }
            written += size
            if written > capacity / 20 || usage.bytes > capacity {
                readFolder()
                written = 0
            }
            return state.withLock { evict(&$0) }
        }
        delete(outdated)
    }

    // MARK: - Eviction

    /// Removes the least recently used entries above the capacity until a tenth of it is free.
    ///
    /// - Returns: The paths of their files.
    /// - Complexity: O(*n* log *n*), for a tenth of the capacity.
    private func evict(_ state: inout State) -> [String] {
        guard state.bytes > capacity else { return [] }
        var paths: [String] = []
        for (name, entry) in state.entries.sorted(by: { $0.value.used < $1.value.used }) {
            guard state.bytes > capacity / 10 * 9 else { break }
            state.update(nil, of: name)
            paths.append(path(of: name, entry))
        }
        return paths
    }

    private func delete(_ paths: [String]) {
        for path in paths { unlink(path) }
    }

    /// Removes a damaged or missing file, unless it was replaced in the meantime.
    private func remove(_ name: ArtworkName, _ entry: Entry) {
        let isCurrent = state.withLock { state in
            guard state.entries[name]?.content == entry.content else { return false }
            state.update(nil, of: name)
            return true
        }
        if isCurrent { unlink(path(of: name, entry)) }
    }

    // MARK: - Files

    private func path(of name: ArtworkName, _ entry: Entry) -> String {
        let key = name.key.text
        return "\(folder)/\(key.prefix(2))/\(key).\(name.size.rawValue).\(entry.content).webp"
    }

    private static func makeFolder(_ path: String) throws(SystemFault) {
        guard mkdir(path, 0o755) != 0, errno != EEXIST else { return }
        guard errno == ENOENT else { throw .last }
        try makeFolder(FilePath.folder(of: path))
        mkdir(path, 0o755)
    }

    /// Replaces the index by the names of the files, which other processes may have added or deleted.
    private func readFolder() {
        var found = State()
        for shard in ArtworkStore.names(in: folder) where shard.utf8.count == 2 {
            for name in ArtworkStore.names(in: "\(folder)/\(shard)") {
                read("\(folder)/\(shard)/\(name)", named: name, into: &found)
            }
        }
        state.withLock { state in
            // Some uses are in memory only.
            for (name, entry) in state.entries {
                guard let used = found.entries[name]?.used, used < entry.used else { continue }
                found.entries[name]?.used = entry.used
            }
            state = found
        }
    }

    /// Adds a file to an index. Deletes the older one of two with the same name, and one that a kill left an hour ago.
    private func read(_ path: String, named fileName: String, into index: inout State) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        let fetched = Instant(secondsSince1970: Int64(status.st_mtim.tv_sec))
        let parts = fileName.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, let key = ArtworkKey(parts[0]),
            let size = Int(parts[1]).flatMap(ArtworkSize.init(rawValue:)), parts[3] == "webp"
        else {
            if fileName.hasPrefix(".epg-"), time(nil) - status.st_mtim.tv_sec > 3600 { unlink(path) }
            return
        }
        let entry = Entry(
            content: parts[2], size: max(ArtworkStore.blockSize, Int(status.st_blocks) * 512), fetched: fetched,
            used: Instant(secondsSince1970: Int64(status.st_atim.tv_sec)))
        let name = ArtworkName(key: key, size: size)
        if let other = index.entries[name], other.fetched >= fetched {
            unlink(path)
        } else if let former = index.update(entry, of: name) {
            unlink(self.path(of: name, former))
        }
    }

    /// Returns the names in a folder, except `.` and `..`.
    private static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// - Parameter fetched: `nil` to keep the modification time.
    private static func setTimes(of path: String, used: Instant, fetched: Instant?) {
        let times = [
            timespec(tv_sec: Int(used.secondsSince1970), tv_nsec: 0),
            fetched.map { timespec(tv_sec: Int($0.secondsSince1970), tv_nsec: 0) }
                // UTIME_OMIT of <sys/stat.h>.
                ?? timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2),
        ]
        utimensat(AT_FDCWD, path, times, 0)
    }

    private static func hash(_ bytes: [UInt8]) -> String { ContentHasher.fixed.hash(bytes.span).base36 }
}
