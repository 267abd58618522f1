import CPostgres
import Dispatch
import EPGJSON
import EPGModel
import EPGSQL
import FoundationEssentials
import Glibc

/// A connection to PostgreSQL through libpq. One thread at a time uses it.
///
/// Statements are prepared once and run with binary parameters and results. While the server works, the thread polls the socket,
/// so that a deadline or a cancellation ends the statement.
final class PostgresConnection: @unchecked Sendable {
    private let handle: OpaquePointer
    /// The names of prepared statements by their text.
    private var prepared: [String: String] = [:]
    private var nameCount = 0
    let opened = ContinuousClock.now
    /// Whether the end of a transaction was requested, but not awaited.
    private var isEnding = false
    /// Whether the server did not respond to a cancellation.
    private var isAbandoned = false
    /// The maximum time to wait for the response to a cancellation.
    private static let cancellationLimit = Duration.seconds(1)
    /// Returns the error with which to end the current statement; checked about every 20 ms.
    var interruption: () -> (any Error)? = { nil }

    /// Connects to the first server in the location that fits.
    ///
    /// - Parameters:
    ///   - location: A URL such as `postgresql://epg@one,two/guide`.
    ///   - overrides: Parameters that replace parameters of the location.
    /// - Throws: ``PostgresError``.
    init(_ location: String, overrides: [String: String] = [:]) throws(PostgresError) {
        if let problem = cpostgres_load() { throw PostgresError(message: String(cString: problem)) }
        // Defaults come first, because the location overrides them. They detect within seconds that a server is unreachable.
        let defaults = [
            ("connect_timeout", "2"), ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "10000"), ("application_name", "epg"),
        ]
        let parameters =
            defaults + [("dbname", location), ("client_encoding", "UTF8")] + overrides.sorted { $0.key < $1.key }
        var names = parameters.map { UnsafePointer(strdup($0.0)) } + [nil]
        var values = parameters.map { UnsafePointer(strdup($0.1)) } + [nil]
        let opened = cpostgres_connectdbParams(&names, &values, 1)
        for text in names + values { free(UnsafeMutableRawPointer(mutating: text)) }
        guard let opened else { throw PostgresError(message: "out of memory") }
        guard cpostgres_status(opened) == CONNECTION_OK else {
            defer { cpostgres_finish(opened) }
            throw PostgresError(message: String(cString: cpostgres_errorMessage(opened)), isConnectionLost: true)
        }
        handle = opened
        do {
            try prepareSession()
        } catch {
            throw error as? PostgresError ?? PostgresError(message: "\(error)")
        }
    }

    /// Sets parameters of the session, and restricts it to the first schema of the search path, which has the guide.
    private func prepareSession() throws {
        // Compiling and planning a statement takes longer than running it. The server ends the session of a vanished writer, which has a lock.
        let values = try texts(
            script: """
                SET jit = off; SET plan_cache_mode = force_generic_plan;
                SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
                SELECT current_setting('server_encoding'), CASE WHEN current_schema() IS NOT NULL
                    THEN set_config('search_path', quote_ident(current_schema()), false) END
                """)
        guard values.last != .some(nil) else {
            throw PostgresError(message: "the database has no schema of the search_path")
        }
        guard values.first == "UTF8" else {
            throw PostgresError(
                message: "the encoding of the database is \(values.first.flatMap(\.self) ?? "unknown"), not UTF8")
        }
    }

    deinit {
        cpostgres_finish(handle)
    }

    /// The server that answers, as `host:port`.
    var server: String {
        let port = String(cString: cpostgres_port(handle))
        // libpq 15 returns no port if a URL of several hosts names none.
        return "\(String(cString: cpostgres_host(handle))):\(port.isEmpty ? "5432" : port)"
    }

    /// Whether the connection can still be used.
    var isOpen: Bool { !isAbandoned && cpostgres_status(handle) == CONNECTION_OK }

    /// Whether a transaction is open and its end was not requested.
    var isInTransaction: Bool { !isEnding && cpostgres_transactionStatus(handle) != PQTRANS_IDLE }

    // MARK: - Statements

    /// Runs one or more statements without parameters and results.
    func execute(script: String) throws {
        try finishTransaction()
        guard cpostgres_sendQuery(handle, script) == 1 else { throw failure() }
        try drain { _ in }
    }

    /// Runs statements without parameters, and returns the texts of the last row of the last result.
    func texts(script: String) throws -> [String?] {
        try finishTransaction()
        guard cpostgres_sendQuery(handle, script) == 1 else { throw failure() }
        var texts: [String?] = []
        try drain { result in
            let row = cpostgres_ntuples(result) - 1
            guard row >= 0 else { return }
            let columns = PostgresRow(result: result, row: row)
            texts = (0..<cpostgres_nfields(result)).map { columns.textIfPresent($0) }
        }
        return texts
    }

    /// Runs a statement and returns the number of affected rows.
    @discardableResult
    func execute(_ sql: String, _ parameters: [SQLValue] = []) throws -> Int {
        try send(sql, parameters)
        var count = 0
        try drain { result in count = Int(String(cString: cpostgres_cmdTuples(result))) ?? 0 }
        return count
    }

    /// Runs a statement and visits its rows until `body` returns `false`; the remaining rows are received and discarded.
    ///
    /// - Parameter streams: Whether to receive rows one by one instead of all together, to save memory.
    func rows(
        _ sql: String, _ parameters: [SQLValue] = [], streams: Bool = false, _ body: (PostgresRow) throws -> Bool
    ) throws {
        try send(sql, parameters)
        if streams { _ = cpostgres_setSingleRowMode(handle) }
        var wantsMore = true
        try drain { result in
            for row in 0..<cpostgres_ntuples(result) where wantsMore {
                wantsMore = try body(PostgresRow(result: result, row: row))
            }
        }
    }

    /// Runs a statement and returns the values of its rows.
    func values<Value>(
        _ sql: String, _ parameters: [SQLValue] = [], _ value: (PostgresRow) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try rows(sql, parameters) { row in
            values.append(try value(row))
            return true
        }
        return values
    }

    /// Runs a statement and returns the value of its first row; `nil` without rows.
    func first<Value>(
        _ sql: String, _ parameters: [SQLValue] = [], _ value: (PostgresRow) throws -> Value
    ) throws -> Value? {
        try values(sql, parameters, value).first
    }

    /// Returns the integer in the first column of the first row; `nil` for no row and for NULL.
    func integer(_ sql: String, _ parameters: [SQLValue] = []) throws -> Int64? {
        try first(sql, parameters) { $0.integerIfPresent(0) } ?? nil
    }

    /// Appends rows in binary form to a table.
    ///
    /// - Parameter columns: The table and its columns: `airing (id, start)`.
    func copy(_ rows: BinaryRows, into columns: String) throws {
        guard !rows.isEmpty else { return }
        try finishTransaction()
        guard cpostgres_sendQuery(handle, "COPY \(columns) FROM STDIN (FORMAT binary)") == 1 else { throw failure() }
        try wait()
        guard let start = cpostgres_getResult(handle) else { throw failure() }
        let status = cpostgres_resultStatus(start)
        let problem = status == PGRES_COPY_IN ? nil : PostgresError(result: start)
        cpostgres_clear(start)
        if let problem {
            try? drain { _ in }
            throw problem
        }
        let bytes = rows.finished
        let isSent = bytes.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                var start = 0
                while start < bytes.count {
                    let count = min(1 << 20, bytes.count - start)
                    guard let base = bytes.baseAddress,
                        cpostgres_putCopyData(handle, base + start, Int32(count)) == 1
                    else { return false }
                    start += count
                }
                return true
            }
        }
        _ = cpostgres_putCopyEnd(handle, isSent ? nil : "incomplete")
        try drain { _ in }
    }

    /// Runs a closure in a transaction, which is rolled back if the closure throws. A nested call joins the outer transaction.
    func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        if isInTransaction { return try body() }
        try execute(script: "BEGIN")
        do {
            let value = try body()
            try commit()
            return value
        } catch {
            rollBack()
            throw error
        }
    }

    /// Commits a transaction.
    ///
    /// - Throws: ``PostgresError``, also if an earlier statement failed: the server would roll back without an error.
    func commit() throws {
        guard cpostgres_transactionStatus(handle) == PQTRANS_INTRANS else {
            throw PostgresError(message: "an earlier statement of the transaction failed")
        }
        try execute(script: "COMMIT")
    }

    /// Ends a transaction, if there is one, without waiting for the response; the next statement receives it.
    func rollBack() {
        guard isOpen, isInTransaction, cpostgres_sendQuery(handle, "ROLLBACK") == 1 else { return }
        isEnding = true
    }

    /// Receives the response to ``rollBack()``.
    private func finishTransaction() throws {
        guard isEnding else { return }
        isEnding = false
        try drain { _ in }
    }

    // MARK: - Messages

    private func send(_ sql: String, _ parameters: [SQLValue]) throws {
        try finishTransaction()
        let name = try name(of: sql, parameters)
        let encoded = parameters.map(\.encoded)
        let formats = [Int32](repeating: 1, count: parameters.count)
        let lengths = encoded.map { Int32($0?.count ?? 0) }
        // One buffer for all values, because their addresses must stay valid together.
        let bytes: [UInt8] = encoded.flatMap { ($0 ?? []) + [0] }
        let isSent = bytes.withUnsafeBytes { bytes in
            var offset = 0
            let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let values = encoded.map { value -> UnsafePointer<CChar>? in
                defer { offset += (value?.count ?? 0) + 1 }
                return value == nil ? nil : base.map { $0 + offset }
            }
            return cpostgres_sendQueryPrepared(handle, name, Int32(parameters.count), values, lengths, formats, 1)
        }
        guard isSent == 1 else { throw failure() }
    }

    /// Returns the name of a prepared statement, which is prepared on first use.
    private func name(of sql: String, _ parameters: [SQLValue]) throws -> String {
        if let name = prepared[sql] { return name }
        // A canceled statement may have been prepared.
        nameCount += 1
        let name = "s\(nameCount)"
        let types = parameters.map(\.type)
        guard cpostgres_sendPrepare(handle, name, sql, Int32(types.count), types) == 1 else { throw failure() }
        try drain { _ in }
        prepared[sql] = name
        return name
    }

    /// Receives all results of a statement, and then throws the first error of the server or of `body`.
    ///
    /// An error of `body` does not cancel the statement, because that would end the transaction.
    private func drain(_ body: (OpaquePointer) throws -> Void) throws {
        var problem: (any Error)?
        while true {
            do {
                try wait()
            } catch {
                receiveEnd()
                throw error
            }
            guard let result = cpostgres_getResult(handle) else { break }
            defer { cpostgres_clear(result) }
            switch cpostgres_resultStatus(result) {
            case PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
                guard problem == nil else { continue }
                do { try body(result) } catch { problem = error }
            default:
                problem = problem ?? PostgresError(result: result, isConnectionLost: !isOpen)
            }
            if !isOpen { break }
        }
        if let problem { throw problem }
    }

    /// Waits until a result is available.
    ///
    /// - Throws: The interruption, after the statement was canceled; ``PostgresError`` if the connection is lost.
    private func wait() throws {
        while cpostgres_isBusy(handle) != 0 {
            if let cause = interruption() {
                cancel()
                throw cause
            }
            guard receive() else { throw failure() }
        }
    }

    /// Asks the server to end the current statement.
    ///
    /// The request uses another connection. If the server is unreachable, this one is abandoned, because the request could arrive
    /// during a later statement.
    private func cancel() {
        guard let cancellation = cpostgres_getCancel(handle) else { return }
        nonisolated(unsafe) let request = cancellation
        let end = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            var message = [CChar](repeating: 0, count: 256)
            _ = cpostgres_cancel(request, &message, Int32(message.count))
            cpostgres_freeCancel(request)
            end.signal()
        }
        if end.wait(timeout: .now() + Self.cancellationLimit / .seconds(1)) == .timedOut { isAbandoned = true }
    }

    /// Receives the rest of the results of a canceled statement. Abandons the connection if they do not arrive in time.
    private func receiveEnd() {
        let end = ContinuousClock.now + Self.cancellationLimit
        while isOpen {
            while cpostgres_isBusy(handle) != 0 {
                guard ContinuousClock.now < end else {
                    isAbandoned = true
                    return
                }
                guard receive() else { return }
            }
            guard let result = cpostgres_getResult(handle) else { return }
            cpostgres_clear(result)
        }
    }

    /// Receives data, if it arrives within 20 ms. Returns `false` if the connection is lost.
    private func receive() -> Bool {
        var state = pollfd(fd: cpostgres_socket(handle), events: Int16(POLLIN), revents: 0)
        _ = poll(&state, 1, 20)
        // Also after a timeout: TLS may have buffered data that the socket does not announce.
        return cpostgres_consumeInput(handle) != 0
    }

    private func failure() -> PostgresError {
        PostgresError(message: String(cString: cpostgres_errorMessage(handle)), isConnectionLost: !isOpen)
    }
}

