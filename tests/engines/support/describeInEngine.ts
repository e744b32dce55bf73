/** Defines tests in a browser that may be missing. They are skipped then, with the reason in their title. */
export function describeInEngine(engine: 'Firefox' | 'WebKit', tests: (program: string) => void): void {
  const program = process.env[`NOLO_TEST_${engine.toUpperCase()}`];
  if (program !== undefined) {
    describe(engine, () => tests(program));
    return;
  }
  const reason = process.env[`NOLO_TEST_NO_${engine.toUpperCase()}`] ?? 'npm test -- engines installs it';
  // Skipped: the browser is not on this machine; the launcher logged the reason.
  test.skip(`${engine}: ${reason}`, () => {});
}
