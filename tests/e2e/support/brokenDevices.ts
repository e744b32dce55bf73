import type { BrowserContext, Page } from 'playwright-core';

/** What a browser answers when a page asks for a camera or a microphone that it cannot have. */
export type DeviceTrouble = 'NotAllowedError' | 'NotFoundError' | 'NotReadableError';

/** From the next page on every camera and microphone is refused with this error, until `setTrouble` says otherwise. */
export async function breakDevices(context: BrowserContext, trouble: DeviceTrouble): Promise<void> {
  // As text, for the tests know no DOM.
  await context.addInitScript(`{
    const { mediaDevices } = navigator;
    globalThis.deviceTrouble = '${trouble}';
    const open = mediaDevices.getUserMedia.bind(mediaDevices);
    mediaDevices.getUserMedia = async (constraints) => {
      if (globalThis.deviceTrouble === null) return await open(constraints);
      throw new DOMException('refused by the test', globalThis.deviceTrouble);
    };
    const list = mediaDevices.enumerateDevices.bind(mediaDevices);
    mediaDevices.enumerateDevices = async () => (globalThis.deviceTrouble === 'NotFoundError' ? [] : await list());
  }`);
}

/** What happens the next time that this page asks; null for a device that works. */
export async function setTrouble(page: Page, trouble: DeviceTrouble | null): Promise<void> {
  await page.evaluate(`globalThis.deviceTrouble = ${JSON.stringify(trouble)}; undefined`);
}
