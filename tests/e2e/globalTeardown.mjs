export default async function globalTeardown() {
  await globalThis.noloJourneys?.stop();
}
