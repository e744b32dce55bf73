import { eventually } from '@nolo/testing';

export type MediaNodeName = 'media-sfu' | 'media-sfu2';

const names: readonly MediaNodeName[] = ['media-sfu', 'media-sfu2'];

/**
 * Finds the media node with participants, by its own metrics. Waits while both have some: participants who left without
 * notice, as in the previous test, stay for a while, possibly on the node that a new room was not placed on.
 */
export async function findOccupiedMediaNode(metricsUrls: Readonly<Record<string, string>>): Promise<MediaNodeName> {
  return await eventually(async () => {
    const carrying: MediaNodeName[] = [];
    for (const name of names) {
      // A node that is down has no participants.
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
