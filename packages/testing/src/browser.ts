import type { Browser, BrowserContext, BrowserContextOptions, BrowserServer, Page } from 'playwright-core';

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
 * script's optimising compilers do pays only where it runs for longer than a story does. Not for what measures.
 */
const frugalArguments: readonly string[] = [
  `--disable-features=${[...disabledFeatures, 'SpareRendererForSitePerProcess'].join(',')}`,
  '--js-flags=--no-turbofan --no-maglev',
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

/** One for several processes, which reach it by `connectChromium` at its `wsEndpoint()` and see only their own windows. */
export async function launchChromiumServer(options: LaunchOptions = {}): Promise<BrowserServer> {
  const { chromium } = await import('playwright-core');
  return await chromium.launchServer(launchingOf(options));
}

/** Closing what this answers closes the windows that were opened by it. */
export async function connectChromium(wsEndpoint: string): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return await chromium.connect(wsEndpoint);
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
  const { timeoutMs = 15_000, ...rest } = options;
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
