extension Command {
  /// The commands, in the order of the help.
  static var all: [Command] {
    [
      InitCommand.command, RunCommand.command, PlayCommand.command,
      PageCommand.command, TestCommand.command,
      ReviewCommand.review, ReviewCommand.accept, ReplayCommand.command, DiffCommand.command,
      ExplainCommand.command, ShrinkCommand.command, CheckCommand.command,
      CompareCommand.command, TuneCommand.command,
      MergeCommand.command, WorkCommand.command,
      RecipeCommand.command, LinkCommand.command, FidelityCommand.command, InferCommand.command,
      WhatIfCommand.command,
      ListCommand.command,
      ConvertCommand.command, SchemaCommand.command, CompletionsCommand.command,
      ManualCommand.command,
    ]
  }
}
