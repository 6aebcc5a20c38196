/** What the settings page shows of the server. */
import type { SessionId } from '@/lib/domain/ids';
import type { Limits } from '@/lib/domain/limits';

export interface SettingsRead {
  version: string;
  node: string;
  dataDir: string;
  storage: {
    databaseBytes: number;
    sessionCount: number;
    runCount: number;
    changeCount: number;
    /** Changes whose bodies retention took. */
    expiredCount: number;
    largestSessions: { id: SessionId; title: string; bytes: number }[];
    /** Bytes that capture keeps, by folder. */
    workspaces: { root: string; displayRoot: string; bytes: number }[];
  };
  limits: Limits;
}
