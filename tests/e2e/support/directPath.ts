import type { BrowserContext, Page } from 'playwright-core';

/** State of a page's newest direct connection. */
export interface DirectPath {
  state: string;
  /** Changes after each ICE restart (RFC 8839, section 5.4). */
  usernameFragment: string;
}

/** Records the connections that pages of this browser create from now on, so that `readDirectPath` can read them. */
export async function watchDirectPaths(context: BrowserContext): Promise<void> {
  // A string, because the tests have no DOM types.
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

export async function readDirectPath(page: Page): Promise<DirectPath> {
  return await page.evaluate(`(() => {
    const peer = globalThis.directPaths.at(-1);
    const [, usernameFragment] = /^a=ice-ufrag:(\\S+)/m.exec(peer?.currentLocalDescription?.sdp ?? '') ?? [];
    return { state: peer?.connectionState ?? 'none', usernameFragment: usernameFragment ?? '' };
  })()`);
}
