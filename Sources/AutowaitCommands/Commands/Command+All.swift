extension Command {
  /// The commands, in the order of the help.
  static var all: [Command] {
    [
      RunCommand.command, TestCommand.command, ReplayCommand.command, CheckCommand.command,
      CompareCommand.command, MergeCommand.command, WorkCommand.command, RecipeCommand.command,
      LinkCommand.command, FidelityCommand.command,
      ListCommand.command,
      ConvertCommand.command, SchemaCommand.command, CompletionsCommand.command,
      ManualCommand.command,
    ]
  }
}
