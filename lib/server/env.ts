/** The only reader of the process's environment. */
import { homedir } from 'node:os';
import { parseSettings, type Settings } from '@/lib/domain/settings';
import { processState } from './process-state';

/** The settings, read once. Throws `SettingsError` naming the variable that is wrong. */
export function settings(): Settings {
  return processState('settings', () =>
    parseSettings({ env: process.env, platform: process.platform, home: homedir() }),
  );
}
