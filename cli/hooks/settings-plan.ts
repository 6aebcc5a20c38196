/** What an agent's settings file becomes with our hooks in it, and without them: text in, text out. */
import { isOurEntry, isOurHandler, type JsonAgent, wantedEntries } from './agent-settings';
import { type Json, jsonOf, memberOf, settingsTree, withAppended, withoutEmpty, withoutItems } from './json-insertion';

/** Every event under `hooks` that is a list, with its entries. */
function eventLists(text: string): { event: string; entries: Json[] }[] {
  const tree = settingsTree(text);
  const hooks = tree && memberOf(tree, 'hooks');
  if (hooks?.type !== 'object') return [];
  return (hooks.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    return value?.type === 'array' ? [{ event: String(key?.value), entries: jsonOf(value) as Json[] }] : [];
  });
}

/** How much of what is wanted stands in the file. */
export function installedIn(text: string, agent: JsonAgent, command: string): 'no' | 'partly' | 'yes' {
  const lists = eventLists(text);
  const wanted = wantedEntries(agent, command);
  const there = wanted.filter(({ event, entry }) =>
    lists.some((list) => list.event === event && list.entries.some((item) => same(item, entry))),
  );
  if (there.length === wanted.length) return 'yes';
  return there.length > 0 || lists.some(({ entries }) => entries.some((item) => isOurEntry(item, command)))
    ? 'partly'
    : 'no';
}

export interface InstallPlan {
  text: string;
  /** Lists and objects that were not there before: `hooks`, `hooks.Stop`. */
  madeKeys: string[][];
}

/** The file with each wanted entry once, and none of ours that is not wanted any more. */
export function planInstall(before: string, agent: JsonAgent, command: string): InstallPlan {
  const wanted = wantedEntries(agent, command);
  const madeKeys: string[][] = [];
  if (eventKeys(before) === null) madeKeys.push(['hooks']);
  let text = before;
  for (const { event, entries } of eventLists(before)) {
    const keep = wanted.find((candidate) => candidate.event === event);
    const kept = keep !== undefined && entries.some((item) => same(item, keep.entry));
    let seen = false;
    text = withoutItems(text, ['hooks', event], (item) => {
      if (!isOurEntry(item, command)) return false;
      if (!kept || !same(item, keep.entry)) return true;
      const again = seen;
      seen = true;
      return again;
    });
  }
  for (const { event, entry } of wanted) {
    const list = eventLists(text).find((candidate) => candidate.event === event);
    if (list?.entries.some((item) => same(item, entry))) continue;
    if (!eventKeys(before)?.includes(event)) madeKeys.push(['hooks', event]);
    text = withAppended(text, ['hooks', event], entry);
  }
  return { text, madeKeys };
}

function eventKeys(text: string): string[] | null {
  const tree = settingsTree(text);
  const hooks = tree && memberOf(tree, 'hooks');
  if (!hooks) return null;
  return (hooks.children ?? []).map((property) => String(property.children?.[0]?.value));
}

/**
 * The file without anything of ours. `madeKeys` are the containers that we made and that go when they are empty; null
 * where nobody remembers, then those go that become empty by this.
 */
export function planRemoval(before: string, command: string, madeKeys: string[][] | null): string {
  let text = before;
  const emptied: string[][] = [];
  for (const { event, entries } of eventLists(before)) {
    if (!entries.some((item) => holdsOurs(item, command))) continue;
    text = withoutItems(text, ['hooks', event], (item) => isOurEntry(item, command));
    text = withoutOurHandlers(text, event, command);
    emptied.push(['hooks', event]);
  }
  if (text === before) return before;
  const made = madeKeys ?? [...emptied, ['hooks']];
  for (const keys of made.toSorted((a, b) => b.length - a.length)) text = withoutEmpty(text, keys);
  return text;
}

function holdsOurs(item: Json, command: string): boolean {
  const hooks = typeof item === 'object' && item !== null && !Array.isArray(item) ? item.hooks : null;
  return Array.isArray(hooks) && hooks.some((handler) => isOurHandler(handler, command));
}

/** Takes our hook out of entries that somebody else's hook shares. */
function withoutOurHandlers(text: string, event: string, command: string): string {
  let current = text;
  const count = eventLists(text).find((list) => list.event === event)?.entries.length ?? 0;
  for (let at = 0; at < count; at += 1) {
    current = withoutItems(current, ['hooks', event, at, 'hooks'], (handler) => isOurHandler(handler, command));
  }
  return current;
}

function same(a: Json, b: Json): boolean {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return (
    keys.length === others.length &&
    keys.every(
      (key) =>
        Object.hasOwn(b, key) &&
        same((a as Record<string, Json>)[key] ?? null, (b as Record<string, Json>)[key] ?? null),
    )
  );
}
