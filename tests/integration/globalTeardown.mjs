export default async function globalTeardown() {
  await globalThis.noloTestStack?.stop();
}
