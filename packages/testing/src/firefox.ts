import type { Browser, BrowserContext } from 'playwright-core';

/** Internals of Playwright in use here, which speak WebDriver BiDi to a stock Firefox. */
interface BidiSession {
  send(method: string, params: unknown): Promise<unknown>;
}
interface Inside {
  _connection?: { toImpl?: (browser: Browser) => { _browserSession?: BidiSession } };
}

const preferences = {
  'media.navigator.streams.fake': true,
  'media.navigator.permission.disabled': true,
  'media.autoplay.default': 0,
};

/** Launches the system's own Firefox with fake devices. Starts in ten seconds, and in minutes on a busy machine. */
export async function launchFirefox(executablePath: string): Promise<Browser> {
  const { firefox } = await import('playwright-core');
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath,
    headless: true,
    timeout: 400_000,
    firefoxUserPrefs: preferences,
  });
  letUnknownMediaPass(browser);
  return browser;
}

/**
 * Removes media features that Firefox does not know. Playwright 1.65 sets them for each window, some with names that
 * Firefox learned after 153. Patches the running Playwright, because node_modules stays unchanged.
 */
function letUnknownMediaPass(browser: Browser): void {
  const session = (browser as unknown as Inside)._connection?.toImpl?.(browser)._browserSession;
  if (session === undefined)
    throw new Error("Playwright's internals have changed. Check whether this workaround is still needed.");
  const shared = Object.getPrototypeOf(session) as BidiSession & { passing?: true };
  if (shared.passing) return;
  shared.passing = true;
  const { send } = shared;
  shared.send = async function (this: BidiSession, method, params) {
    const answer = send.call(this, method, params);
    if (method !== 'emulation.setMediaFeaturesOverride') return await answer;
    return await answer.catch((error: unknown) => {
      if (!String(error).includes('unknown command')) throw error;
    });
  };
}

/**
 * Types text like a keyboard. Playwright fills a field of Firefox by setting its value, which React mistakes for its
 * own change; pages of the context get the text from the browser's editor instead.
 */
export async function enableKeyboardFills(context: BrowserContext): Promise<void> {
  await context.addInitScript(`Object.defineProperty(window, '__pw_bidiInsertText', {
    get: () => (text) => void document.execCommand('insertText', false, text),
    set: () => {},
  });`);
}
