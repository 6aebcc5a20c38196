/** Keeps state on `globalThis`: one `lib` module is evaluated once per module graph of the same process, several times in all. */
export function processState<Value>(key: string, create: () => Value): Value {
  const name = Symbol.for(`tidemark.${key}`);
  const holder = globalThis as { [name: symbol]: Value | undefined };
  holder[name] ??= create();
  return holder[name];
}
