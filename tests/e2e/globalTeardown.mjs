export default async function globalTeardown() {
  await globalThis.noloBrowser?.close();
  await globalThis.noloJourneys?.stop();
}
