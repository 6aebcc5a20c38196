/** Says in a sentence why an agent failed, from its error, its exit and the last it wrote to its error output. */
import type { ChildExit } from '@/lib/process/child';
import { isRecord } from './acp-content';
import { createTerminalText } from './terminal-text';

/** ACP's "authentication required". */
const AUTH_REQUIRED = -32000;
/** Characters of an agent's own words that a failure repeats. */
const MAX_WORDS_CHARS = 2_000;
/** Names of variables whose values are secrets. */
const SECRET_NAMES = /key|token|secret|passw|credential|auth/i;
/** Values shorter than this are words, not secrets. */
const MIN_SECRET_CHARS = 8;

export interface AuthMethod {
  name: string;
  description: string;
}

/** The ways to log in that an agent names. */
export function authMethodsOf(initializeAnswer: unknown): AuthMethod[] {
  if (!isRecord(initializeAnswer) || !Array.isArray(initializeAnswer.authMethods)) return [];
  return initializeAnswer.authMethods.filter(isRecord).flatMap(({ id, name, description }) => {
    const title = typeof name === 'string' ? name : id;
    return typeof title === 'string'
      ? [{ name: title, description: typeof description === 'string' ? description : '' }]
      : [];
  });
}

export interface FailedAgent {
  name: string;
  authMethods: AuthMethod[];
  /** How its process ended, or null while it lives. */
  exit: ChildExit | null;
  /** The end of its error output. */
  stderr: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** What a request to the agent was rejected with, in words for a person. */
export function failureInWords(error: unknown, agent: FailedAgent): string {
  return withoutSecrets(sentence(error, agent), agent.env).slice(0, MAX_WORDS_CHARS * 2);
}

function sentence(error: unknown, agent: FailedAgent): string {
  const { name, exit } = agent;
  if (exit !== null) return `${name} stopped unexpectedly (${exitInWords(exit)}).${lastWords(agent.stderr)}`;
  if (!isRecord(error) && !(error instanceof Error)) return `${name} failed.`;
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  const said = typeof message === 'string' ? message : '';
  const details = detailsOf(data);
  if (code === AUTH_REQUIRED)
    return `${name} needs you to log in first.${loginWords(agent.authMethods)}${own(details)}`;
  if (error instanceof Error && error.name === 'MessageTooLargeError') {
    return `${name} sent a message that is too large to be read, and was stopped.`;
  }
  const words = [said === 'Internal error' && details !== '' ? '' : said, details]
    .filter((part) => part !== '')
    .join(': ');
  return words === ''
    ? `${name} failed.${lastWords(agent.stderr)}`
    : `${name} failed: ${words.slice(0, MAX_WORDS_CHARS)}`;
}

function loginWords(methods: AuthMethod[]): string {
  if (methods.length === 0) return ' Start it once in a terminal and log in there, then send the message again.';
  const ways = methods.map(({ name, description }) => (description === '' ? name : `${name} (${description})`));
  return ` It offers: ${ways.join('; ')}. Start it once in a terminal and log in there, then send the message again.`;
}

function own(details: string): string {
  return details === '' ? '' : ` It says: ${details.slice(0, MAX_WORDS_CHARS)}`;
}

function detailsOf(data: unknown): string {
  if (typeof data === 'string') return data;
  if (!isRecord(data)) return '';
  const { details, message, reason } = data;
  const told = [details, message, reason].find((part) => typeof part === 'string');
  return typeof told === 'string' ? told : '';
}

export function exitInWords({ code, signal }: ChildExit): string {
  return code === null ? `signal ${signal}` : `exit code ${code}`;
}

function lastWords(stderr: string): string {
  const words = plainLines(stderr).slice(-MAX_WORDS_CHARS).trim();
  return words === '' ? ' It left no error message.' : ` Its last words:\n${words}`;
}

function plainLines(text: string): string {
  const page = createTerminalText();
  return page.write(text) + page.line;
}

/** `text` without the value of any variable whose name says that it is secret. */
export function withoutSecrets(text: string, env: Readonly<Record<string, string | undefined>>): string {
  let clean = text;
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || value.length < MIN_SECRET_CHARS || !SECRET_NAMES.test(name)) continue;
    clean = clean.replaceAll(value, `[${name}]`);
  }
  return clean;
}
