import ServiceLifecycle

/// Services that run and end together; a group of services would end one after the other.
struct JoinedServices: Service {
    let services: [any Service]

    /// Runs until all have ended.
    ///
    /// - Throws: The first error; the others are cancelled then.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for service in services { tasks.addTask { try await service.run() } }
            try await tasks.waitForAll()
        }
    }
}
