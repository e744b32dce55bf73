import type { Locator } from 'playwright-core';

/** Parts of a page that measuring uses. The tests have no DOM types. */
interface Drawing {
  drawImage: (picture: object, ...place: number[]) => void;
  getImageData: (...place: number[]) => { data: Uint8ClampedArray };
}
interface Page {
  OffscreenCanvas: new (width: number, height: number) => { getContext: (kind: '2d', options: object) => Drawing };
}

/**
 * Returns how much neighboring pixels of a video differ now: a lot in a picture with edges, little in a blurred one. 0
 * before the first frame.
 */
export async function measureSharpness(video: Locator): Promise<number> {
  return await video.first().evaluate((element) => {
    if ((element as unknown as { videoWidth: number }).videoWidth === 0) return 0;
    const [width, height] = [320, 180];
    const { OffscreenCanvas: Canvas } = globalThis as unknown as Page;
    const drawing = new Canvas(width, height).getContext('2d', { willReadFrequently: true });
    drawing.drawImage(element, 0, 0, width, height);
    const { data } = drawing.getImageData(0, 0, width, height);
    let sum = 0;
    // Compares the green of each pixel and the next. Squared, because a soft edge is many small steps and a hard one is
    // a big one.
    for (let at = 1; at < data.length - 4; at += 4) sum += ((data[at] ?? 0) - (data[at + 4] ?? 0)) ** 2;
    return sum / (width * height);
  });
}
