/// `autowait completions`: lets a shell complete calls of the tool.
enum CompletionsCommand {
  private enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  private static let words = "words"

  static let command = Command(
    name: "completions", operands: "SHELL", operandsMin: 1,
    summary: "Prints a completion script for a shell",
    about: """
      SHELL is bash, zsh or fish. The script asks autowait itself what can come next, with \
      'autowait completions words -- =WORD…': commands, options, their values, and the names of \
      presets. It keeps working when autowait is updated.
      """,
    options: [],
    examples: [
      (
        #"eval "$(autowait completions bash)""#,
        "Enables completion in this shell; put it in ~/.bashrc."
      ),
      (
        #"eval "$(autowait completions zsh)""#,
        "Does the same for zsh; put it after compinit in ~/.zshrc."
      ),
      (
        "autowait completions fish > ~/.config/fish/completions/autowait.fish",
        "Does the same for fish."
      ),
    ],
    operandWords: { before in
      OperandWords(words: before.isEmpty ? Shell.allCases.map(\.rawValue) : [])
    },
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    let word = arguments.operands[0]
    let typed = arguments.operands.dropFirst()
    if word == words {
      // Each word stands behind a sign of its own: so it is never empty.
      let lines = Completion(typed.map { String($0.dropFirst()) }).lines
      console.write(data: Array(console.spelled(lines).utf8))
      return .fine
    }
    guard let shell = Shell(rawValue: word) else {
      throw Command.UsageError(
        unknown: "there is no script for", word, among: Shell.allCases.map(\.rawValue),
        list: "the shells are: ")
    }
    guard typed.isEmpty else {
      throw Command.UsageError(
        message: "'autowait completions' prints the script of one shell at a time",
        notes: [command.seeHelp])
    }
    console.write(script(shell))
    return .fine
  }

  private static func script(_ shell: Shell) -> String {
    switch shell {
    case .bash:
      #"""
      _autowait() {
        local line file words=("${COMP_WORDS[@]:1:COMP_CWORD}")
        COMPREPLY=()
        while IFS= read -r line; do
          if [[ $line != :files ]]; then
            COMPREPLY+=("${line%%$'\t'*}")
            continue
          fi
          compopt -o filenames 2>/dev/null
          while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$2")
        done < <("$1" completions words -- "${words[@]/#/=}" 2>/dev/null)
      }
      complete -F _autowait autowait

      """#
    case .zsh:
      #"""
      #compdef autowait
      _autowait() {
        local line files=
        local -a found
        while IFS= read -r line; do
          case $line in
            :files) files=1 ;;
            *$'\t'*) found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
            *) found+=("${line//:/\\:}") ;;
          esac
        done < <("$words[1]" completions words -- "${(@)words[2,CURRENT]/#/=}" 2>/dev/null)
        (( $#found )) && _describe autowait found
        [[ -n $files ]] && _files
      }
      compdef _autowait autowait

      """#
    case .fish:
      #"""
      function __autowait
        set -l words (commandline -opc)
        set -l last (commandline -ct)
        set -q last[1]; or set last ''
        for line in ($words[1] completions words -- '='$words[2..] '='$last[1] 2>/dev/null)
          switch $line
            case ':files'
              __fish_complete_path $last[1]
            case '*'
              echo $line
          end
        end
      end
      complete -c autowait -f -a '(__autowait)'

      """#
    }
  }
}
