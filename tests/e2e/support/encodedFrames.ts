import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { projectRoot } from '../../../scripts/paths.ts';

/** Counts from a page's worker for encoded frames. The app's own worker only has the first two. */
export interface FrameCounts {
  sent: { audio: number; video: number };
  received: { audio: number; video: number };
  /** Cipher only: frames encrypted with another key. */
  refused: number;
  /** Cipher only: sent streams and spatial layers of video. */
  ssrcs: number[];
  layers: number[];
}

/** Records the page's worker for frames. A string, because the tests have no DOM types. */
const probe = `{
  const Plain = Worker;
  let worker;
  globalThis.Worker = class extends Plain {
    constructor(address, options) {
      super(address, options);
      if (options?.name === 'frames') worker = this;
    }
  };
  globalThis.countFrames = () => new Promise((resolve) => {
    if (!worker) return resolve(null);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data);
    worker.postMessage('count', [port2]);
  });
}`;

/** Lets pages of a context report what passed through their worker for frames. */
async function watchFrames(context: BrowserContext): Promise<void> {
  await context.addInitScript(probe);
}

/** Returns null while there is no such worker. */
export const readFrameCounts = async (page: Page): Promise<FrameCounts | null> =>
  await page.evaluate<FrameCounts | null>('countFrames()');

/** Replaces the app's own worker with one that encrypts with this key. */
export async function encryptFrames(context: BrowserContext, key: readonly number[]): Promise<void> {
  const script = await readFile(join(projectRoot, 'tests/support/clients/cipherWorker.js'), 'utf8');
  const body = script.replace('__KEY__', JSON.stringify(key));
  await watchFrames(context);
  await context.route(/\/assets\/frameWorker-[^/]*\.js$/, async (route) => {
    await route.fulfill({ contentType: 'text/javascript', body });
  });
}

/** Simulates media nodes without VP8, and cameras that send three layers in one stream: VP9 as SVC. */
export async function forceVp9Svc(context: BrowserContext): Promise<void> {
  await context.route('**/api/media/capabilities', async (route) => {
    const reply = await route.fetch();
    const { rtpCapabilities } = (await reply.json()) as { rtpCapabilities: Capabilities };
    const codecs = withoutCodec(rtpCapabilities.codecs, 'video/VP8');
    await route.fulfill({ response: reply, json: { rtpCapabilities: { ...rtpCapabilities, codecs } } });
  });
  await context.addInitScript(`{
    const { addTransceiver } = RTCPeerConnection.prototype;
    RTCPeerConnection.prototype.addTransceiver = function (track, options) {
      const encodings = options?.sendEncodings;
      if (encodings && track.kind === 'video') {
        encodings.splice(0, encodings.length, { maxBitrate: 1_200_000, scalabilityMode: 'L3T3' });
      }
      return addTransceiver.call(this, track, options);
    };
  }`);
}

interface Codec {
  mimeType: string;
  preferredPayloadType: number;
  parameters?: { apt?: number };
}
interface Capabilities {
  codecs: Codec[];
}

function withoutCodec(codecs: readonly Codec[], mimeType: string): Codec[] {
  const gone = codecs.filter((one) => one.mimeType === mimeType).map((one) => one.preferredPayloadType);
  return codecs.filter(
    ({ preferredPayloadType, parameters }) =>
      !gone.includes(preferredPayloadType) && !gone.includes(parameters?.apt ?? -1),
  );
}
