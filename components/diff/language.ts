/** The language of a file, told from its name, as Prism calls it. */

const EXTENSIONS: Record<string, string> = {
  bash: 'sh bash zsh ksh bats envrc env',
  c: 'c h',
  clojure: 'clj cljs edn',
  cpp: 'cc cpp cxx hpp hh hxx ino',
  csharp: 'cs csx',
  css: 'css pcss',
  dart: 'dart',
  diff: 'diff patch',
  docker: 'dockerfile',
  elixir: 'ex exs',
  go: 'go',
  graphql: 'graphql gql',
  groovy: 'groovy gradle',
  haskell: 'hs',
  hcl: 'tf hcl tfvars',
  ini: 'ini cfg conf properties editorconfig gitconfig',
  java: 'java',
  javascript: 'js mjs cjs',
  json: 'json jsonc json5 webmanifest geojson',
  jsx: 'jsx',
  kotlin: 'kt kts',
  less: 'less',
  lua: 'lua',
  makefile: 'mk mak',
  markdown: 'md mdx markdown',
  markup: 'html htm xml svg xhtml vue svelte astro plist csproj xaml',
  nix: 'nix',
  objectivec: 'm mm',
  perl: 'pl pm',
  php: 'php phtml',
  powershell: 'ps1 psm1',
  protobuf: 'proto',
  python: 'py pyi pyw',
  r: 'r',
  ruby: 'rb rake gemspec',
  rust: 'rs',
  sass: 'sass',
  scala: 'scala sbt',
  scss: 'scss',
  sql: 'sql',
  swift: 'swift',
  toml: 'toml',
  tsx: 'tsx',
  typescript: 'ts mts cts',
  vbnet: 'vb',
  yaml: 'yml yaml',
  zig: 'zig',
};

const BY_EXTENSION = new Map(
  Object.entries(EXTENSIONS).flatMap(([language, list]) => list.split(' ').map((extension) => [extension, language])),
);

const BY_NAME = new Map([
  ['dockerfile', 'docker'],
  ['containerfile', 'docker'],
  ['makefile', 'makefile'],
  ['gnumakefile', 'makefile'],
  ['gemfile', 'ruby'],
  ['rakefile', 'ruby'],
  ['jenkinsfile', 'groovy'],
  ['.bashrc', 'bash'],
  ['.zshrc', 'bash'],
  ['.profile', 'bash'],
  ['.npmrc', 'ini'],
  ['.prettierrc', 'json'],
  ['.babelrc', 'json'],
  ['cargo.lock', 'toml'],
  ['poetry.lock', 'toml'],
  ['uv.lock', 'toml'],
  ['composer.lock', 'json'],
  ['yarn.lock', 'yaml'],
]);

/** The language by which a file is coloured, or null where its name does not tell. */
export function languageOf(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const named = BY_NAME.get(name);
  if (named !== undefined) return named;
  if (/^\.env(\.|$)/.test(name)) return 'bash';
  const dot = name.lastIndexOf('.');
  return dot < 0 ? null : (BY_EXTENSION.get(name.slice(dot + 1)) ?? null);
}
