// One project per kind of test, so that `npm run check` can ask for the fast ones alone and `npm test` for each kind
// under its own time limit. `together` is what of the integration tests needs a whole Nolo, which its files share. TypeScript goes through swc, which only strips types, just as Node does when it runs it.
const shared = {
  rootDir: import.meta.dirname,
  testEnvironment: '<rootDir>/jest.environment.mjs',
  resolver: '<rootDir>/jest.resolver.cjs',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
        },
        sourceMaps: 'inline',
      },
    ],
  },
  modulePathIgnorePatterns: ['<rootDir>/.nolo/', '/dist/'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  setupFiles: ['<rootDir>/jest.setup.mjs'],
};

/** For files that open browsers. */
const browsing = {
  ...shared,
  testEnvironment: '<rootDir>/tests/e2e/support/browserEnvironment.mjs',
  moduleNameMapper: { '^playwright-core$': '<rootDir>/tests/e2e/support/sharedPlaywright.cjs' },
  globalSetup: '<rootDir>/tests/e2e/globalSetup.mjs',
  globalTeardown: '<rootDir>/tests/e2e/globalTeardown.mjs',
};

export default {
  rootDir: import.meta.dirname,
  maxWorkers: 2,
  testSequencer: '<rootDir>/jest.sequencer.mjs',
  // Half a second, which jest gives, is what a worker that is done needs on a busy machine; one that leaks never ends.
  workerGracefulExitTimeout: 5_000,
  // The one limit of tests, so that none knows the speed of the machine; a test that hangs fails all the same.
  testTimeout: 240_000,
  projects: [
    {
      ...shared,
      displayName: 'unit',
      // Asked for its address alone, which Vite would make.
      moduleNameMapper: { '/(?:frame|intl|picture)Worker\\.ts$': '<rootDir>/web/src/testing/workerAddress.ts' },
      testMatch: [
        '<rootDir>/packages/*/src/**/*.test.ts',
        '<rootDir>/services/*/src/**/*.test.ts',
        '<rootDir>/simulators/src/**/*.test.ts',
        '<rootDir>/scripts/**/*.test.ts',
        '<rootDir>/web/src/**/*.test.ts',
        '<rootDir>/web/src/**/*.test.tsx',
        '<rootDir>/web/vitePlugins/*.test.ts',
      ],
    },
    {
      ...shared,
      displayName: 'integration',
      testMatch: [
        '<rootDir>/services/*/tests/**/*.int.test.ts',
        '<rootDir>/simulators/tests/**/*.int.test.ts',
        '<rootDir>/packages/*/tests/**/*.int.test.ts',
        '<rootDir>/tests/integration/kit/**/*.int.test.ts',
        '<rootDir>/tests/launcher/**/*.int.test.ts',
      ],
    },
    {
      ...shared,
      displayName: 'together',
      testMatch: ['<rootDir>/tests/integration/*.int.test.ts'],
      globalSetup: '<rootDir>/tests/integration/globalSetup.mjs',
      globalTeardown: '<rootDir>/tests/integration/globalTeardown.mjs',
    },
    {
      ...browsing,
      displayName: 'journeys',
      testMatch: ['<rootDir>/tests/e2e/**/*.test.ts'],
    },
    {
      // With the same set-up as the journeys: it runs once where both are wanted.
      ...browsing,
      displayName: 'engines',
      testMatch: ['<rootDir>/tests/engines/**/*.test.ts'],
    },
    {
      ...shared,
      displayName: 'faults',
      testMatch: ['<rootDir>/tests/faults/**/*.test.ts'],
    },
  ],
};
