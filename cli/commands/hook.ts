/** `tidemark hook <agent>`: posts one event, where there is no curl; says nothing and always ends with 0. */
import { request } from 'node:http';
import { isIntakeAgent } from '@/lib/domain/hooks';
import type { Command } from '../command';
import { CommandFailure, EXIT } from '../exit-codes';

/** Milliseconds an event may take, as in the script. */
const LIMIT_MS = 2_000;

export const hook: Command = {
  name: 'hook',
  summary: 'post one hook event of an agent from standard input',
  usage: 'AGENT',
  about: 'What the installed hook script does with curl. It never fails: an agent must not feel it.',
  options: {},
  examples: [['tidemark hook claude < event.json', 'post one event']],
  words: { least: 1, most: 1 },
  firstWords: null,
  hidden: true,
  async run({ words: [agent = ''], door }) {
    if (!isIntakeAgent(agent)) throw new CommandFailure(EXIT.usage, `"${agent}" is no agent that Tidemark knows.`);
    if (process.stdin.isTTY) throw new CommandFailure(EXIT.usage, 'The event is read from standard input.');
    const body: Buffer[] = [];
    for await (const chunk of process.stdin) body.push(chunk as Buffer);
    if (process.env.TIDEMARK_HOOKS === 'off') return EXIT.done;
    try {
      const { url, token } = door();
      await post(`${url}/api/hooks/${agent}`, token, Buffer.concat(body));
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      process.stderr.write(`tidemark: ${error.message}\n`);
    }
    return EXIT.done;
  },
};

/** Resolves when it is answered, refused, failed or late: all the same to an agent. */
function post(url: string, token: string, body: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': body.length,
    };
    const sent = request(url, { method: 'POST', agent: false, headers }, (answer) => {
      answer.resume();
      answer.on('close', resolve);
    });
    setTimeout(() => sent.destroy(), LIMIT_MS).unref();
    sent.on('error', () => resolve());
    sent.on('close', resolve);
    sent.end(body);
  });
}
