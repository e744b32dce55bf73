import type { Locator } from 'playwright-core';

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

async function boxOf(thing: Locator): Promise<Box> {
  const box = await thing.boundingBox();
  if (box === null) throw new Error(`${thing.toString()} is not visible on the screen.`);
  return box;
}

/** Returns true if the two overlap. */
export async function doBoxesOverlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await boxOf(one), await boxOf(other)];
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
