/** Something that was not as it must be. */
export interface Complaint {
  what: string;
  expected?: string;
  came?: string;
}

/** A complaint where two values differ, else none. Values are compared as canonical JSON. */
export function differs(what: string, expected: unknown, came: unknown): Complaint[] {
  const [wanted, got] = [written(expected), written(came)];
  return wanted === got ? [] : [{ what, expected: wanted, came: got }];
}

function written(value: unknown): string {
  if (typeof value === 'string') return value;
  return (
    JSON.stringify(value, (_, item: unknown) =>
      typeof item === 'object' && item !== null && !Array.isArray(item)
        ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
        : item,
    ) ?? 'undefined'
  );
}
