/// Why a service with an API of its own gives no guide, as it says itself.
package struct ServiceRefusal: Error, Hashable, Sendable {
    /// The number that the service has for it; `nil` where it has none.
    package let code: Int64?
    /// What is wrong, as the middle of a sentence.
    package let problem: String
    /// What to do, as a sentence.
    package let advice: String
    /// The exit code, by the classes of sysexits.h.
    package let exitCode: Int32

    /// A refusal in the service's own words, made ready for people: a problem, advice, and the exit code that follows.
    package init(code: Int64? = nil, problem: String, advice: String, exitCode: Int32) {
        self.code = code
        self.problem = problem
        self.advice = advice
        self.exitCode = exitCode
    }
}
