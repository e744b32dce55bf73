import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { createSilentWav } from '../../support/clients/silentWav.ts';

const rate = 48_000;

/**
 * Writes a tone, mono, 16 bits, that swells and fades four times a second, as speech does, so that no filter treats it
 * as a hum.
 */
export function writeTone(path: string, hertz: number, seconds = 4): void {
  const file = createSilentWav(seconds, rate);
  for (let index = 0; index < rate * seconds; index++) {
    const time = index / rate;
    const loudness = 0.25 + 0.5 * Math.sin(Math.PI * 4 * time) ** 2;
    file.writeInt16LE(Math.round(Math.sin(2 * Math.PI * hertz * time) * loudness * 32_767), 44 + index * 2);
  }
  writeFileSync(path, file);
}

export interface MeasuredTone {
  /** Loudest frequency, in hertz. */
  hertz: number;
  /** Loudness from 0 to 255, for decibels between -100 and -30. */
  loudness: number;
}

/** Listens for a second to the first audio that the page plays of others, and returns the loudest frequency. */
export async function measureTone(page: Page): Promise<MeasuredTone> {
  // A string, because the tests have no DOM types.
  return await page.evaluate(`(async () => {
    const { srcObject } = document.querySelector('audio');
    const context = new AudioContext({ sampleRate: ${String(rate)} });
    await context.resume();
    const analyser = new AnalyserNode(context, { fftSize: 8192, smoothingTimeConstant: 0 });
    context.createMediaStreamSource(srcObject).connect(analyser);
    const bins = new Uint8Array(analyser.frequencyBinCount);
    let loudest = { hertz: 0, loudness: 0 };
    const end = performance.now() + 1000;
    while (performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      analyser.getByteFrequencyData(bins);
      const top = bins.reduce((best, level, index) => (level > bins[best] ? index : best), 0);
      if (bins[top] > loudest.loudness) loudest = { hertz: (top * ${String(rate)}) / 8192, loudness: bins[top] };
    }
    await context.close();
    return loudest;
  })()`);
}
