/** A session's page as a person uses it: says things in it, reads what a run changed. */
import { expect, type Locator, type Page } from 'playwright/test';

export class SessionPage {
  readonly message: Locator;
  readonly send: Locator;
  readonly stop: Locator;
  readonly timeline: Locator;

  constructor(readonly page: Page) {
    this.message = page.getByRole('textbox', { name: 'Message' });
    this.send = page.getByRole('button', { name: 'Send' });
    this.stop = page.getByRole('button', { name: 'Stop' });
    this.timeline = page.getByRole('log', { name: 'Timeline' });
  }

  get id(): string {
    return new URL(this.page.url()).pathname.split('/').at(-1) as string;
  }

  /** Says something and waits until the run is there. */
  async say(text: string): Promise<Locator> {
    const before = await this.runs.count();
    await this.message.fill(text);
    await this.send.click();
    await expect(this.runs).toHaveCount(before + 1);
    return this.run(before + 1);
  }

  /** Says something and waits until its run has ended. */
  async sayAndWait(text: string): Promise<Locator> {
    const run = await this.say(text);
    await this.untilIdle();
    return run;
  }

  /** Waits until no run goes on. */
  async untilIdle(): Promise<void> {
    await expect(this.stop).toHaveCount(0, { timeout: 30_000 });
  }

  get runs(): Locator {
    return this.timeline.getByRole('article');
  }

  run(number: number): Locator {
    return this.timeline.getByRole('article', { name: `Run ${number}`, exact: true });
  }

  /** The change block of a run. */
  block(run: number): Locator {
    return this.run(run).getByRole('region', { name: new RegExp(`, run ${run}$`) });
  }
}

/** Waits until a block holds exactly these rows, by their accessible names and in this order. */
export async function expectRows(block: Locator, names: string[]): Promise<void> {
  await expect.poll(() => rowNames(block)).toEqual(names);
}

/** The names of a block's rows as they are now, in order. */
export async function rowNames(block: Locator): Promise<string[]> {
  const names = await block
    .locator('button[data-row]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''));
  return names;
}

/** The lines of an open patch, each with the mark that it is read with. */
export async function patchLines(region: Locator): Promise<string[]> {
  return region.locator('tr').evaluateAll((rows) =>
    rows.flatMap((row) => {
      const cell = row.querySelector('td:last-child');
      const text = cell?.textContent ?? '';
      if (row.matches('[class*=insert], :has(td[class*=insert])')) return [`+${text}`];
      if (row.matches('[class*=delete], :has(td[class*=delete])')) return [`-${text}`];
      return row.querySelector('td[class*=code], td[class*=normal]') ? [` ${text}`] : [];
    }),
  );
}
