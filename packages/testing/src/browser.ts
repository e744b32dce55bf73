import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, BrowserContext, BrowserContextOptions, ConnectOverCDPTransport, Page } from 'playwright-core';
import { WebSocket } from 'ws';
import { waitTimeoutMs } from './waitTimeout.ts';

/** The system's own Chromium, unless the environment names another. */
export function chromiumPath(): string {
  return process.env.CHROMIUM_PATH || process.env.NOLO_CHROMIUM || '/usr/bin/chromium';
}

/**
 * What Playwright switches off by itself (a second list takes the place of its own), and the browser's own pages behind
 * the address line: each window starts two of them, which costs as much processor time as what is tested.
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
  // A wheel moves what it moves at once: what is still gliding cannot be measured.
  '--disable-smooth-scrolling',
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
];

/**
 * For many short visits: nobody waits for the process that Chromium would keep ready for a next window, and what a
 * script's optimising compilers do pays only where it runs for longer than a story does. Sound is played in pieces of a
 * twentieth of a second, of which each wakes several threads of several processes. Not for what measures.
 */
const frugalArguments: readonly string[] = [
  `--disable-features=${[...disabledFeatures, 'SpareRendererForSitePerProcess'].join(',')}`,
  '--js-flags=--no-turbofan --no-maglev --min-semi-space-size=16',
  '--audio-buffer-size=2048',
];

interface LaunchOptions {
  headless?: boolean;
  /** Spares processor time where it costs waiting; false by default. */
  frugal?: boolean;
  args?: string[];
}

/**
 * The system's own Chromium with fake devices, so that media is real but needs no camera. What it
 * would otherwise ask of the internet by itself is switched off.
 */
export async function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  // Loaded here, for it is large: to read it took a third of the time of every test that opens no browser.
  const { chromium } = await import('playwright-core');
  return await chromium.launch(launchingOf(options));
}

/** Of what Playwright starts a Chromium with, whatever shows in a page. */
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

/** A Chromium that outlives whoever speaks to it. */
export interface RunningChromium {
  /** For `connectChromium`. */
  endpoint: string;
  stop(): Promise<void>;
}

/**
 * One for a process after the other, each of which reaches it by `connectChromium`. Nobody stands between: Playwright's
 * own server would read and write all that the two say to each other once more.
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
  throw new Error(`${executablePath} ended before anybody could speak to it.`);
}

/** Closing what this answers closes the windows that were opened by it. */
export async function connectChromium(endpoint: string): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return await chromium.connectOverCDP(await plainLine(endpoint));
}

/**
 * What a browser of this machine is told and tells, as it is: on the line that Playwright opens by itself the one packs
 * all of it and the other unpacks it, which takes a fifth of the time of either.
 */
async function plainLine(endpoint: string): Promise<ConnectOverCDPTransport> {
  const socket = new WebSocket(endpoint, { perMessageDeflate: false, maxPayload: 256 * 2 ** 20 });
  await once(socket, 'open');
  // Made by Node: Playwright takes no object of the realm that jest gives to a file.
  const line: ConnectOverCDPTransport = Object.assign(new EventEmitter(), {
    send: (message: object) => socket.send(JSON.stringify(message)),
    close: () => socket.close(),
  });
  socket.on('message', (data: Buffer) => {
    // What one of them leads to is done before the next one comes.
    setImmediate(() => line.onmessage?.(JSON.parse(data.toString()) as object));
  });
  socket.on('close', (_code, reason) => line.onclose?.(reason.toString()));
  socket.on('error', () => undefined);
  return line;
}

function launchingOf({ headless = true, frugal = false, args = [] }: LaunchOptions) {
  // Of two lists of features the last one counts.
  const all = [...chromiumArguments, ...(frugal ? frugalArguments : []), ...args];
  return { executablePath: chromiumPath(), headless, args: all };
}

export interface PersonOptions extends Pick<
  BrowserContextOptions,
  'viewport' | 'colorScheme' | 'locale' | 'reducedMotion' | 'baseURL' | 'permissions' | 'timezoneId' | 'storageState'
> {
  /** How long a step may take before the test fails; 15 s by default. */
  timeoutMs?: number;
}

export interface Person {
  context: BrowserContext;
  page: Page;
  /** What went wrong without anyone seeing it: uncaught errors, and errors on the console. */
  problems: string[];
  close(): Promise<void>;
}

export const phoneViewport = { width: 390, height: 844 };
export const desktopViewport = { width: 1280, height: 800 };

/** Someone with a browser of their own: cookies, storage and permissions are shared with nobody. */
export async function newPerson(browser: Browser, options: PersonOptions = {}): Promise<Person> {
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
