AccuracyCommand.main(CommandLine.arguments)
