/** A small web application and what an agent is asked to do with it: what the pictures of the product show. */

const form = `<script setup lang="ts">
import { reactive, ref } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { login } from '@/api/session';

const route = useRoute();
const router = useRouter();
const form = reactive({ user: '', password: '' });
const busy = ref(false);

async function submit() {
  busy.value = true;
  await login(form.user, form.password);
  await router.push(route.query.next ?? '/');
}
</script>

<template>
  <form @submit.prevent="submit">
    <input v-model="form.user" autocomplete="username" />
    <input v-model="form.password" type="password" />
    <button :disabled="busy">Log in</button>
  </form>
</template>
`;

const guard = `import type { Router } from 'vue-router';

/** Sends visitors without a session to the login page. */
export function guard(router: Router) {
  router.beforeEach((to) => {
    if (to.meta.open || sessionStorage.getItem('session')) return true;
    return { path: '/login', query: { next: to.fullPath } };
  });
}
`;

export const STORY_FILES: Record<string, string | Uint8Array> = {
  'src/Login.vue': form,
  'src/guard.ts': guard,
  'src/router.ts':
    "import { guard } from './guard';\n\nexport const routes = [\n  { path: '/login', component: () => import('./Login.vue') },\n  { path: '/old/login', redirect: '/old/login.html' },\n];\n",
  'src/api/session.ts':
    "export async function login(user: string, password: string) {\n  await fetch('/session', { method: 'POST', body: JSON.stringify({ user, password }) });\n}\n",
  'old/login.js': Array.from({ length: 22 }, (_, at) => `document.write('<p>step ${at + 1}</p>');\n`).join(''),
  'assets/logo.png': pixel(201),
  'package.json': '{\n  "name": "hermes-web",\n  "version": "1.4.0",\n  "private": true\n}\n',
  '.gitignore': 'node_modules\n.env\n',
  '.env': 'API_URL=http://localhost:8080\n',
  'README.md': '# hermes-web\n\nThe web client.\n',
};

export const LOGIN_PROMPT =
  'Replace the login form with the new one, keep the old URL working, and add the token endpoint.';
export const RELEASE_PROMPT = 'Switch to the release branch and bump the version.';
export const TEST_PROMPT = 'Do the tests still pass?';

const auth = [
  'export interface Token { token: string; expiresAt: number }',
  '',
  '/** Asks for a token; the password never leaves this call. */',
  'export async function createToken(form: { user: string; password: string }): Promise<Token> {',
  "  const response = await fetch('/token', { method: 'POST', body: JSON.stringify(form) });",
  "  if (!response.ok) throw new Error('Wrong user or password');",
  '  return response.json();',
  '}',
  '',
]
  .join('\n')
  .replaceAll('\n', '\\n');

/** No agent is so fast that its calls cannot be told apart. */
const PAUSE = 'sleep 500';

/** What the scripted agent does when it is asked one of these things. */
export const STORY_SCRIPTS: Record<string, string> = {
  [LOGIN_PROMPT]: [
    'title Login rewrite',
    'commands',
    'usage',
    'think The old page redirects through /old/login.html. The guard must keep sending visitors to /login, so only the component and the redirect change.',
    'plan',
    'read src/Login.vue',
    PAUSE,
    'read src/router.ts',
    PAUSE,
    'edit src/Login.vue   await login(form.user, form.password); =>   const { token } = await createToken(form);\\n  session.adopt(token);',
    PAUSE,
    "edit src/Login.vue import { login } from '@/api/session'; => import { createToken } from '@/api/auth';\\nimport { session } from '@/session';",
    PAUSE,
    `write src/api/auth.ts ${auth}`,
    PAUSE,
    "edit src/router.ts redirect: '/old/login.html' => redirect: '/login'",
    PAUSE,
    'delete old/login.js',
    PAUSE,
    'run mkdir -p src/router && git mv src/guard.ts src/router/guard.ts && sed -i s#./guard#./router/guard# src/router.ts',
    PAUSE,
    'run echo "tests 41 passed, 1 failed"; exit 1',
    PAUSE,
    'run echo TOKEN_TTL=3600 >> .env && head -c 180 /dev/zero >> assets/logo.png && echo "tests 42 passed"',
    PAUSE,
    'say The new form is in place and `/login` still works.\\n\\n- `src/Login.vue` asks for a token and adopts it.\\n- `src/api/auth.ts` is new: one call, one error.\\n- `old/login.js` is gone; **/old/login** now leads to `/login`.\\n\\n```ts\\nconst { token } = await createToken(form);\\nsession.adopt(token);\\n```',
  ].join('\n'),
  [RELEASE_PROMPT]: [
    'run git switch -q release',
    PAUSE,
    'edit package.json "version": "1.4.0" => "version": "1.4.1"',
    PAUSE,
    'ask',
    'run git tag v1.4.1 && git push --tags',
    'say Done.',
  ].join('\n'),
  [TEST_PROMPT]: ['stream 4000 40 Running the tests, one by one. '].join('\n'),
};

/** Bytes that no text has. */
function pixel(size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, at) => (at * 37) % 256);
}
