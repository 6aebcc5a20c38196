'use server';

import { refresh } from 'next/cache';
import { z } from 'zod';
import { ownerAction } from '@/app/owner-action';
import type { ActionResult } from '@/lib/client/action-result';
import * as commands from '@/lib/server/commands';

const freeSchema = z.object({ keepBytes: z.number().int().min(0) });

/** Takes patches and bodies away, oldest first, until at most `keepBytes` remain; answers how many changes expired. */
export async function freeSpace(input: { keepBytes: number }): Promise<ActionResult<{ expired: number }>> {
  return ownerAction(freeSchema, input, async ({ keepBytes }) => {
    const expired = await commands.freeSpace(keepBytes);
    refresh();
    return { expired };
  });
}
