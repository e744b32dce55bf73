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
import { modestDevices } from './motion.ts';
import { watchContext, type Observations } from './observations.ts';

export interface VisitOptions extends Pick<
  BrowserContextOptions,
  'colorScheme' | 'javaScriptEnabled' | 'locale' | 'timezoneId'
> {
  /**
   * Installs the app, as every browser does: its worker fetches the whole app and keeps it. That costs as much time as
   * all else that a short visit does, so only stories ask for it that are about what the worker is for. Where the Nolo is
   * the one that journeys share, the worker is there in any case and keeps the first screen alone, unless this is false
   * or the file says `withoutWorker`.
   */
  installs?: boolean;
  /** Small, unless the story is about the sizes in which a picture is sent. */
  camera?: 'small' | 'large';
  /** A phone has touch and a small screen. */
  device?: 'desktop' | 'phone';
  /** Arrives signed in, on a session of this browser's own. */
  as?: TestUser;
  /** The first address; none is opened without it. */
  path?: string;
}

/** Somebody with a browser of their own. */
export interface Visitor extends Observations {
  context: BrowserContext;
  page: Page;
  go: (path: string) => Promise<void>;
  close: () => Promise<void>;
}

/** A browser of another maker than the one that journeys are told in. */
export interface Engine {
  open: () => Promise<Browser>;
  /** How long that may take. */
  openMs: number;
  /** What has to be done to windows before anything is opened in them. */
  prepare: (context: BrowserContext) => Promise<void>;
}

export interface Journey {
  /** The address of the Nolo that is visited. */
  url: () => string;
  visit: (options?: VisitOptions) => Promise<Visitor>;
  /** Gives a browser a session of the person's. */
  signIn: (context: BrowserContext, user: TestUser) => Promise<void>;
  /** A test; when it fails, pictures of what everybody saw are kept beside the results. */
  story: (title: string, tell: () => Promise<void>, timeoutMs?: number) => void;
}

const desktop = { width: 1440, height: 900 };
const pictures = join(process.env['NOLO_TEST_HOME'] ?? '.nolo/test', 'pictures');

async function takePictures(title: string, visitors: readonly Visitor[]): Promise<void> {
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
 * Gives a test file a browser, in which each story opens as many windows as it has people: one that it shares with other
 * files, unless it needs arguments of its own.
 */
export function journey(urlOf: () => string = sharedUrl, browserArguments?: () => string[], engine?: Engine): Journey {
  let browser: Browser | undefined;
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    if (engine !== undefined) browser = await engine.open();
    else if (browserArguments === undefined) browser = await connectChromium(sharedBrowser());
    else browser = await launchChromium({ frugal: true, args: browserArguments() });
  }, engine?.openMs);
  afterEach(async () => {
    await Promise.all(visitors.splice(0).map((visitor) => visitor.close()));
  });
  afterAll(async () => {
    // The Nolo goes on when the file is at its end, and so would sockets of people who have no browser.
    TestSocket.cutAll();
    await browser?.close();
  });

  async function visit(options: VisitOptions = {}): Promise<Visitor> {
    if (browser === undefined) throw new Error('The browser is not open yet.');
    const { device = 'desktop', camera = 'small', installs, as, path, ...rest } = options;
    const shares = urlOf === sharedUrl || urlOf === withoutWorker;
    const baseURL = installs === true && shares ? installingUrl() : urlOf();
    const context = await browser.newContext({
      baseURL,
      locale: 'en-GB',
      // What moves costs a processor time that no story is about; other browsers are told the story as it is.
      ...(engine === undefined && { reducedMotion: 'reduce' as const }),
      serviceWorkers: (installs ?? urlOf === sharedUrl) ? 'allow' : 'block',
      ...(device === 'phone' ? { viewport: phoneViewport, hasTouch: true, isMobile: true } : { viewport: desktop }),
      ...rest,
    });
    context.setDefaultTimeout(waitTimeoutMs);
    await engine?.prepare(context);
    if (camera === 'small') await context.addInitScript(modestDevices);
    if (as !== undefined) await signIn(context, as);
    const observations = await watchContext(context, new URL(baseURL).origin);
    const page = await context.newPage();
    const visitor: Visitor = {
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

  function story(title: string, tell: () => Promise<void>, timeoutMs = 240_000): void {
    it(
      title,
      async () => {
        try {
          await tell();
          // Whatever a story is about, nothing may have broken on the way.
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

  return { url: urlOf, visit, signIn, story };
}

/** The Nolo that journeys share: the gateway whose app keeps the first screen alone. */
function sharedUrl(): string {
  return provided('NOLO_JOURNEYS_URL');
}

/** The same, for stories that would have to look through the worker: it is there only where `installs` asks for it. */
export function withoutWorker(): string {
  return sharedUrl();
}

/** The gateway of the same one whose app keeps everything, as those of people do. */
export function installingUrl(): string {
  return provided('NOLO_JOURNEYS_INSTALLING_URL');
}

/** The browser of this process, which the files that it tells one after the other have in common. */
function sharedBrowser(): string {
  const endpoints = JSON.parse(provided('NOLO_JOURNEYS_BROWSERS')) as string[];
  return endpoints[Number(process.env['JEST_WORKER_ID'] ?? 1) - 1] ?? '';
}

function provided(name: string): string {
  const url = process.env[name];
  if (url === undefined) throw new Error('The journeys need a running Nolo: run them through npm test.');
  return url;
}
