import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@nolo/testing';
import { findFreePort } from '../../../scripts/ports.ts';

/** Key of an element in W3C WebDriver's answers (section 12.1 of the specification). */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';
const enter = '\uE007';

/** A page that hangs never answers, so every request has a timeout. */
const answerMs = 30_000;
/** Timeout for a browser to start on a busy machine. */
const startMs = 240_000;
export const webKitTimeoutMs = 45_000;

/** Script that finds a visible element by a part of its name. */
const finds = `(selector, name) => [...document.querySelectorAll(selector)].find((element) =>
  element.checkVisibility() &&
  [element.getAttribute('aria-label'), element.labels?.[0]?.textContent, element.textContent].some((one) => one?.includes(name)))`;

/** Window of WebKit, driven by WebKitWebDriver. */
export interface WebKitWindow {
  go: (address: string) => Promise<void>;
  reload: () => Promise<void>;
  /** Runs a function body in the page, which may be asynchronous, and returns its result. */
  run: <T>(body: string, ...given: unknown[]) => Promise<T>;
  /** Waits until the page shows such an element, and returns WebDriver's id of it. */
  see: (selector: string, name?: string) => Promise<string>;
  press: (selector: string, name?: string) => Promise<void>;
  /**
   * Types into such a field as from a keyboard, once it has the focus, and presses Enter. A field is drawn before it
   * has the focus, and keys pressed in between are silently lost.
   */
  enter: (selector: string, name: string, text: string) => Promise<void>;
  /** Returns a screenshot as PNG. */
  picture: () => Promise<Buffer>;
  close: () => Promise<void>;
}

/** Starts the browser with its own screen and message bus. */
export async function openWebKit(miniBrowser: string): Promise<WebKitWindow> {
  const screen = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let driver: ChildProcess | undefined;
  const close = async (): Promise<void> => {
    await endGroup(driver);
    await endGroup(screen);
  };
  try {
    const [display] = (await Promise.race([once(screen.stdout, 'data'), tooLate('Xvfb')])) as [Buffer];
    const port = await findFreePort();
    driver = spawn('dbus-run-session', ['--', 'WebKitWebDriver', '-p', String(port)], {
      detached: true,
      stdio: 'ignore',
      env: {
        ...process.env,
        DISPLAY: `:${display.toString().trim()}`,
        // Software rendering is enough, and there is no graphics card.
        WEBKIT_DISABLE_COMPOSITING_MODE: '1',
        LIBGL_ALWAYS_SOFTWARE: '1',
      },
    });
    return windowOf(await newSession(`http://127.0.0.1:${port}`, miniBrowser), close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function tooLate(name: string): Promise<never> {
  await sleep(startMs, undefined, { ref: false });
  throw new Error(`${name} did not start.`);
}

async function callDriver<T>(url: string, body?: object, timeoutMs = answerMs): Promise<T> {
  const reply = await fetch(url, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
  });
  const { value } = (await reply.json()) as { value: T & { error?: string; message?: string } };
  if (!reply.ok) throw new Error(`WebKit: ${value.error ?? ''} ${value.message ?? ''}`);
  return value;
}

/** Returns the address of a new session. */
async function newSession(driver: string, binary: string): Promise<string> {
  await eventually(async () => (await callDriver<{ ready: boolean }>(`${driver}/status`)).ready, {
    timeoutMs: startMs,
  });
  const args = ['--automation', '--enable-mock-capture-devices=true', '--enable-media-stream=true'];
  const alwaysMatch = { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { binary, args } };
  const { sessionId } = await callDriver<{ sessionId: string }>(
    `${driver}/session`,
    { capabilities: { alwaysMatch } },
    startMs,
  );
  return `${driver}/session/${sessionId}`;
}

function windowOf(session: string, close: () => Promise<void>): WebKitWindow {
  const run = async <T>(body: string, ...given: unknown[]): Promise<T> =>
    await callDriver<T>(`${session}/execute/sync`, { script: `return (async () => { ${body} })()`, args: given });
  const see = async (selector: string, name = ''): Promise<string> => {
    const script = `return (${finds})(arguments[0], arguments[1]) ?? null`;
    const findElement = async (): Promise<string | false> => {
      const found = await callDriver<Record<string, string> | null>(`${session}/execute/sync`, {
        script,
        args: [selector, name],
      });
      return found?.[elementKey] ?? false;
    };
    try {
      return await eventually(findElement, { timeoutMs: webKitTimeoutMs, intervalMs: 250 });
    } catch (error) {
      throw new Error(`WebKit does not show ${selector} "${name}".`, { cause: error });
    }
  };
  return {
    run,
    see,
    go: async (address) => void (await callDriver(`${session}/url`, { url: address }, webKitTimeoutMs)),
    reload: async () => void (await callDriver(`${session}/refresh`, {}, webKitTimeoutMs)),
    press: async (selector, name) => {
      const element = await see(selector, name);
      await callDriver(`${session}/element/${element}/click`, {});
    },
    enter: async (selector, name, text) => {
      const field = await see(`${selector}:focus`, name);
      await callDriver(`${session}/element/${field}/value`, { text: `${text}${enter}` });
    },
    picture: async () => Buffer.from(await callDriver<string>(`${session}/screenshot`), 'base64'),
    close,
  };
}

const pictures = join(process.env['NOLO_TEST_HOME'] ?? '.nolo/test', 'pictures');

/** Document, preceded by what a screenshot does not show: the focus, and the requests to the server. */
const page = `const asked = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/'));
  const lines = asked.map(({ name, startTime, duration, responseStatus }) =>
    [Math.round(startTime), 'ms, for', Math.round(duration), 'ms:', responseStatus, name].join(' '));
  const { activeElement, documentElement } = document;
  return [location.href, activeElement?.cloneNode().outerHTML, ...lines, '', documentElement.outerHTML].join('\\n')`;

/** Defines tests that, on failure, store a screenshot of the window and its page. */
export function createStoryTest(window: () => WebKitWindow): (title: string, runStory: () => Promise<void>) => void {
  const keep = async (title: string): Promise<void> => {
    const place = join(pictures, `webkit-${title.replace(/[^a-z0-9]+/gi, '-')}`);
    await mkdir(pictures, { recursive: true });
    await Promise.allSettled([
      window()
        .run<string>(page)
        .then((text) => writeFile(`${place}.txt`, text)),
      window()
        .picture()
        .then((png) => writeFile(`${place}.png`, png)),
    ]);
  };
  return (title, runStory) =>
    it(
      title,
      async () => {
        try {
          await runStory();
        } catch (error) {
          await keep(title).catch(() => undefined);
          throw error;
        }
      },
      240_000,
    );
}

/** Ends a process with everything that it started. */
async function endGroup(child: ChildProcess | undefined): Promise<void> {
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await ended;
}
