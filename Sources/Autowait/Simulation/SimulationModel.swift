/// What the simulator models, as a number.
package enum SimulationModel {
  /// The version of the model.
  ///
  /// It is raised by one with every change after which a scenario that was valid before gives
  /// another log: another event, another time, another number. Logs, reports and recordings name
  /// it: if you compare two runs, you see whether the same model made them. Rows of experiments
  /// that two versions made are never merged. A change of words, of formats or of the tool alone
  /// leaves it as it is. Tests hold the shipped golden logs and some sessions against it.
  ///
  /// Rows had a number of their own up to 4, and logs said 1.
  package static let version: Int64 = 25
}
