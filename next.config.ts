import type { NextConfig } from 'next';

const config: NextConfig = {
  typedRoutes: true,
  poweredByHeader: false,
  agentRules: false,
  // The type check is a step of its own (`npm run typecheck`); the build a user waits for does not repeat it.
  typescript: { ignoreBuildErrors: true },
  // A prompt may carry pictures; CONTRACT's limit of a request.
  experimental: {
    serverActions: { bodySizeLimit: '8mb' },
    // All pages share the frameworks: one chunk of them compresses better than five.
    turbopackChunking: { minChunkSize: 1_500_000, maxMergeChunkSize: 3_000_000 },
  },
  serverExternalPackages: ['better-sqlite3', 'simple-git'],
  // Clients of seed 000 work unchanged.
  rewrites: async () => [{ source: '/api/hermes/sessions/:path*', destination: '/api/sessions/:path*' }],
  turbopack: {
    root: import.meta.dirname,
    // Files of the user's folders are what this program is about; nothing of it is packed for elsewhere.
    ignoreIssue: [{ path: '**', title: 'Dynamic filesystem access causes tracing of the whole project' }],
    resolveAlias: {
      // The package's "browser" build needs a document and dies in a worker; the plain build works in both.
      'decode-named-character-reference': './node_modules/decode-named-character-reference/index.js',
    },
  },
};

export default config;