/// An error of PostgreSQL or of the connection to it.
struct PostgresError: Error, CustomStringConvertible {
    /// The five characters of SQLSTATE (postgresql.org/docs/15/errcodes-appendix.html); empty for an error of the connection.
    var state = ""
    var message: String
    var isConnectionLost = false

    init(message: String, isConnectionLost: Bool = false) {
        // Further lines with a tab are questions to the user.
        let lines = message.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("\t") }.map(\.trimmed)
        let text = lines.joined(separator: " ")
        self.message = text.hasSuffix(".") ? String(text.dropLast()) : text
        self.isConnectionLost = isConnectionLost
    }

    fileprivate init(result: OpaquePointer, isConnectionLost: Bool = false) {
        func field(_ code: Character) -> String? {
            code.asciiValue.flatMap { cpostgres_resultErrorField(result, Int32($0)).map { String(cString: $0) } }
        }
        self.init(
            message: field("M") ?? String(cString: cpostgres_resultErrorMessage(result)),
            isConnectionLost: isConnectionLost)
        state = field("C") ?? ""
        // The server shuts down, or starts.
        if ["57P01", "57P02", "57P03"].contains(state) { self.isConnectionLost = true }
    }

    /// Whether repeating the transaction may succeed: a conflict with the replay on a standby, or with another transaction.
    var isConflict: Bool { ["40001", "40P01"].contains(state) }

    var description: String { message }
}

