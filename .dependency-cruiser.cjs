/** The floors of the house: one rule a floor, each named as a sentence. See README, "The house". */
const own = '^(app|components|lib|cli|e2e|bench|drizzle|scripts)/';
/** A path under one of our folders that is not one of `allowed`. */
const ours = (...allowed) => ({ path: own, pathNot: allowed.map((folder) => `^${folder}/`) });

module.exports = {
  forbidden: [
    {
      name: 'domain-is-ground',
      comment: 'The words import zod and diff, and nothing of ours or of Node.',
      severity: 'error',
      from: { path: '^lib/domain/', pathNot: '\\.test\\.tsx?$' },
      to: { pathNot: ['^lib/domain/', 'node_modules/(zod|diff)/'] },
    },
    {
      name: 'process-knows-nothing-of-ours',
      severity: 'error',
      from: { path: '^lib/process/', pathNot: '\\.test\\.ts$' },
      to: ours('lib/process'),
    },
    {
      name: 'capture-knows-only-domain-and-process',
      severity: 'error',
      from: { path: '^lib/capture/', pathNot: '\\.test\\.ts$' },
      to: ours('lib/capture', 'lib/domain', 'lib/process'),
    },
    {
      name: 'store-knows-only-domain-and-schema',
      severity: 'error',
      from: { path: '^lib/store/', pathNot: '\\.test\\.ts$' },
      to: ours('lib/store', 'lib/domain', 'drizzle'),
    },
    {
      name: 'agents-know-only-domain-and-process',
      severity: 'error',
      from: { path: '^lib/agents/', pathNot: '\\.test\\.ts$' },
      to: ours('lib/agents', 'lib/domain', 'lib/process'),
    },
    {
      name: 'tools-know-only-domain',
      severity: 'error',
      from: { path: '^lib/tools/', pathNot: '\\.test\\.ts$' },
      to: ours('lib/tools', 'lib/domain'),
    },
    {
      name: 'runs-introduce-the-wings',
      severity: 'error',
      from: { path: '^lib/runs/', pathNot: '\\.test\\.ts$' },
      to: ours('lib/runs', 'lib/domain', 'lib/capture', 'lib/store', 'lib/agents', 'lib/process', 'lib/tools'),
    },
    {
      name: 'server-is-not-a-door',
      severity: 'error',
      from: { path: '^lib/server/', pathNot: '\\.test\\.ts$' },
      to: ours(
        'lib/server',
        'lib/domain',
        'lib/capture',
        'lib/store',
        'lib/agents',
        'lib/process',
        'lib/tools',
        'lib/runs',
      ),
    },
    {
      name: 'app-reaches-the-disk-through-the-server',
      severity: 'error',
      from: { path: '^app/', pathNot: '\\.test\\.tsx?$' },
      to: ours('app', 'components', 'lib/server', 'lib/domain', 'lib/client'),
    },
    {
      name: 'ui-speaks-only-domain',
      severity: 'error',
      from: { path: '^(components|lib/client)/', pathNot: '\\.test\\.tsx?$' },
      to: ours('components', 'lib/client', 'lib/domain'),
    },
    {
      name: 'client-is-under-components',
      severity: 'error',
      from: { path: '^lib/client/' },
      to: { path: '^components/' },
    },
    {
      name: 'ui-has-no-node',
      severity: 'error',
      from: { path: '^(components|lib/client)/', pathNot: '\\.test\\.tsx?$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'cli-speaks-only-domain',
      severity: 'error',
      from: { path: '^cli/', pathNot: '\\.test\\.ts$' },
      to: ours('cli', 'lib/domain'),
    },
    {
      name: 'outside-stays-outside',
      comment: 'The browser tests and benchmarks use the product over HTTP and the browser.',
      severity: 'error',
      from: { path: '^(e2e|bench)/', pathNot: '^bench/capture' },
      to: ours('e2e', 'bench', 'lib/domain', 'lib/testing'),
    },
    {
      name: 'the-capture-bench-measures-capture-itself',
      comment: 'What one snapshot costs cannot be told over HTTP.',
      severity: 'error',
      from: { path: '^bench/capture' },
      to: ours('bench', 'lib/capture', 'lib/domain', 'lib/process'),
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          '\\.d\\.ts$',
          '(^|/)(page|layout|route|error|global-error|not-found|loading|icon|manifest)\\.tsx?$',
          '\\.config\\.',
          '\\.test\\.tsx?$',
          '^(proxy|instrumentation)\\.ts$',
          '^lib/testing/',
          '^e2e/',
          '^bench/',
        ],
      },
      to: {},
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(\\.next|dist)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
