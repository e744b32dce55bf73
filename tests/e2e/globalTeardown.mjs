export default async function globalTeardown() {
  await Promise.all((globalThis.noloBrowsers ?? []).map((browser) => browser.stop()));
  await globalThis.noloJourneys?.stop();
}