extension SQLValue {
    /// The identifier of the type in `pg_type`.
    fileprivate var type: UInt32 {
        switch self {
        case .integer: 20
        case .boolean: 16
        case .text: 25
        case .bytes: 17
        case .json: 114
        case .integers: 1016
        case .booleans: 1000
        case .texts: 1009
        case .documents: 199
        case .blobs: 1001
        }
    }

    /// The name of the type of a list.
    fileprivate var typeName: String {
        switch self {
        case .integers: "bigint[]"
        case .texts: "text[]"
        default: preconditionFailure("no shared statement has such a list")
        }
    }

    /// The binary form (the `recv` functions of PostgreSQL); `nil` for NULL.
    fileprivate var encoded: [UInt8]? {
        switch self {
        case .integer(let value): return value.map { value in withUnsafeBytes(of: value.bigEndian) { Array($0) } }
        case .boolean(let value): return [value ? 1 : 0]
        case .text(let value): return value.map { Self.bytes(of: $0) }
        case .bytes(let value), .json(let value): return value
        case .integers(let values):
            return Self.array(
                of: 20, values.map { $0.map { value in withUnsafeBytes(of: value.bigEndian) { Array($0) } } })
        case .booleans(let values): return Self.array(of: 16, values.map { [$0 ? 1 : 0] })
        case .texts(let values): return Self.array(of: 25, values.map { $0.map(Self.bytes) })
        case .documents(let values): return Self.array(of: 114, values)
        case .blobs(let values): return Self.array(of: 17, values)
        }
    }

