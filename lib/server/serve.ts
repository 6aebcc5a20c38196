/** The server's process: settings, data folder, listener, Next, the one line that says it is ready, and a clean stop. */
import { createServer, type RequestListener } from 'node:http';
import { isAppError } from '@/lib/domain/errors';
import { VERSION } from '@/lib/domain/version';
import { ownUrl, setAddress } from './address';
import { announceServer, lockDataFolder, type runningServer, unlockDataFolder } from './data-folder-lock';
import { settings } from './env';
import { house } from './runtime';
import { shutdown } from './shutdown';
import { endStreams } from './sse';
import { token } from './token';

/** Says what is wrong and ends. */
function refuse(sentence: string): never {
  process.stderr.write(`Tidemark cannot start. ${sentence}\n`);
  process.exit(1);
}

async function main(): Promise<void> {
  const isDev = process.argv.includes('--dev');
  const { host, port, dataDir } = readSettings();

  const other = await lockDataFolder(dataDir).catch((error: Error) =>
    refuse(`The data folder ${dataDir} cannot be used: ${error.message}`),
  );
  if (other) leaveItTo(other, port, dataDir);
  process.on('exit', () => unlockDataFolder(dataDir));
  openHouse();

  let handle: RequestListener = (_, response) => {
    response.writeHead(503, { 'retry-after': '1' }).end('Tidemark is starting.\n');
  };
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      refuse(
        error.code === 'EADDRINUSE'
          ? `Port ${port} on ${host} is taken by another program. Set TIDEMARK_PORT to a free one (0 picks one).`
          : error.code === 'EACCES'
            ? `Port ${port} needs rights that this user does not have. Set TIDEMARK_PORT to one above 1023.`
            : `${host}:${port} cannot be listened on: ${error.message}`,
      );
    });
    server.listen(port, host, resolve);
  });
  const bound = server.address();
  setAddress({ host, port: typeof bound === 'object' && bound ? bound.port : port });
  stopOnSignals(server);

  // Standard output holds the one line that says where Tidemark is; what Next tells of itself goes beside it.
  const toOutput = process.stdout.write;
  process.stdout.write = process.stderr.write.bind(process.stderr);
  const { default: next } = await import('next');
  // "localhost" whatever we listen on: Next writes loopback addresses so, and takes a rewrite to another name for foreign.
  const app = next({ dev: isDev, dir: process.cwd(), hostname: 'localhost', port: Number(new URL(ownUrl()).port) });
  await app.prepare();
  handle = app.getRequestHandler();
  if (isDev) server.on('upgrade', app.getUpgradeHandler());
  await announceServer(dataDir, ownUrl(), VERSION);
  process.stdout.write = toOutput;
  process.stdout.write(`Tidemark is ready at ${ownUrl()}/?token=${encodeURIComponent(token())}\n`);
}

/** Opens the database before anything listens: one that cannot be used ends the start with a sentence. */
function openHouse(): void {
  try {
    house();
  } catch (error) {
    refuse(isAppError(error) ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

function readSettings() {
  try {
    return settings();
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

/** Another server uses the data folder: the same start again prints its link, another one is refused. */
function leaveItTo(
  other: NonNullable<Awaited<ReturnType<typeof runningServer>>>,
  port: number,
  dataDir: string,
): never {
  const isSame = other.url !== '' && Number(new URL(other.url).port) === port;
  if (!isSame) {
    refuse(
      `Another Tidemark (process ${other.pid}${other.url === '' ? '' : `, ${other.url}`}) uses the data folder ${dataDir}. Stop it, or set TIDEMARK_DATA_DIR to another folder.`,
    );
  }
  process.stdout.write(`Tidemark is ready at ${other.url}/?token=${encodeURIComponent(token())}\n`);
  process.exit(0);
}

function stopOnSignals(server: ReturnType<typeof createServer>): void {
  let isStopping = false;
  const stop = (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => {
    // npm passes a Ctrl-C on that the terminal has sent us already.
    if (isStopping) return;
    isStopping = true;
    const status = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal];
    server.close();
    void shutdown(house())
      .catch((error: unknown) => process.stderr.write(`Tidemark stopped untidily: ${String(error)}\n`))
      .finally(() => {
        endStreams();
        server.closeAllConnections();
        process.exit(status);
      });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal));
}

main().catch((error: unknown) => refuse(error instanceof Error ? (error.stack ?? error.message) : String(error)));
