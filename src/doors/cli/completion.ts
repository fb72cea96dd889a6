// Completion scripts. A script asks the program itself what may come next, so it never knows less than the program.

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** The word with which a script asks; each line of the answer is a candidate, a tab, and what it is. */
export const ASK = "completion-words";

const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_planwright() {
  local IFS=$'\\n' line
  # As typed, a word may have backslashes before signs that mean something to the shell.
  local -a typed=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  typed=("\${typed[@]//\\\\/}")
  COMPREPLY=()
  while IFS= read -r line; do
    [ -n "$line" ] && COMPREPLY+=("$(printf %q "\${line%%$'\\t'*}")")
  done < <("\${COMP_WORDS[0]}" ${ASK} -- "\${typed[@]}" 2>/dev/null)
}
complete -o default -F _planwright planwright pw
`,
  zsh: `#compdef planwright pw
_planwright() {
  local line
  local -a found
  while IFS= read -r line; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <("$words[1]" ${ASK} -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  if (( $#found )); then _describe 'planwright' found; else _files; fi
}
compdef _planwright planwright pw
`,
  fish: `function __planwright_words
  set -l typed (commandline -opc) (commandline -ct)
  $typed[1] ${ASK} -- $typed[2..-1] 2>/dev/null
end
complete -c planwright -a '(__planwright_words)'
complete -c pw -a '(__planwright_words)'
`,
};

export const completionScript = (shell: Shell): string => SCRIPTS[shell];
