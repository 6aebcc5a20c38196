/** Does what a recorded call of a tool does: edits, writes and runs for real, so that what is recorded can be compared with the disk. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { kindOfTool } from '@/lib/domain/file-tools';

/** The input of a call as it came. */
export function performCall(tool: string, input: unknown, cwd: string): void {
  const fields = input as Record<string, unknown>;
  const text = (...names: string[]) =>
    names.map((name) => fields[name]).find((value) => typeof value === 'string') as string | undefined;
  const path = text('file_path', 'filePath', 'path');
  const [before, after] = [text('old_string', 'oldString', 'old_text'), text('new_string', 'newString', 'new_text')];
  const content = text('content');
  if (tool === 'apply_patch') {
    applyPatch(String(fields.command ?? fields.input ?? fields.patchText), cwd);
  } else if (kindOfTool(tool) === 'execute') {
    const commands = Array.isArray(fields.commands)
      ? (fields.commands as string[])
      : [text('command', 'cmd') as string];
    for (const command of commands) spawnSync('/bin/sh', ['-c', command], { cwd });
  } else if (path !== undefined && before !== undefined && after !== undefined) {
    const file = resolve(cwd, path);
    writeFileSync(file, readFileSync(file, 'utf8').replace(before, after));
  } else if (path !== undefined && content !== undefined) {
    const file = resolve(cwd, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/** As much of the "*** Begin Patch" form as the recordings use: one hunk a file. */
function applyPatch(patch: string, cwd: string): void {
  for (const part of patch.split(/^\*\*\* (?=Add|Update|Delete)/m).slice(1)) {
    const [head = '', ...lines] = part.replace(/^\*\*\* End Patch[\s\S]*/m, '').split('\n');
    const [, action, path = ''] = /^(Add|Update|Delete) File: (.*)$/.exec(head) ?? [];
    const file = resolve(cwd, path);
    const side = (sign: string) =>
      lines
        .filter((line) => line.startsWith(sign) || line.startsWith(' '))
        .map((line) => `${line.slice(1)}\n`)
        .join('');
    if (action === 'Add') writeFileSync(file, side('+'));
    else if (action === 'Delete') rmSync(file);
    else writeFileSync(file, readFileSync(file, 'utf8').replace(side('-'), side('+')));
  }
}
