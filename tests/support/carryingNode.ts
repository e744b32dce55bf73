import { eventually } from '@nolo/testing';

export type MediaNodeName = 'media-sfu' | 'media-sfu2';

const names: readonly MediaNodeName[] = ['media-sfu', 'media-sfu2'];

/** The media node that has people on it, as its own figures say; they are a second late. */
export async function carryingNode(metricsUrls: Readonly<Record<string, string>>): Promise<MediaNodeName> {
  return await eventually(async () => {
    for (const name of names) {
      // One that is down carries nobody.
      const text = await fetch(metricsUrls[name] ?? '').then(
        (answer) => answer.text(),
        () => '',
      );
      const [, peers] = /^nolo_media_peers(?:\{[^}]*\})? (\d+)/m.exec(text) ?? [];
      if (Number(peers ?? 0) > 0) return name;
    }
    return undefined;
  });
}
