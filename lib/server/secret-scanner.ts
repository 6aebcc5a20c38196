/** The scanner behind masking: secretlint's recommended rules, and what the shape of a text tells. */
import 'server-only';
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { type Finding, findSecrets } from '@/lib/domain/secret-patterns';

const PRESET = '@secretlint/secretlint-rule-preset-recommend';
const CONFIG = { rules: [{ id: PRESET, rule: creator }] };

/** Characters that end a secret, wherever a rule says that it ends: some rules give a range that is too short. */
const ENDS = /[\s"'`,;)}\]<>]/;

/** Everything in `text` that must not be shown to others. */
export async function scanForSecrets(text: string): Promise<Finding[]> {
  if (text.trim() === '') return [];
  const { messages } = await lintSource({
    source: { filePath: '/shared.txt', content: text, ext: '.txt', contentType: 'text' },
    options: { noPhysicFilePath: true, config: CONFIG },
  });
  const found = messages.map(({ range: [from, to], ruleId }) => ({
    ...valuePart(text, from, to),
    rule: ruleName(ruleId),
  }));
  return [...found, ...findSecrets(text)];
}

/** The value of a finding that begins at a name (`KEY = value`), to the end of the word it ends in. */
function valuePart(text: string, from: number, to: number): { from: number; to: number } {
  let end = to;
  while (end < text.length && !ENDS.test(text[end]!)) end += 1;
  const name = /^[\w.-]+["']?\s*(?:=>|:=|[:=])(?!\/\/)\s*["']?/.exec(text.slice(from, end));
  return { from: name && from + name[0].length < end ? from + name[0].length : from, to: end };
}

/** `github` of `@secretlint/secretlint-rule-github`. */
function ruleName(id: string): string {
  return id.replace(/^@secretlint\/secretlint-rule-/, '').replaceAll('-', ' ');
}
