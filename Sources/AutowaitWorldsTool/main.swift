import AutowaitWorlds

WorldsCommand.main(CommandLine.arguments)
