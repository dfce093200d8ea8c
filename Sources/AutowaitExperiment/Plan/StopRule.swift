/// When an experiment has seen enough seeds.
package struct StopRule: Hashable, Sendable {
  /// Half the width of the interval of every difference that is small enough, in nanoseconds.
  package let halfWidth: Int64
  /// How many seeds are added at a time; the rule is asked behind each such block, and nowhere
  /// else, so that threads have no say in it.
  package let block: Int

  /// Creates a rule.
  package init(halfWidth: Int64, block: Int) {
    self.halfWidth = halfWidth
    self.block = block
  }
}
