/** Colours one line of a patch for a terminal; foreign control characters are made visible. */
import { harmless, type Paint } from './screen';

export function paintPatch(line: string, paint: Paint): string {
  const text = harmless(line);
  if (
    /^(diff --git |index |--- |\+\+\+ |old mode |new mode |new file |deleted file |similarity |rename |#)/.test(text)
  ) {
    return paint('bold', text);
  }
  if (text.startsWith('@@')) return paint('cyan', text);
  if (text.startsWith('+')) return paint('green', text);
  if (text.startsWith('-')) return paint('red', text);
  return text;
}
