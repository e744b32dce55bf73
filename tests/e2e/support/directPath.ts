import type { BrowserContext, Page } from 'playwright-core';

/** How the newest direct connection of a page stands. */
export interface DirectPath {
  state: string;
  /** Another one after each time that the path was looked for anew (RFC 8839, section 5.4). */
  usernameFragment: string;
}

/** Keeps the connections that pages of this browser make from now on, so that `directPathOf` can look at them. */
export async function watchDirectPaths(context: BrowserContext): Promise<void> {
  // As text, for the tests know no DOM.
  await context.addInitScript(`{
    globalThis.directPaths = [];
    globalThis.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(...given) {
        super(...given);
        globalThis.directPaths.push(this);
      }
    };
  }`);
}

export async function directPathOf(page: Page): Promise<DirectPath> {
  return await page.evaluate(`(() => {
    const peer = globalThis.directPaths.at(-1);
    const [, usernameFragment] = /^a=ice-ufrag:(\\S+)/m.exec(peer?.currentLocalDescription?.sdp ?? '') ?? [];
    return { state: peer?.connectionState ?? 'none', usernameFragment: usernameFragment ?? '' };
  })()`);
}
