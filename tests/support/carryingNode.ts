import { eventually } from '@nolo/testing';

export type MediaNodeName = 'media-sfu' | 'media-sfu2';

const names: readonly MediaNodeName[] = ['media-sfu', 'media-sfu2'];

/**
 * The media node that has people on it, as its own figures say. Where both have some it waits: those who went without a
 * word, as those of the test before, are kept for a while, and may be on the node that a new room was not put on.
 */
export async function carryingNode(metricsUrls: Readonly<Record<string, string>>): Promise<MediaNodeName> {
  return await eventually(async () => {
    const carrying: MediaNodeName[] = [];
    for (const name of names) {
      // One that is down carries nobody.
      const text = await fetch(metricsUrls[name] ?? '').then(
        (answer) => answer.text(),
        () => '',
      );
      const [, peers] = /^nolo_media_peers(?:\{[^}]*\})? (\d+)/m.exec(text) ?? [];
      if (Number(peers ?? 0) > 0) carrying.push(name);
    }
    return carrying.length === 1 ? carrying[0] : undefined;
  });
}
