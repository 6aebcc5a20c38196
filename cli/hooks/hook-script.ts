/** The script that an agent's hook runs: `sh` and `curl` alone, since starting Node would cost the agent a moment every time. */
import { HOOK_AGENT_NAMES, type HookAgent } from '@/lib/domain/hooks';

/** One word of `sh`, whatever it holds. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * What stands in an agent's settings. It succeeds where the script is gone, so that deleting Tidemark's data folder
 * breaks no agent. It holds no token.
 */
export function hookCommand(script: string): string {
  return `test ! -x ${shellQuoted(script)} || ${shellQuoted(script)}`;
}

/** What the script must know. */
export interface ScriptFacts {
  agent: HookAgent;
  dataDir: string;
  /** How `tidemark` is run, for computers without curl. */
  fallback: { node: string; cli: string };
}

/**
 * The text of `<data>/hooks/<agent>`. It prints nothing to standard output, where an agent would read it; it ends with
 * 0 whatever happens; it takes two seconds at most, and half a second while Tidemark is known to hang. The token
 * goes to curl through a descriptor, never through an argument that others can list.
 */
export function hookScript({ agent, dataDir, fallback }: ScriptFacts): string {
  return `#!/bin/sh
# Tells Tidemark what ${HOOK_AGENT_NAMES[agent]} does: posts one hook event to the server on this computer.
# Written by \`tidemark hooks install ${agent}\`. Always succeeds. TIDEMARK_HOOKS=off switches it off.
data=${shellQuoted(dataDir)}
away="$data/hooks/away"
slow="$data/hooks/slow"

# Reads all input, so that the agent that writes it is not cut off.
drain() { [ -t 0 ] || cat >/dev/null 2>&1; }

# Says once that nothing is recorded; the mark goes with the next event that arrives.
lost() {
  [ -e "$away" ] && return
  { : >"$away"; } 2>/dev/null
  echo "tidemark: not running, so this work is not recorded (tidemark start)" >&2
}

# The value of a text field of server.json.
field() {
  value=\${json#*"\\"$1\\":"}
  [ "$value" != "$json" ] || { value=; return; }
  value=\${value#*\\"}
  value=\${value%%\\"*}
}

[ "\${TIDEMARK_HOOKS-}" != off ] || { drain; exit 0; }
[ -r "$data/server.json" ] || { drain; lost; exit 0; }
if ! command -v curl >/dev/null 2>&1; then
  TIDEMARK_DATA_DIR="$data" ${shellQuoted(fallback.node)} ${shellQuoted(fallback.cli)} hook ${agent} || :
  exit 0
fi

json=
while IFS= read -r line || [ -n "$line" ]; do json="$json$line"; done <"$data/server.json"
field url
url=$value
field token_file
token=
{ IFS= read -r token <"$value"; } 2>/dev/null
case "$url" in http://* | https://*) ;; *) drain; lost; exit 0 ;; esac

# Two seconds; half a second while the last event got no answer in time.
limit=2
[ ! -e "$slow" ] || limit=0.5
curl -q -s -f -o /dev/null -m "$limit" --noproxy '*' -X POST \\
  -H 'Content-Type: application/json' -H 'Expect:' -H @/dev/fd/3 \\
  --data-binary @- "$url/api/hooks/${agent}" 3<<END 2>/dev/null
Authorization: Bearer $token
END
case $? in
  0) [ ! -e "$away" ] && [ ! -e "$slow" ] || rm -f "$away" "$slow" ;;
  22) ;; # it answered, and refused this event
  28) { : >"$slow"; } 2>/dev/null ;;
  *)
    [ ! -e "$slow" ] || rm -f "$slow"
    lost
    ;;
esac
exit 0
`;
}
