import { hookStates } from '@/lib/server/hook-intake';
import { json, ownerRoute } from '@/lib/server/http';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

/** When events of each terminal agent last came, and why the last prompt was not recorded. */
export const GET = ownerRoute(() => json({ hooks: hookStates() }));
