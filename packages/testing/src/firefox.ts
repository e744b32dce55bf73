import type { Browser, BrowserContext } from 'playwright-core';

/** What is used of Playwright's inside, which speaks WebDriver BiDi to a Firefox as it is distributed. */
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

/** The system's own Firefox with fake devices. It starts in ten seconds, and in minutes on a machine that is busy. */
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
 * Playwright 1.65 sets media features with each window, in words that Firefox learnt after 153: there they are left out.
 * Done to the running Playwright, for nothing in node_modules is changed.
 */
function letUnknownMediaPass(browser: Browser): void {
  const session = (browser as unknown as Inside)._connection?.toImpl?.(browser)._browserSession;
  if (session === undefined) throw new Error('Playwright looks different inside: see whether this is still needed.');
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
 * Playwright fills a field of Firefox by setting its value, which React takes for its own doing; pages of the context
 * get the text from the browser's editor instead, as from a keyboard.
 */
export async function typeAsPeopleDo(context: BrowserContext): Promise<void> {
  await context.addInitScript(`Object.defineProperty(window, '__pw_bidiInsertText', {
    get: () => (text) => void document.execCommand('insertText', false, text),
    set: () => {},
  });`);
}
