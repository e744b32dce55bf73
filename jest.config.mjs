// Each kind of test is a project, so that `npm run check` can run only the fast kinds, and `npm test` can run each kind
// under its own time limit. `together` contains the integration tests that need a complete Nolo, which its files share.
// swc compiles TypeScript by only stripping types, as Node does at run time.
const shared = {
  rootDir: import.meta.dirname,
  testEnvironment: '<rootDir>/tests/jest/environment.mjs',
  resolver: '<rootDir>/tests/jest/resolver.cjs',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
          experimental: { keepImportAttributes: true },
        },
        sourceMaps: 'inline',
      },
    ],
  },
  modulePathIgnorePatterns: ['<rootDir>/.nolo/', '/dist/'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  setupFiles: ['<rootDir>/tests/jest/setup.mjs'],
};

/** Settings for test files that open browsers. */
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
  testSequencer: '<rootDir>/tests/jest/sequencer.mjs',
  // Jest's default of half a second is too short for a finished worker on a busy machine. A worker that leaks never
  // exits.
  workerGracefulExitTimeout: 5_000,
  // Modules of finished files stay in a worker's memory. Without this limit, a worker that runs most files alone would
  // reach Node's limit of about 4 GB.
  workerIdleMemoryLimit: '2GB',
  // The only time limit of tests, so that no test depends on the speed of the machine. A test that hangs still fails.
  testTimeout: 240_000,
  projects: [
    {
      ...shared,
      displayName: 'unit',
      // Stubs a module of which tests need only the URL, which Vite would generate.
      moduleNameMapper: { '/(?:frame|intl|keys|picture)Worker\\.ts$': '<rootDir>/web/src/testing/workerAddress.ts' },
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
        '<rootDir>/tests/launcher/**/*.int.test.ts',
        '<rootDir>/tests/interop/*.int.test.ts',
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
      // Shares its setup with the journeys, so the setup runs once if both projects run.
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
