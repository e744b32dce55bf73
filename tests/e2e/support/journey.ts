import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  connectChromium,
  launchChromium,
  waitTimeoutMs,
  phoneViewport,
  signInByPhone,
  TestSocket,
  type TestUser,
} from '@nolo/testing';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { modestDevicesScript } from './motion.ts';
import { observeBrowserContext, type BrowserObservations } from './observations.ts';

export interface OpenPageOptions extends Pick<
  BrowserContextOptions,
  'colorScheme' | 'javaScriptEnabled' | 'locale' | 'timezoneId'
> {
  /**
   * Installs the app, as every browser does: its worker fetches and stores the whole app. That costs as much time as
   * everything else in a short story, so only stories about the worker request it. In the shared Nolo the worker is
   * installed in any case and stores only the first screen, unless this is false or the file uses
   * `getUrlWithoutServiceWorker`.
   */
  installs?: boolean;
  /** Small, unless the story is about the sizes in which video is sent. */
  camera?: 'small' | 'large';
  /** Kind of device; a phone has touch and a small screen. */
  device?: 'desktop' | 'phone';
  /** Signs this user in, with a session of this browser's own. */
  as?: TestUser;
  /** First address to open. Absent: none is opened. */
  path?: string;
}

/** User with a browser window of their own. */
export interface BrowserUser extends BrowserObservations {
  context: BrowserContext;
  page: Page;
  go: (path: string) => Promise<void>;
  close: () => Promise<void>;
}

/** Browser from another vendor than the journeys' default. */
export interface BrowserEngine {
  open: () => Promise<Browser>;
  /** Timeout for `open`, in milliseconds. */
  openMs: number;
  /** Prepares windows before anything is opened in them. */
  prepare: (context: BrowserContext) => Promise<void>;
}

export interface Journey {
  /** Returns the address of the Nolo under test. */
  url: () => string;
  openPage: (options?: OpenPageOptions) => Promise<BrowserUser>;
  /** Signs the user in to a browser. */
  signIn: (context: BrowserContext, user: TestUser) => Promise<void>;
  /** Defines a test; if it fails, screenshots of all windows are stored next to the results. */
  story: (title: string, runStory: () => Promise<void>, timeoutMs?: number) => void;
}

const desktop = { width: 1440, height: 900 };
const pictures = join(process.env['NOLO_TEST_HOME'] ?? '.nolo/test', 'pictures');

async function takePictures(title: string, visitors: readonly BrowserUser[]): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  const name = title.replace(/[^a-z0-9]+/gi, '-').slice(0, 60);
  await Promise.all(
    visitors.map(async ({ page }, index) => {
      await page
        .screenshot({ path: join(pictures, `${name}-${index + 1}.png`), timeout: 5_000, caret: 'initial' })
        .catch(() => undefined);
    }),
  );
}

/**
 * Gives a test file a browser, in which each story opens as many windows as it has people: one that it shares with
 * other files, unless it needs its own arguments.
 */
export function setUpJourney(
  urlOf: () => string = sharedUrl,
  browserArguments?: () => string[],
  engine?: BrowserEngine,
): Journey {
  let browser: Browser | undefined;
  const visitors: BrowserUser[] = [];

  beforeAll(async () => {
    if (engine !== undefined) browser = await engine.open();
    else if (browserArguments === undefined) browser = await connectChromium(sharedBrowser());
    else browser = await launchChromium({ frugal: true, args: browserArguments() });
  }, engine?.openMs);
  afterEach(async () => {
    await Promise.all(visitors.splice(0).map((visitor) => visitor.close()));
  });
  afterAll(async () => {
    // The Nolo outlives the file, and so would the sockets of users without a browser.
    TestSocket.cutAll();
    await browser?.close();
  });

  async function openPage(options: OpenPageOptions = {}): Promise<BrowserUser> {
    if (browser === undefined) throw new Error('The browser is not open yet.');
    const { device = 'desktop', camera = 'small', installs, as, path, ...rest } = options;
    const shares = urlOf === sharedUrl || urlOf === getUrlWithoutServiceWorker;
    const baseURL = installs === true && shares ? getFullPrecacheUrl() : urlOf();
    const context = await browser.newContext({
      baseURL,
      locale: 'en-GB',
      // Animations cost CPU time and no story is about them. Other browsers run with the default.
      ...(engine === undefined && { reducedMotion: 'reduce' as const }),
      serviceWorkers: (installs ?? urlOf === sharedUrl) ? 'allow' : 'block',
      ...(device === 'phone' ? { viewport: phoneViewport, hasTouch: true, isMobile: true } : { viewport: desktop }),
      ...rest,
    });
    context.setDefaultTimeout(waitTimeoutMs);
    await engine?.prepare(context);
    if (camera === 'small') await context.addInitScript(modestDevicesScript);
    if (as !== undefined) await signIn(context, as);
    const observations = await observeBrowserContext(context, new URL(baseURL).origin);
    const page = await context.newPage();
    const visitor: BrowserUser = {
      context,
      page,
      ...observations,
      go: async (address) => {
        await page.goto(address);
      },
      close: () => context.close(),
    };
    visitors.push(visitor);
    if (path !== undefined) await visitor.go(path);
    return visitor;
  }

  async function signIn(context: BrowserContext, user: TestUser): Promise<void> {
    const session = user.api.token ?? (await signInByPhone(urlOf(), user.phone)).api.token ?? '';
    await context.addCookies([
      { name: 'nolo_session', value: session, url: urlOf(), httpOnly: true, sameSite: 'Lax' },
      { name: 'nolo_signed_in', value: '1', url: urlOf(), sameSite: 'Lax' },
    ]);
  }

  function story(title: string, runStory: () => Promise<void>, timeoutMs = 240_000): void {
    it(
      title,
      async () => {
        try {
          await runStory();
          // Stories must not leave uncaught errors or policy violations behind.
          for (const { uncaught, violations } of visitors) {
            expect({ uncaught, violations }).toEqual({ uncaught: [], violations: [] });
          }
        } catch (error) {
          await takePictures(title, visitors);
          throw error;
        }
      },
      timeoutMs,
    );
  }

  return { url: urlOf, openPage, signIn, story };
}

/** Returns the address of the shared Nolo: the gateway whose app stores only the first screen. */
function sharedUrl(): string {
  return provided('NOLO_JOURNEYS_URL');
}

/**
 * Returns the shared address, for stories that the worker would get in the way of: it is installed only if `installs`
 * requests it.
 */
export function getUrlWithoutServiceWorker(): string {
  return sharedUrl();
}

/** Returns the address of the shared Nolo's gateway whose app stores everything, as for real users. */
export function getFullPrecacheUrl(): string {
  return provided('NOLO_JOURNEYS_INSTALLING_URL');
}

/** Returns the browser of this process, which its successive files share. */
function sharedBrowser(): string {
  const endpoints = JSON.parse(provided('NOLO_JOURNEYS_BROWSERS')) as string[];
  return endpoints[Number(process.env['JEST_WORKER_ID'] ?? 1) - 1] ?? '';
}

function provided(name: string): string {
  const url = process.env[name];
  if (url === undefined) throw new Error('The journeys need a running Nolo. Run them with npm test.');
  return url;
}
