/// A variable of the environment that the tool reads, and what it does.
struct EnvironmentVariable: Sendable {
  let name: String
  let about: String

  private init(_ name: String, _ about: String) { (self.name, self.about) = (name, about) }

  /// All, those of the tool itself first.
  static let all = [
    EnvironmentVariable(
      RecordMode.variable,
      "Which golden logs 'autowait test' records, as '--record' says: "
        + RecordMode.allCases.map(\.rawValue).joined(separator: ", ") + "."),
    EnvironmentVariable(
      ProgramUse.variable, "If it is 1, rules can be programs, as with '--allow-programs'."),
    EnvironmentVariable(
      "CI", "If it is set and not 'false', golden logs are neither recorded nor replaced."),
    EnvironmentVariable(
      "NO_COLOR", "If it is set, nothing has color unless '--color always' says so."),
    EnvironmentVariable(
      "TERM", "If it is 'dumb', nothing has color unless '--color always' says so."),
    EnvironmentVariable(
      "COLUMNS", "The width of tables and timelines; default: that of the terminal, or 80."),
    EnvironmentVariable(
      "LC_ALL, LC_CTYPE, LANG",
      "The locale. If it is not UTF-8, results for people consist of ASCII letters."),
    EnvironmentVariable(
      "GITHUB_ACTIONS", "If it is 'true', 'autowait test' annotates the files of a pull request."),
    EnvironmentVariable(
      "GITHUB_STEP_SUMMARY", "The file to which 'autowait test' then adds a summary."),
    EnvironmentVariable("PATH", "Where programs that are rules are looked for."),
    EnvironmentVariable(
      "XDG_CACHE_HOME, HOME", "Where 'autowait test' keeps which scenarios failed."),
    EnvironmentVariable(
      "TMPDIR", "Where logs of scenarios with defects are written; default: /tmp."),
    EnvironmentVariable(
      ShardEnvironment.variables.joined(separator: ", "),
      "The number of a shard, and how many there are, for '--shard auto'."),
  ]
}

/// A file that the tool reads or writes without being told its path.
struct KnownFile: Sendable {
  let path: String
  let about: String

  private init(_ path: String, _ about: String) { (self.path, self.about) = (path, about) }

  static let all = [
    KnownFile(
      "Scenarios",
      "The folder that 'autowait test' and 'autowait list scenarios' look into, and the root of "
        + "the files that its scenarios may use."),
    KnownFile(
      "NAME.expected.log", "The golden log of the scenario NAME.json, with which a test compares."),
    KnownFile(
      "$XDG_CACHE_HOME/autowait, ~/.cache/autowait",
      "Which scenarios failed the last time, for 'autowait test --failed'."),
  ]
}
