import { setTimeout as sleep } from 'node:timers/promises';
import { desktopViewport, eventually, launchChromium } from '@nolo/testing';
import type { Browser, Page } from 'playwright-core';
import { enMeeting } from '../../e2e/support/words.ts';

/** Signed-in user in a browser of their own. */
export interface LoadBrowserUser {
  openPage(): Promise<Page>;
  close(): Promise<void>;
}

const timeoutMs = 30_000;

/** Starts browsers as separate processes, which end with this one. */
export async function startBrowsers(count: number, browserArguments: readonly string[] = []): Promise<Browser[]> {
  return await Promise.all(
    Array.from({ length: count }, async () => await launchChromium({ args: [...browserArguments] })),
  );
}

/** Opens a browser window for a user. `script` is a file that runs in each page before the app does. */
export async function openLoadBrowserUser(
  browser: Browser,
  url: string,
  token: string,
  { script }: { script?: string } = {},
): Promise<LoadBrowserUser> {
  // Browsers allow cameras without TLS only on localhost.
  const baseURL = url.replace('127.0.0.1', 'localhost');
  const context = await browser.newContext({ viewport: desktopViewport, locale: 'en-GB', baseURL });
  context.setDefaultTimeout(timeoutMs);
  await context.addCookies([
    { name: 'nolo_session', value: token, url: baseURL, httpOnly: true, sameSite: 'Lax' },
    { name: 'nolo_signed_in', value: '1', url: baseURL, sameSite: 'Lax' },
  ]);
  if (script !== undefined) await context.addInitScript({ path: script });
  return { openPage: async () => await context.newPage(), close: async () => await context.close() };
}

/** Evaluates from outside, because the app's security policy forbids it inside. */
export async function waitUntilTrue(page: Page, expression: string): Promise<void> {
  await eventually(async () => await page.evaluate<boolean>(expression), { timeoutMs: timeoutMs, intervalMs: 100 });
}

/**
 * Waits on the pre-join page until the camera is open, mediasoup-client is loaded and the preview has been visible for
 * a while.
 */
export async function openReadyPreJoin(page: Page, roomCode: string): Promise<void> {
  const capabilities = page.waitForResponse((response) => response.url().endsWith('/api/media/capabilities'));
  await page.goto(`/meeting/${roomCode}`);
  await capabilities;
  await waitUntilTrue(
    page,
    "document.querySelector('[data-testid=video]')?.getVideoPlaybackQuality().totalVideoFrames > 10",
  );
  await sleep(500);
}

export async function enterMeeting(page: Page): Promise<void> {
  await page.getByRole('button', { name: enMeeting.ready.join, exact: true }).click();
  await page.getByTestId('meeting-room').waitFor({ timeout: 120_000 });
}

export async function leaveMeeting(page: Page): Promise<void> {
  await page.getByRole('button', { name: enMeeting.room.leave, exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/');
}
