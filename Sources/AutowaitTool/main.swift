import AutowaitCommands

AutowaitCommand.exit(AutowaitCommand.main(CommandLine.arguments))
