/** The version of Tidemark, as `package.json` says it (a test compares them). */
export const VERSION = '0.1.0';