    /// Returns a text in UTF-8. PostgreSQL has no U+0000, and stored texts have U+FFFD instead.
    static func bytes(of text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return bytes.contains(0) ? Array(text.replacing("\0", with: "\u{FFFD}").utf8) : bytes
    }

    /// Returns an array: the number of dimensions, whether it may have NULL, the type; the count, the first index; the elements.
    private static func array(of type: Int32, _ elements: [[UInt8]?]) -> [UInt8] {
        var bytes: [UInt8] = []
        func append(_ value: Int32) { withUnsafeBytes(of: value.bigEndian) { bytes += $0 } }
        for value in [1, 1, type, Int32(elements.count), 1] { append(value) }
        for element in elements {
            append(Int32(element?.count ?? -1))
            bytes += element ?? []
        }
        return bytes
    }
}

/// A row of a result, valid during the call that receives it.
struct PostgresRow: StoredRow {
    fileprivate let result: OpaquePointer
    fileprivate let row: Int32
    /// The index in the result of the column with the index 0.
    fileprivate var first: Int32 = 0

    /// Returns the row without its first columns.
    func columns(from first: Int32) -> PostgresRow {
        PostgresRow(result: result, row: row, first: self.first + first)
    }

    func isNull(_ column: Int32) -> Bool { cpostgres_getisnull(result, row, first + column) == 1 }

