import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, BrowserContext, BrowserContextOptions, ConnectOverCDPTransport, Page } from 'playwright-core';
import { WebSocket } from 'ws';
import { waitTimeoutMs } from './waitTimeout.ts';

/** Path of the system's own Chromium, unless the environment names another. */
export function getChromiumPath(): string {
  return process.env.CHROMIUM_PATH || process.env.NOLO_CHROMIUM || '/usr/bin/chromium';
}

/**
 * Features that Playwright disables by default (a second list replaces its own), plus the browser's own pages behind
 * the address bar: each window starts two of them, which cost as much CPU time as the page under test.
 */
const disabledFeatures = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
];

export const chromiumArguments: readonly string[] = [
  `--disable-features=${disabledFeatures.join(',')}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Makes wheel scrolling instant, because a page still scrolling cannot be measured.
  '--disable-smooth-scrolling',
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
];

/**
 * Arguments for many short page loads: no spare process for the next window, and no optimizing compilers, which pay off
 * only for scripts that run longer than a test. Sound plays in buffers of a twentieth of a second, because each buffer
 * wakes several threads of several processes. Not for measurements.
 */
const frugalArguments: readonly string[] = [
  `--disable-features=${[...disabledFeatures, 'SpareRendererForSitePerProcess'].join(',')}`,
  '--js-flags=--no-turbofan --no-maglev --min-semi-space-size=16',
  '--audio-buffer-size=2048',
];

interface LaunchOptions {
  headless?: boolean;
  /** Saves CPU time at the cost of latency; false by default. */
  frugal?: boolean;
  args?: string[];
}

/**
 * Launches the system's own Chromium with fake devices, so that media is real but needs no camera. Its own background
 * requests to the internet are disabled.
 */
export async function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  // Imported on demand, because it is large: loading it took a third of the time of every test that opens no browser.
  const { chromium } = await import('playwright-core');
  return await chromium.launch(launchingOf(options));
}

/** Subset of the arguments with which Playwright starts Chromium: those that affect pages. */
const playwrightsArguments: readonly string[] = [
  '--headless',
  '--hide-scrollbars',
  '--mute-audio',
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
  '--force-color-profile=srgb',
  '--enable-features=CDPScreenshotNewSurface',
  '--no-startup-window',
  '--allow-pre-commit-input',
  '--disable-back-forward-cache',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-breakpad',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-field-trial-config',
  '--disable-hang-monitor',
  '--disable-ipc-flooding-protection',
  '--disable-popup-blocking',
  '--disable-prompt-on-repost',
  '--disable-stack-profiler',
  '--enable-unsafe-swiftshader',
  '--metrics-recording-only',
  '--password-store=basic',
  '--use-mock-keychain',
];

/** Chromium that outlives its clients. */
export interface RunningChromium {
  /** Endpoint for `connectChromium`. */
  endpoint: string;
  stop(): Promise<void>;
}

/**
 * Starts a Chromium for consecutive processes, each of which reaches it with `connectChromium`. Directly, because
 * Playwright's own server would parse and serialize all traffic once more.
 */
export async function startChromium(options: LaunchOptions = {}): Promise<RunningChromium> {
  const { executablePath, args } = launchingOf(options);
  const profile = await mkdtemp(join(tmpdir(), 'nolo-chromium-'));
  const own = ['--remote-debugging-port=0', `--user-data-dir=${profile}`];
  const child = spawn(executablePath, [...playwrightsArguments, ...args, ...own], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = new Promise<void>((resolve) => child.once('error', () => resolve()).once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
    await rm(profile, { recursive: true, force: true, maxRetries: 10 });
  };
  const lines = createInterface({ input: child.stderr });
  const listening = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      const endpoint = /^DevTools listening on (ws:\S+)/.exec(line)?.[1];
      if (endpoint !== undefined) resolve(endpoint);
    });
  });
  const endpoint = await Promise.race([listening, exited]);
  if (endpoint !== undefined) return { endpoint, stop };
  await stop();
  throw new Error(`${executablePath} exited before it accepted a connection.`);
}

/** Connects to a running Chromium. Closing the result closes the windows opened through it. */
export async function connectChromium(endpoint: string): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return await chromium.connectOverCDP(await openCdpTransport(endpoint));
}

/**
 * Opens an uncompressed connection to a local browser. Playwright's own connection compresses the traffic, which takes
 * a fifth of the time of either side.
 */
async function openCdpTransport(endpoint: string): Promise<ConnectOverCDPTransport> {
  const socket = new WebSocket(endpoint, { perMessageDeflate: false, maxPayload: 256 * 2 ** 20 });
  await once(socket, 'open');
  // Created with Node's own classes: Playwright accepts no object from the realm that jest gives to a test file.
  const transport: ConnectOverCDPTransport = Object.assign(new EventEmitter(), {
    send: (message: object) => socket.send(JSON.stringify(message)),
    close: () => socket.close(),
  });
  socket.on('message', (data: Buffer) => {
    // Handles each message completely before the next one.
    setImmediate(() => transport.onmessage?.(JSON.parse(data.toString()) as object));
  });
  socket.on('close', (_code, reason) => transport.onclose?.(reason.toString()));
  socket.on('error', () => undefined);
  return transport;
}

function launchingOf({ headless = true, frugal = false, args = [] }: LaunchOptions) {
  // The last of several feature lists wins.
  const all = [...chromiumArguments, ...(frugal ? frugalArguments : []), ...args];
  return { executablePath: getChromiumPath(), headless, args: all };
}

export interface BrowserPersonOptions extends Pick<
  BrowserContextOptions,
  'viewport' | 'colorScheme' | 'locale' | 'reducedMotion' | 'baseURL' | 'permissions' | 'timezoneId' | 'storageState'
> {
  /** Timeout of a step before the test fails. Default: `waitTimeoutMs`. */
  timeoutMs?: number;
}

export interface BrowserPerson {
  context: BrowserContext;
  page: Page;
  /** Problems that no step reports: uncaught errors, and errors on the console. */
  problems: string[];
  close(): Promise<void>;
}

export const phoneViewport = { width: 390, height: 844 };
export const desktopViewport = { width: 1280, height: 800 };

/** Opens a browser context for one person: cookies, storage and permissions are shared with nobody. */
export async function newBrowserPerson(browser: Browser, options: BrowserPersonOptions = {}): Promise<BrowserPerson> {
  const { timeoutMs = waitTimeoutMs, ...rest } = options;
  const context = await browser.newContext({ viewport: desktopViewport, locale: 'en-GB', ...rest });
  context.setDefaultTimeout(timeoutMs);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  return { context, page, problems, close: () => context.close() };
}
