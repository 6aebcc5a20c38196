import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listen } from './ear';

/** Says what time it is whenever it is asked. */
const CLOCK = 'process.stdin.on("data", () => process.stdout.write(String(Date.now())))';

function hearDeaf(ms: number): void {
  if (ms > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test.each([0, 5, 30, 400])(
  'what is heard after %i ms of deafness was said after the moment that is told',
  async (ms) => {
    const ear = listen();
    onTestFinished(() => ear.stop());
    const clock = spawn(process.execPath, ['-e', CLOCK]);
    onTestFinished(() => void clock.kill());
    for (let round = 0; round < 5; round += 1) {
      const answered = new Promise<{ said: number; since: number }>((resolve) => {
        clock.stdout.once('data', (said) => resolve({ said: Number(said), since: ear.since() }));
      });
      clock.stdin.write('?');
      // Long enough for the words to leave, and then the process is busy with other things while the answer comes.
      await new Promise((resolve) => setImmediate(resolve));
      hearDeaf(ms);
      const { said, since } = await answered;
      expect(since).toBeLessThanOrEqual(said);
    }
  },
);

test('the moment moves on', async () => {
  const ear = listen();
  onTestFinished(() => ear.stop());
  const first = ear.since();
  await vi.waitFor(() => expect(ear.since()).toBeGreaterThan(first), 10_000);
  ear.stop();
  const stopped = ear.since();
  await once(spawn('sleep', ['0.1']), 'exit');
  expect(ear.since()).toBe(stopped);
});
