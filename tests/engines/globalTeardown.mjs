export default async function globalTeardown() {
  await globalThis.noloEngines?.stop();
}