    /// Returns the bytes of a text, a document or a blob; `nil` for NULL.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer? {
        guard !isNull(column) else { return nil }
        return UnsafeRawBufferPointer(
            start: cpostgres_getvalue(result, row, first + column),
            count: Int(cpostgres_getlength(result, row, first + column)))
    }

    func blob(_ column: Int32) -> [UInt8] { bytes(column).map { Array($0) } ?? [] }

    /// Returns an integer of two, four or eight bytes; `nil` for NULL.
    func integerIfPresent(_ column: Int32) -> Int64? {
        guard let bytes = bytes(column) else { return nil }
        var value: Int64 = bytes.first.map { $0 < 0x80 ? 0 : -1 } ?? 0
        for byte in bytes { value = value << 8 | Int64(byte) }
        return value
    }

    func integer(_ column: Int32) -> Int64 { integerIfPresent(column) ?? 0 }

    func flag(_ column: Int32) -> Bool { bytes(column)?.first == 1 }

    func textIfPresent(_ column: Int32) -> String? { bytes(column).map { String(decoding: $0, as: UTF8.self) } }
}

extension PostgresConnection: SQLConnection {
    func rows(
        _ sql: String, _ values: [SQLValue], streams: Bool, _ body: (any StoredRow) throws -> Bool
    ) throws {
        try rows(sql, values, streams: streams) { (row: PostgresRow) in try body(row) }
    }

    func insert(into columns: String, _ rows: [[SQLValue]]) throws {
        var bytes = BinaryRows()
        for row in rows {
            bytes.addRow { bytes in
                for value in row { bytes.add(encoded: value.encoded) }
            }
            if bytes.size > 4 << 20 {
                try copy(bytes, into: columns)
                bytes = BinaryRows()
            }
        }
        try copy(bytes, into: columns)
    }

    /// After any error, the transaction of a check is void.
    func reason(ofDamage error: any Error) -> String? { nil }

    func definition(of table: GuideTable) -> String { PostgresSchema.definition(of: table) }

    func definition(of column: GuideTable.Column, in table: String) -> String {
        PostgresSchema.definition(of: column, in: table)
    }

    var sizeSQL: String {
        """
        SELECT sum(pg_total_relation_size(c.oid))::bigint FROM pg_class c
        WHERE c.relkind = 'r' AND c.relnamespace = to_regnamespace(quote_ident(current_schema()))
        """
    }

    /// An index of texts would limit their length.
    func unique(_ column: String) -> String { "md5(\(column))" }

    func isIn(_ expression: String, list parameter: Int) -> String { "\(expression) = ANY($\(parameter))" }

    func table(
        _ name: String, _ columns: KeyValuePairs<String, SQLValue>, from first: Int
    ) -> (sql: String, values: [SQLValue]) {
        let lists = columns.enumerated().map { "$\(first + $0)::\($1.value.typeName)" }.joined(separator: ", ")
        let names = columns.map(\.key).joined(separator: ", ")
        return ("unnest(\(lists)) AS \(name) (\(names))", columns.map(\.value))
    }
}

/// Rows in the binary format of COPY (postgresql.org/docs/15/sql-copy.html).
struct BinaryRows: RowSink {
    private var bytes: [UInt8] = []
    private(set) var count = 0
    /// The number of values of the row.
    private var fields: Int16 = 0

    var isEmpty: Bool { count == 0 }
    /// The size in bytes.
    var size: Int { bytes.count }

    /// Adds a row, whose values follow in the order of the columns.
    mutating func addRow(_ write: (inout BinaryRows) -> Void) {
        if bytes.isEmpty {
            bytes += Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)
        }
        let start = bytes.count
        append(Int16(0))
        fields = 0
        write(&self)
        withUnsafeBytes(of: fields.bigEndian) { bytes.replaceSubrange(start..<start + 2, with: $0) }
        count += 1
    }

    mutating func add(_ value: Int64?) {
        fields += 1
        guard let value else { return append(Int32(-1)) }
        append(Int32(8))
        append(value)
    }

    mutating func add(_ value: Bool) {
        fields += 1
        append(Int32(1))
        bytes.append(value ? 1 : 0)
    }

    mutating func add(bytes value: UnsafeRawBufferPointer?) {
        fields += 1
        guard let value else { return append(Int32(-1)) }
        append(Int32(value.count))
        bytes.append(contentsOf: value)
    }

    mutating func add(blob value: [UInt8]) { value.withUnsafeBytes { add(bytes: $0) } }

    mutating func add(_ value: String?) { add(encoded: value.map { SQLValue.bytes(of: $0) }) }

    /// Adds a value in binary form, or NULL.
    mutating func add(encoded value: [UInt8]?) {
        guard let value else { return add(bytes: nil) }
        add(blob: value)
    }

    fileprivate var finished: [UInt8] { bytes + [0xFF, 0xFF] }

    private mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
