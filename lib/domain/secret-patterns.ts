/** Secrets that can be told from a text's shape alone: named assignments, keys with a known beginning, blocks of a key. */

/** A stretch of a text that should not be shown, and what found it. */
export interface Finding {
  from: number;
  to: number;
  /** A short name for people: `aws access key`, `assigned secret`. */
  rule: string;
}

/** Tokens that say by their beginning what they are. */
const TOKENS: readonly [rule: string, pattern: RegExp][] = [
  ['aws access key', /\b(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA|ANVA)[A-Z0-9]{16}\b/g],
  ['json web token', /\beyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,2000}/g],
  ['google api key', /\bAIza[\w-]{35}/g],
  ['stripe key', /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,200}/g],
  ['bearer token', /\b(?:Bearer|Basic)\s+([A-Za-z0-9._~+/-]{16,4000}={0,2})/g],
  ['password in an address', /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@"'<>]{0,200}:([^\s/@"'<>]{3,200})@/gi],
];

/**
 * A name that promises a secret, and what is assigned to it, quoted or bare. Everything is bounded: an endless line
 * must not be walked again from each of its characters.
 */
const ASSIGNED =
  /[\w.-]{0,40}(?:pass(?:word|wd|phrase)|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|encryption[_-]?key|signing[_-]?key|credential|auth[_-]?key)[\w.-]{0,40}["'\]]?\s{0,20}(?:=>|:=|[:=])\s{0,20}(?:"([^"\n]{6,400})"|'([^'\n]{6,400})'|`([^`\n]{6,400})`|([^\s"'`,;(){}[\]<>]{8,400}))/gi;

/** A long run of base64 on a line of its own, as keys are wrapped. */
const BASE64_LINE = /^[ \t]*[A-Za-z0-9+/]{60,76}={0,2}[ \t]*$/;
const KEY_BORDER = /-----(?:BEGIN|END) [A-Z0-9 ]*(?:PRIVATE KEY|SECRET)[A-Z0-9 ]*-----/;

/** Everything in `text` that looks like a secret. Ranges may overlap. */
export function findSecrets(text: string): Finding[] {
  return [...tokens(text), ...assigned(text), ...keyBlocks(text)];
}

function tokens(text: string): Finding[] {
  return TOKENS.flatMap(([rule, pattern]) =>
    [...text.matchAll(pattern)].map((match) => {
      const value = match[1] ?? match[0];
      const from = match.index + match[0].lastIndexOf(value);
      return { from, to: from + value.length, rule };
    }),
  );
}

function assigned(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const match of text.matchAll(ASSIGNED)) {
    const quoted = match[1] ?? match[2] ?? match[3];
    const value = quoted ?? match[4];
    if (value === undefined || !(quoted === undefined ? looksRandom(value) : looksSecret(value))) continue;
    const from = match.index + match[0].lastIndexOf(value);
    findings.push({ from, to: from + value.length, rule: 'assigned secret' });
  }
  return findings;
}

/** A quoted value that is no sentence, no template and no name of something else. */
function looksSecret(value: string): boolean {
  if (/\s/.test(value) || /^[$%#<{]|\$\{|\{\{/.test(value)) return false;
  return !/^[a-z]+(?:[._/-][a-z]+)+$/i.test(value);
}

/** A bare value that nobody would write as code: letters and digits mixed. */
function looksRandom(value: string): boolean {
  return (
    /^[A-Za-z0-9+/=_~.!@#%^&*-]+$/.test(value) &&
    /\d/.test(value) &&
    /[A-Za-z]/.test(value) &&
    !/^[\w]+\.[\w.]+$/.test(value)
  );
}

/** The lines of a private key, also where a patch shows only its middle. */
function keyBlocks(text: string): Finding[] {
  const findings: Finding[] = [];
  let at = 0;
  let inKey = false;
  let wrapped: Finding[] = [];
  const flush = () => {
    if (wrapped.length > 1) findings.push(...wrapped);
    wrapped = [];
  };
  for (const line of text.split('\n')) {
    const finding = { from: at, to: at + line.length, rule: 'private key' };
    if (KEY_BORDER.test(line)) {
      inKey = line.includes('BEGIN') && !line.includes('END ');
      findings.push(finding);
    } else if (inKey && line.trim() !== '') findings.push(finding);
    else if (BASE64_LINE.test(line)) wrapped.push(finding);
    else flush();
    at += line.length + 1;
  }
  flush();
  return findings;
}

/** Files whose every value is a secret by custom. */
export function isSecretFile(path: string): boolean {
  return /(^|\/)(\.env(\.[^/]*)?|\.envrc|\.netrc|\.pgpass|\.npmrc|\.pypirc|[^/]*\.(pem|key|p12|pfx|keystore|jks)|id_(rsa|dsa|ecdsa|ed25519)|credentials|secrets?\.(ya?ml|json|toml|env))$/i.test(
    path,
  );
}

const ENTRY = /^(\s*(?:export\s+)?["']?[\w.-]+["']?\s*[=:]\s*)(.+)$/;

/**
 * What of a line in a file of secrets must not be shown: the value of `NAME=value`, else all of it. Blank lines,
 * brackets alone and comments without a value are shown.
 */
export function secretPart(line: string): { from: number; to: number } | null {
  if (/^[\s{}[\],]*$/.test(line)) return null;
  const entry = ENTRY.exec(line.replace(/^\s*[#;]+\s*/, (mark) => ' '.repeat(mark.length)));
  if (entry) return /^["'{[,\s]*$/.test(entry[2]!) ? null : { from: entry[1]!.length, to: line.length };
  if (/^\s*[#;]/.test(line)) return null;
  return { from: 0, to: line.length };
}
