import { expect, test } from 'vitest';
import { agentEnvironment } from './agent-environment';

test('secrets and settings of this server are not handed on', () => {
  const given = agentEnvironment({
    HOME: '/home/a',
    ANTHROPIC_API_KEY: 'theirs',
    TIDEMARK_TOKEN: 'ours',
    NODE_ENV: 'production',
    NEXT_MANUAL_SIG_HANDLE: 'true',
    __NEXT_PRIVATE_ORIGIN: 'x',
    npm_config_cache: '/x',
    INIT_CWD: '/x',
    PORT: '4777',
    UNSET: undefined,
  });
  expect(given).toEqual({ HOME: '/home/a', ANTHROPIC_API_KEY: 'theirs' });
});

test('the search path is the one from before npm start', () => {
  const npm = { npm_lifecycle_event: 'start' };
  expect(
    agentEnvironment({
      ...npm,
      PATH: '/t/node_modules/.bin:/node_modules/.bin:/lib/npm/run-script/lib/node-gyp-bin:/usr/bin:/own/node_modules/.bin',
    }).PATH,
  ).toBe('/usr/bin:/own/node_modules/.bin');
  expect(agentEnvironment({ ...npm, PATH: '/t/node_modules/.bin:/usr/bin' }).PATH).toBe('/usr/bin');
  expect(agentEnvironment({ PATH: '/own/node_modules/.bin:/usr/bin' }).PATH).toBe('/own/node_modules/.bin:/usr/bin');
});
