import type { BrowserContext, Page } from 'playwright-core';

/** Browser errors for a camera or a microphone that a page cannot have. */
export type DeviceTrouble = 'NotAllowedError' | 'NotFoundError' | 'NotReadableError';

/** Refuses every camera and microphone with this error, from the next page on, until `setDeviceTrouble` changes it. */
export async function breakDevices(context: BrowserContext, trouble: DeviceTrouble): Promise<void> {
  // A string, because the tests have no DOM types.
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

/** Sets the error of this page's next request; null for a device that works. */
export async function setDeviceTrouble(page: Page, trouble: DeviceTrouble | null): Promise<void> {
  await page.evaluate(`globalThis.deviceTrouble = ${JSON.stringify(trouble)}; undefined`);
}
