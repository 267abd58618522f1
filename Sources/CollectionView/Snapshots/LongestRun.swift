/// The longest run of growing numbers in a list, whose members need not be neighbours: what can stay where it is while
/// all else moves.
enum LongestRun {
    /// Which of the numbers belong to it, one flag for each.
    ///
    /// Of several runs of the same length it is the one whose last number is the smallest, then the one before it, and
    /// so on: the same list gives the same answer.
    ///
    /// - Parameter numbers: All different.
    /// - Complexity: O(n) where they grow already, O(n log n) otherwise.
    static func flags(in numbers: [Int]) -> [Bool] {
        /// For each length of a run: where the one ends whose last number is the smallest.
        var ends: [Int] = []
        var predecessors = [Int](repeating: -1, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            if let last = ends.last, numbers[last] > number {
                let length = firstEnd(in: ends, above: number, numbers)
                if length > 0 { predecessors[index] = ends[length - 1] }
                ends[length] = index
            } else {
                if let last = ends.last { predecessors[index] = last }
                ends.append(index)
            }
        }
        var flags = [Bool](repeating: false, count: numbers.count)
        var index = ends.last ?? -1
        while index >= 0 {
            flags[index] = true
            index = predecessors[index]
        }
        return flags
    }

    /// The first of the ends whose number is above a number; one is.
    private static func firstEnd(in ends: [Int], above number: Int, _ numbers: [Int]) -> Int {
        var low = 0
        var high = ends.count - 1
        while low < high {
            let middle = low + (high - low) / 2
            if numbers[ends[middle]] > number {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }
}
