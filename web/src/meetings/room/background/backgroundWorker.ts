/**
 * Finds the person in small pictures, in a worker, so that the page does not stutter. It loads with the first blurred
 * background. The gateway lets this file run WebAssembly, but no page.
 */
import { ImageSegmenter } from '@mediapipe/tasks-vision';
import startRuntime, { wasmAddress } from 'virtual:visionRuntime';
import { toAlpha } from './backgroundMath.ts';
import { modelAddress, type PersonMask, type MaskAnswer, type MaskQuestion } from './masks.ts';

/** Worker features in use, because TypeScript's worker and page libraries conflict. */
declare const self: {
  onmessage: ((event: MessageEvent<MaskQuestion>) => void) | null;
  postMessage: (answer: MaskAnswer, handedOver: Transferable[]) => void;
  ModuleFactory?: unknown;
  custom_dbg?: (text: string) => void;
};

/** Loads the operator's model. @throws if it is missing or unsuitable */
async function openSegmenter(): Promise<ImageSegmenter> {
  const reply = await fetch(modelAddress);
  if (!reply.ok) throw new Error(`loading the model failed with status ${reply.status}`);
  const model = new Uint8Array(await reply.arrayBuffer());
  // The library finds its runtime here without adding a script to the page, which our policy forbids.
  self.ModuleFactory = startRuntime;
  // The runtime declares this function in a block, which has no effect in a module, and then calls it.
  self.custom_dbg = () => {};
  return ImageSegmenter.createFromOptions(
    { wasmLoaderPath: '', wasmBinaryPath: wasmAddress },
    {
      baseOptions: { modelAssetBuffer: model, delegate: 'CPU' },
      runningMode: 'VIDEO',
      outputConfidenceMasks: true,
      outputCategoryMask: false,
    },
  );
}

let before: Uint8ClampedArray | null = null;

function maskOf(segmenter: ImageSegmenter, { picture, at }: MaskQuestion): PersonMask {
  let mask: PersonMask | null = null;
  segmenter.segmentForVideo(picture, at, ({ confidenceMasks }) => {
    const [first] = confidenceMasks ?? [];
    if (!first) return;
    const alpha = toAlpha(first.getAsFloat32Array(), confidenceMasks?.length === 1 ? 'person' : 'background', before);
    before = alpha;
    const pixels = new Uint8ClampedArray(alpha.length * 4);
    for (const [index, value] of alpha.entries()) pixels[index * 4 + 3] = value;
    mask = { width: first.width, height: first.height, pixels };
  });
  picture.close();
  if (mask === null) throw new Error('the model returned no mask');
  return mask;
}

function answer(what: MaskAnswer, handedOver: Transferable[] = []): void {
  self.postMessage(what, handedOver);
}

function fail(error: unknown): void {
  answer({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
}

openSegmenter().then((segmenter) => {
  self.onmessage = ({ data }) => {
    try {
      const mask = maskOf(segmenter, data);
      answer({ kind: 'mask', mask }, [mask.pixels.buffer]);
    } catch (error) {
      fail(error);
    }
  };
  answer({ kind: 'ready' });
}, fail);
